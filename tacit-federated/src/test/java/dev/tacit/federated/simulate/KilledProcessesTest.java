package dev.tacit.federated.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.federated.page.Browser;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A coordinator and five parties as processes over TLS on this machine, twenty of which are killed at random instructions: every planned sum
 * is opened, recomputed by the audit and equal to what was signed, every ledger has one entry, and no release was made twice or lost.
 */
class KilledProcessesTest {
    private static final int PARTIES = 5;
    private static final int RELEASES = 13;

    @TempDir
    Path folder;

    @Test
    void twentyKillsLoseNothing() throws Exception {
        FederationAnswer answer = simulate(Map.of("rounds", Integer.toString(RELEASES - 1)), OptionalInt.of(1), 20);
        assertThat(answer.json()).containsEntry("kills", 20);
        assertThat((Map<?, ?>) answer.json().get("audit"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("clean", true)
                .containsEntry("sums", (long) RELEASES);
        for (Object party : (List<?>) answer.json().get("parties")) {
            assertThat((Map<?, ?>) party)
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                    .containsEntry("sent", (long) RELEASES)
                    .containsEntry("ledgerReleases", (long) RELEASES);
        }
        FitOutcome outcome = new FitFolder(folder.resolve("out/fit")).outcome();
        assertThat(outcome.release().study().orElseThrow().members())
                .hasSize(PARTIES)
                .allMatch(member -> member.present() == RELEASES);
        assertThat(outcome.release().study().orElseThrow().releasesLost()).isZero();
        assertThat(outcome.release().study().orElseThrow().noiseFactor()).isEqualTo(Math.sqrt(5.0 / 4));
        requirePage((String) ((Map<?, ?>) ((List<?>) answer.json().get("parties")).get(0)).get("words"));
    }

    /** The page that is left shows the whole study, in a browser as well if there is one. */
    private void requirePage(String words) throws Exception {
        Path page = folder.resolve("out/fit/page.html");
        assertThat(page).content().contains("\"type\":\"done\"").contains(words);
        if (Browser.installed().isPresent()) {
            try (Browser browser = Browser.open(page.toUri().toString(), folder.resolve("profile"))) {
                assertThat(browser.until("the study is drawn", shown -> shown.contains(">over</span>")))
                        .contains(words)
                        .contains(RELEASES + " of " + RELEASES + " sums opened")
                        .contains(PARTIES + " of " + PARTIES + " there")
                        .contains(">age</span>")
                        .contains("The study is over; the fit is written.");
            }
        }
    }

    /** Nobody waits for anybody, and every change is used once: ledgers hold exactly the releases of all rounds. */
    @Test
    void killsLoseNothingWithoutMasksEither() throws Exception {
        FederationAnswer answer = simulate(
                Map.of("way", "dp-optimisation", "schedule", "asynchronous", "rounds", "8", "localSteps", "3"),
                OptionalInt.empty(),
                5);
        assertThat(answer.json()).containsEntry("kills", 5);
        assertThat((Map<?, ?>) answer.json().get("audit"))
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                .containsEntry("clean", true)
                .containsEntry("approximations", 8L * PARTIES + 1);
        for (Object party : (List<?>) answer.json().get("parties")) {
            assertThat((Map<?, ?>) party)
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
                    .containsEntry("sent", 24L)
                    .containsEntry("ledgerReleases", 24L);
        }
        FitOutcome outcome = new FitFolder(folder.resolve("out/fit")).outcome();
        assertThat(outcome.release().study().orElseThrow().members()).allMatch(member -> member.present() == 24);
        assertThat(outcome.release().study().orElseThrow().masked()).isFalse();
    }

    /** A process that dies by itself and is not one that was killed on purpose ends the study, and does not leave the others waiting. */
    @Test
    void aPartyThatDiesEndsTheSimulation() throws Exception {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "processes are told apart as Linux does");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<FederationAnswer> study =
                    thread.submit(() -> simulate(Map.of("rounds", "40"), OptionalInt.of(1), 0));
            Optional<ProcessHandle> party = Optional.empty();
            while (party.isEmpty() && !study.isDone()) {
                party = ProcessHandle.current().children().filter(this::isSouth).findFirst();
            }
            party.orElseThrow().destroyForcibly();
            assertThatThrownBy(study::get)
                    .hasRootCauseInstanceOf(FitException.class)
                    .hasMessageContaining("south ended with exit code 137");
        } finally {
            thread.shutdownNow();
        }
    }

    /** As Linux says it: Java leaves long command lines out. */
    private boolean isSouth(ProcessHandle child) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(child.pid()), "cmdline"))
                    .endsWith(folder.resolve("out/south/study") + "\0");
        } catch (IOException ended) {
            return false;
        }
    }

    /** What cannot run is found before processes start, and leaves neither copies of records nor a folder that is in the way. */
    @Test
    void aStudyThatCannotRunLeavesNothing() {
        assertThatThrownBy(() -> simulate(Map.of("rounds", "many"), OptionalInt.of(1), 0))
                .isInstanceOf(FitException.class);
        assertThat(folder.resolve("out")).doesNotExist();
        assertThatThrownBy(() -> simulate(Map.of("rounds", "2"), OptionalInt.of(4), 0))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("may collude");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private FederationAnswer simulate(Map<String, String> settings, OptionalInt colluders, int kills)
            throws IOException {
        Path schema = Files.writeString(folder.resolve("schema.yaml"), StudyFixture.SCHEMA);
        StringBuilder table = new StringBuilder("age,income,late\n");
        RandomStream random = RandomStream.ofSeed(3);
        for (int row = 0; row < 600; row++) {
            table.append(18 + 72 * random.uniform())
                    .append(',')
                    .append(100 * random.uniform())
                    .append(random.uniform() < 0.4 ? ",yes\n" : ",no\n");
        }
        Path data = Files.writeString(folder.resolve("table.csv"), table.toString());
        return new FederatedModule()
                .perform(
                        new FederationRequest.Simulate(
                                data.toString(),
                                schema,
                                new FederationRequest.FittedWish(
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        settings),
                                1,
                                1e-5,
                                PARTIES,
                                new FederationRequest.Sharing(colluders, OptionalInt.of(1)),
                                folder.resolve("out"),
                                kills,
                                2,
                                OptionalInt.empty()),
                        sentence -> {});
    }
}
