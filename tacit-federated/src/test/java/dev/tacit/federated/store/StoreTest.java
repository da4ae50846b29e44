package dev.tacit.federated.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is there after a crash, whole or not at all. */
class StoreTest {
    @TempDir
    Path folder;

    private static byte[] entry(int fill, int length) {
        byte[] entry = new byte[length];
        Arrays.fill(entry, (byte) fill);
        return entry;
    }

    @Test
    void aLogIsReadBackAndChained() throws IOException {
        Path file = folder.resolve("log");
        byte[] head;
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(entry(1, 10), entry(2, 100_000)));
            log.append(List.of(entry(3, 0)));
            head = log.head();
            assertThatThrownBy(() -> EnvelopeLog.open(file)).hasMessageContaining("another process writes");
        }
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            assertThat(log.entries()).containsExactly(entry(1, 10), entry(2, 100_000), entry(3, 0));
            assertThat(log.head()).isEqualTo(head);
        }
        assertThat(EnvelopeLog.read(file).entries()).hasSize(3);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /** Cut off after every byte, a log has the entries that were whole, and goes on from there. */
    @Test
    void aTornEntryIsNone() throws IOException {
        Path file = folder.resolve("log");
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(entry(1, 5)));
            log.append(List.of(entry(2, 6)));
        }
        byte[] whole = Files.readAllBytes(file);
        int first = 4 + 5 + 32;
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            try (EnvelopeLog log = EnvelopeLog.open(file)) {
                assertThat(log.entries()).hasSize(length < first ? 0 : 1);
                log.append(List.of(entry(7, 3)));
            }
            List<byte[]> entries = EnvelopeLog.read(file).entries();
            assertThat(entries.get(entries.size() - 1)).isEqualTo(entry(7, 3));
        }
        whole[first + 6] ^= 1;
        Files.write(file, whole);
        assertThat(EnvelopeLog.read(file).entries()).hasSize(1);
    }

    /** As envelopes of a study do, they begin alike. */
    private static byte[] message(int fill, int length) {
        byte[] message = entry(fill, length);
        Arrays.fill(message, 0, 33, (byte) 2);
        return message;
    }

    /** A byte that changed in the middle, of a length, an entry or a chain, costs no entry behind it. */
    @Test
    void whatComesBehindADamagedEntryIsNotWrittenOver() throws IOException {
        Path file = folder.resolve("log");
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(message(1, 40)));
            log.append(List.of(message(2, 50)));
            log.append(List.of(message(3, 60)));
            log.append(List.of(message(4, 70)));
        }
        byte[] whole = Files.readAllBytes(file);
        int two = 2 * (4 + 32) + 40 + 50;
        for (int at = 0; at < two; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            int before = at < 4 + 40 + 32 ? 0 : 1;
            assertThatThrownBy(() -> EnvelopeLog.open(file))
                    .as("byte %d", at)
                    .isInstanceOf(LogDamaged.class)
                    .hasMessageContaining("damaged after message " + before);
            assertThat(Files.readAllBytes(file)).isEqualTo(changed);
            assertThat(EnvelopeLog.read(file).damaged()).isTrue();
        }
    }

    /** When power is lost, pages of one append may be there without those before; nobody acted on them. */
    @Test
    void anAppendOfWhichOnlyTheEndIsThereIsTorn() throws IOException {
        Path file = folder.resolve("log");
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(message(1, 40)));
            log.append(List.of(message(2, 50), message(3, 60), message(4, 70)));
        }
        byte[] whole = Files.readAllBytes(file);
        assertThat(EnvelopeLog.read(file).entries()).hasSize(4);
        int first = 4 + 40 + 32;
        for (int hole = first; hole < first + 4 + 50 + 32 + 4 + 60 + 32; hole++) {
            byte[] torn = whole.clone();
            Arrays.fill(torn, hole, Math.min(torn.length, hole + 16), (byte) 0);
            Files.write(file, torn);
            assertThat(EnvelopeLog.read(file).damaged()).as("hole at %d", hole).isFalse();
        }
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(message(5, 40)));
        }
        List<byte[]> entries = EnvelopeLog.read(file).entries();
        assertThat(entries.get(entries.size() - 1)).isEqualTo(message(5, 40));
    }

    @Test
    void secretsAreKeptForTheirOwnerAndErased() throws IOException {
        SecretFile secrets = SecretFile.in(folder.resolve("secrets"));
        assertThat(secrets.read("keys-0")).isEmpty();
        secrets.keep("keys-0", entry(9, 40));
        secrets.keep("keys-0", entry(8, 40));
        assertThat(SecretFile.in(folder.resolve("secrets")).read("keys-0")).contains(entry(8, 40));
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("secrets").resolve("keys-0"))))
                .isEqualTo("rw-------");
        secrets.erase("keys-0");
        secrets.erase("keys-0");
        assertThat(secrets.read("keys-0")).isEmpty();
        assertThatThrownBy(() -> secrets.keep("../up", entry(1, 1))).hasMessageContaining("small letters");
    }

    /** What a killed process was writing is gone when the folder is opened again. */
    @Test
    void draftsOfSecretsAreErased() throws IOException {
        SecretFile.in(folder.resolve("secrets")).keep("keys-0", entry(8, 40));
        Path draft = Files.write(folder.resolve("secrets").resolve(".keys-1.77.tmp"), entry(9, 40));
        SecretFile again = SecretFile.in(folder.resolve("secrets"));
        assertThat(draft).doesNotExist();
        assertThat(again.read("keys-0")).contains(entry(8, 40));
    }
}
