package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.federated.transport.PostOffice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A coordinator that waits for weeks says that its certificate runs out, before parties find it shut. */
class CertificateWatchTest {
    private static final String AFTERWARDS =
            "; renew it with tacit keys renew, then stop this program and start it again: nothing is lost.";

    @TempDir
    Path folder;

    private final MovedClock clock = new MovedClock(Duration.ZERO);
    private final List<String> said = new ArrayList<>();

    private PostOffice office(KeyFolder keys) throws IOException {
        String at;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            at = "localhost:" + socket.getLocalPort();
        }
        return Links.office(at, keys, StudyPlan.of(StudyFixture.study(5, 1, 1)), clock, said::add);
    }

    @Test
    void theEndOfTheCertificateIsSaidBeforeAndWhenItComes() throws Exception {
        KeyFolder keys = Authority.create(folder.resolve("keys"), "test", List.of("localhost"), clock.instant())
                .coordinator();
        String day = keys.ownCertificate()
                .orElseThrow()
                .getNotAfter()
                .toInstant()
                .atZone(ZoneOffset.UTC)
                .toLocalDate()
                .toString();
        String soon = "The certificate in " + keys.certificate() + " runs out on " + day
                + ", and no party can connect then" + AFTERWARDS;
        String over = "The certificate in " + keys.certificate() + " ran out on " + day
                + ", and no party can connect any more" + AFTERWARDS;
        try (PostOffice office = office(keys)) {
            clock.move(Duration.ofDays(82));
            office.collect(Duration.ZERO);
            assertThat(said).isEmpty();
            clock.move(Duration.ofDays(2));
            office.collect(Duration.ZERO);
            office.collect(Duration.ZERO);
            assertThat(said).containsExactly(soon);
            clock.move(Duration.ofDays(7));
            office.collect(Duration.ZERO);
            office.collect(Duration.ZERO);
            assertThat(said).containsExactly(soon, over);
        }
        said.clear();
        clock.move(Duration.ofDays(-2));
        try (PostOffice again = office(keys)) {
            assertThat(said).as("when it starts").containsExactly(soon);
            assertThat(again.collect(Duration.ZERO)).isEmpty();
        }
    }
}
