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

    /** A byte that changed in the middle, of an entry or of its chain, costs no entry behind it. */
    @Test
    void whatComesBehindADamagedEntryIsNotWrittenOver() throws IOException {
        Path file = folder.resolve("log");
        try (EnvelopeLog log = EnvelopeLog.open(file)) {
            log.append(List.of(entry(1, 5)));
            log.append(List.of(entry(2, 6)));
            log.append(List.of(entry(3, 7)));
        }
        byte[] whole = Files.readAllBytes(file);
        int first = 4 + 5 + 32;
        for (int at : new int[] {4, 4 + 5, first + 4, first + 4 + 6 + 31}) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            Files.write(file, changed);
            assertThatThrownBy(() -> EnvelopeLog.open(file))
                    .isInstanceOf(LogDamaged.class)
                    .hasMessageContaining("damaged after message " + (at < first ? 0 : 1));
            assertThat(Files.readAllBytes(file)).isEqualTo(changed);
            assertThat(EnvelopeLog.read(file).bytesBehind()).isPositive();
        }
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
