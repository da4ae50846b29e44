package dev.tacit.federated.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that cannot be read now, for which a folder of its name stands, holds no other back, and comes when it can be. */
class UnreadableFileTest {
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    Path folder;

    private final StudyTerms terms = StudyPlan.of(StudyFixture.study(5, 1, 1)).terms();

    private Envelope keys(int party) {
        return Envelope.signed(
                StudyFixture.identity(party + 1),
                terms.binding(),
                0,
                MessageKind.KEYS,
                party,
                Envelope.noContext(),
                new byte[10]);
    }

    private Envelope ofTheCoordinator(MessageKind kind) {
        return Envelope.signed(
                StudyFixture.identity(99),
                terms.binding(),
                0,
                kind,
                Envelope.COORDINATOR,
                Envelope.noContext(),
                new byte[10]);
    }

    private PostOffice office() {
        return FolderMailbox.postOffice(folder, terms.binding(), MOST_BYTES);
    }

    private Mailbox box(String party) throws MailboxUnavailable {
        return FolderMailbox.of(folder, terms.binding(), party, MOST_BYTES);
    }

    /** Puts a folder in the place of a file. */
    private static byte[] spoil(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        Files.delete(file);
        Files.createDirectory(file);
        return bytes;
    }

    private static void mend(Path file, byte[] bytes) throws IOException {
        Files.delete(file);
        Files.write(file, bytes);
    }

    private static Path only(Path folder, String part) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found =
                    files.filter(file -> file.toString().contains(part)).toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    @Test
    void theCoordinatorGetsWhatIsBeforeAndBehindIt() throws Exception {
        for (int party = 0; party < 4; party++) {
            box("party-" + party).put(keys(party));
        }
        Path file = only(folder.resolve("to-coordinator"), "-keys-2-");
        byte[] bytes = spoil(file);
        try (PostOffice office = office()) {
            assertThat(office.collect(Duration.ZERO))
                    .containsExactly(keys(0).toBytes(), keys(1).toBytes(), keys(3).toBytes());
            assertThat(office.collect(Duration.ZERO)).isEmpty();
            mend(file, bytes);
            assertThat(office.collect(Duration.ZERO)).containsExactly(keys(2).toBytes());
            assertThat(office.collect(Duration.ZERO)).isEmpty();
        }
    }

    @Test
    void aPartyGetsTheRestOfItsRound() throws Exception {
        Envelope ask = ofTheCoordinator(MessageKind.ASK);
        Envelope survivors = ofTheCoordinator(MessageKind.SURVIVORS);
        try (PostOffice office = office()) {
            office.post("party-0", ask);
            office.post("party-0", survivors);
        }
        Path file = only(folder.resolve("to-party-0"), "-survivors-");
        byte[] bytes = spoil(file);
        Mailbox box = box("party-0");
        assertThat(box.next(Duration.ZERO)).containsExactly(ask.toBytes());
        assertThat(box.next(Duration.ZERO)).isEmpty();
        mend(file, bytes);
        assertThat(box.next(Duration.ZERO)).containsExactly(ask.toBytes(), survivors.toBytes());
        assertThat(box.next(Duration.ZERO)).isEmpty();
    }

    @Test
    void aFolderThatCannotBeListedIsSaidToBeAway() throws Exception {
        Mailbox box = box("party-0");
        Files.delete(folder.resolve("to-party-0"));
        assertThatThrownBy(() -> box.next(Duration.ZERO))
                .isInstanceOf(MailboxUnavailable.class)
                .hasMessageContaining("cannot be read");
    }
}
