package dev.tacit.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.SealedConflict;
import dev.tacit.door.session.SealedRelease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sealed comes back bit by bit, and what a crash tore was never there. */
class SealedFileTest {
    /** Among them integers that no double is. */
    private static final long[] ODD = {0, Long.MIN_VALUE, Long.MAX_VALUE, (1L << 53) + 1, -3};

    private static final SumGrid GRID = new DiscreteGaussianMechanism(1).grid(1, ODD.length);

    @TempDir
    private Path folder;

    private static SealedRelease release(long index) {
        long[] integers = ODD.clone();
        integers[4] = index;
        return new SealedRelease(index, 0.5 + index, 2.25, integers);
    }

    private Path written(int releases) {
        Path file = folder.resolve("releases");
        try (SealedFile sealed = SealedFile.open(file, "run")) {
            for (int i = 0; i < releases; i++) {
                sealed.keep(release(i));
            }
        }
        return file;
    }

    /** How many releases from the first on a file gives back; each is checked to the bit. */
    private static long whole(Path file, String run) {
        try (SealedFile sealed = SealedFile.open(file, run)) {
            long index = 0;
            while (sealed.firstFrom(index).orElse(-1) == index) {
                assertThat(sealed.read(index, GRID)).usingRecursiveComparison().isEqualTo(release(index));
                assertThat(sealed.l2Bound(index)).isEqualTo(0.5 + index);
                index++;
            }
            assertThat(sealed.firstFrom(index)).isEmpty();
            return index;
        }
    }

    @Test
    void comesBackBitByBit() {
        assertThat(whole(written(3), "run")).isEqualTo(3);
        Path large = folder.resolve("large");
        long[] many = new long[20_001];
        for (int i = 0; i < many.length; i++) {
            many[i] = i * 0x9E3779B97F4A7C15L;
        }
        try (SealedFile sealed = SealedFile.open(large, "run")) {
            sealed.keep(new SealedRelease(7, 1, 2, many));
        }
        try (SealedFile sealed = SealedFile.open(large, "run")) {
            assertThat(sealed.firstFrom(0)).hasValue(7);
            assertThat(sealed.firstFrom(8)).isEmpty();
            assertThat(sealed.read(7, GRID).integers()).isEqualTo(many);
        }
    }

    @Test
    void cutAtEveryByteTheWholeEntriesCount() throws IOException {
        byte[] bytes = Files.readAllBytes(written(3));
        Path torn = folder.resolve("torn");
        for (int length = 0; length <= bytes.length; length++) {
            Files.write(torn, Arrays.copyOf(bytes, length));
            assertThat(whole(torn, "run")).as("cut at %d", length).isEqualTo(3L * length / bytes.length);
            if (length % 16 == 5) {
                long next = 3L * length / bytes.length;
                try (SealedFile sealed = SealedFile.open(torn, "run")) {
                    sealed.keep(release(next));
                }
                assertThat(whole(torn, "run")).isEqualTo(next + 1);
            }
        }
    }

    @Test
    void aChangedByteEndsWhatCounts() throws IOException {
        byte[] bytes = Files.readAllBytes(written(3));
        Path changed = folder.resolve("changed");
        for (int at = 0; at < bytes.length; at++) {
            byte[] copy = bytes.clone();
            copy[at] ^= 16;
            Files.write(changed, copy);
            assertThat(whole(changed, "run")).as("byte %d", at).isEqualTo(3L * at / bytes.length);
        }
        Path file = folder.resolve("releases");
        assertThat(whole(file, "another run")).isZero();
        assertThat(whole(file, "run")).isEqualTo(3);
    }

    @Test
    void oneProcessAtATime() {
        Path file = written(1);
        try (SealedFile sealed = SealedFile.open(file, "run")) {
            assertThatThrownBy(() -> SealedFile.open(file, "run"))
                    .isInstanceOf(SealedConflict.class)
                    .hasMessageContaining("another process");
            sealed.keep(release(1));
        }
        assertThat(whole(file, "run")).isEqualTo(2);
    }

    @Test
    void aReleaseIsKeptOnceAndAFailureEndsTheKeeping() {
        Path file = written(1);
        SealedFile sealed = SealedFile.open(file, "run");
        assertThatThrownBy(() -> sealed.keep(release(0))).isInstanceOf(IllegalStateException.class);
        sealed.close();
        assertThatThrownBy(() -> sealed.keep(release(1))).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> sealed.keep(release(1))).isInstanceOf(IllegalStateException.class);
        assertThat(whole(file, "run")).isEqualTo(1);
    }

    @Test
    void whatIsDurableElsewhereIsDropped() throws IOException {
        Path file = folder.resolve("releases");
        try (SealedFile sealed = SealedFile.open(file, "run")) {
            sealed.keep(release(0));
            sealed.keep(release(1));
            sealed.dropBefore(1);
            assertThat(sealed.firstFrom(1)).hasValue(1);
            sealed.dropBefore(2);
            assertThat(Files.size(file)).isZero();
            assertThat(sealed.firstFrom(0)).isEmpty();
            sealed.keep(release(2));
        }
        try (SealedFile sealed = SealedFile.open(file, "run")) {
            assertThat(sealed.firstFrom(0)).hasValue(2);
        }
    }

    @Test
    void onlyItsOwnerMayReadIt() throws IOException {
        Path file = written(1);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }
}
