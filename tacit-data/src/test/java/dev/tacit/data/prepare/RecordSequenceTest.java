package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.source.SketchKey;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Records in their order, digested whole and in parts. */
class RecordSequenceTest {
    private static final SketchKey KEY = new SketchKey(new byte[SketchKey.BYTES]);
    private static final BigInteger PRIME = BigInteger.ONE.shiftLeft(61).subtract(BigInteger.ONE);

    private static byte[] whole(long[] marks) {
        RecordSequence sequence = new RecordSequence(KEY);
        for (int i = 0; i < marks.length; i += 2) {
            sequence.add(marks[i], marks[i + 1]);
        }
        return sequence.digest();
    }

    private static long[] marks(int count) {
        return new SplittableRandom(5).longs(2L * count).toArray();
    }

    @Test
    void partsComposeWhereverTheyAreCut() {
        long[] marks = marks(500);
        SplittableRandom random = new SplittableRandom(6);
        for (int trial = 0; trial < 50; trial++) {
            RecordSequence composed = new RecordSequence(KEY);
            for (int from = 0; from < 500; ) {
                int to = Math.min(500, from + random.nextInt(200));
                RecordSequence part = new RecordSequence(KEY);
                for (int i = from; i < to; i++) {
                    part.add(marks[2 * i], marks[2 * i + 1]);
                }
                composed.addPart(part.part());
                from = to;
            }
            assertThat(composed.digest()).isEqualTo(whole(marks));
        }
    }

    @Test
    void orderContentAndNumberMatter() {
        long[] marks = marks(50);
        byte[] digest = whole(marks);
        long[] swapped = marks.clone();
        swapped[2] = marks[4];
        swapped[4] = marks[2];
        assertThat(whole(swapped)).isNotEqualTo(digest);
        long[] changed = marks.clone();
        changed[99] ^= 1;
        assertThat(whole(changed)).isNotEqualTo(digest);
        long[] zeros = new long[102];
        System.arraycopy(marks, 0, zeros, 2, 100);
        assertThat(whole(zeros)).as("zeros in front count").isNotEqualTo(digest);
    }

    /** The polynomial itself, in exact arithmetic. */
    @Test
    void itIsThePolynomialOfItsJavadoc() {
        long[] marks = {-1, -1, 0, 0, 7, Long.MIN_VALUE, 0x1fffffffffffffffL, 1};
        BigInteger point = BigInteger.valueOf(ByteBuffer.wrap(
                                        KEY.mac().doFinal("tacit record sequence".getBytes(StandardCharsets.US_ASCII)))
                                .getLong()
                        >>> 3)
                .mod(PRIME);
        BigInteger value = BigInteger.ZERO;
        RecordSequence sequence = new RecordSequence(KEY);
        for (int i = 0; i < marks.length; i += 2) {
            sequence.add(marks[i], marks[i + 1]);
            for (long word :
                    new long[] {marks[i] >>> 32, marks[i] & 0xffffffffL, marks[i + 1] >>> 32, marks[i + 1] & 0xffffffffL
                    }) {
                value = value.multiply(point).add(BigInteger.valueOf(word)).mod(PRIME);
            }
        }
        assertThat(sequence.part()[0]).isEqualTo(value.longValueExact());
    }
}
