package dev.tacit.noise;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class LazyRealTest {
    /**
     * The prefix is that of the threshold e^−1 itself, so only further bits can tell; the answer is compared with the
     * first 192 bits of the number, which are read from a copy of the noise.
     */
    @Test
    void comparesTheInfinitelyPreciseNumber() {
        BigInteger threshold =
                Enclosure.expOfMinus(BigInteger.ONE, BigInteger.ONE, 300).low();
        int below = 0;
        for (int prefixBits = 1; prefixBits <= 62; prefixBits++) {
            long prefix = threshold.shiftRight(300 - prefixBits).longValueExact();
            for (long seed = 0; seed < 100; seed++) {
                LazyReal number = new LazyReal(prefix, prefixBits, ReplayNoise.ofSeed(seed));
                boolean answer = number.isBelow(bits -> Enclosure.expOfMinus(BigInteger.ONE, BigInteger.ONE, bits));
                ReplayNoise copy = ReplayNoise.ofSeed(seed);
                BigInteger digits = BigInteger.valueOf(prefix);
                for (int word = 0; word < 3; word++) {
                    digits = digits.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(copy.nextLong())));
                }
                assertThat(answer).isEqualTo(digits.compareTo(threshold.shiftRight(300 - prefixBits - 192)) < 0);
                below += answer ? 1 : 0;
            }
        }
        assertThat(below).isBetween(1000, 5200);
    }

    /** A second comparison uses the bits that the first one revealed. */
    @Test
    void isOneNumber() {
        for (long seed = 0; seed < 300; seed++) {
            LazyReal number = new LazyReal(0, 0, ReplayNoise.ofSeed(seed));
            boolean belowThird = number.isBelow(bits -> third(bits));
            boolean belowHalf = number.isBelow(bits -> Enclosure.ofDyadic(BigInteger.ONE, 1, bits));
            assertThat(number.isBelow(bits -> third(bits))).isEqualTo(belowThird);
            assertThat(!belowThird || belowHalf).isTrue();
        }
    }

    private static Enclosure third(int bits) {
        BigInteger low = BigInteger.ONE.shiftLeft(bits).divide(BigInteger.valueOf(3));
        return new Enclosure(low, low.add(BigInteger.ONE), bits);
    }
}
