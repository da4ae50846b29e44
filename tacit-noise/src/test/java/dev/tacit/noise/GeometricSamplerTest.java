package dev.tacit.noise;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquarePValue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.noise.RandomBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct sampler fails one check with probability 5e-9, all of them together below 1e-6. */
class GeometricSamplerTest {
    private static final int CELLS = 60;

    /** Cells of about equal mass (or single numbers), the last one open. */
    private static double pValue(double rate, GeometricSampler sampler, int samples, NoiseSource noise) {
        long[] lastInCell = new long[CELLS - 1];
        double[] probabilities = new double[CELLS];
        double before = 0;
        long last = -1;
        for (int cell = 0; cell < CELLS - 1; cell++) {
            last = Math.max(last + 1, (long) (Math.log1p(-(cell + 1.0) / CELLS) / Math.log1p(-rate)) - 1);
            lastInCell[cell] = last;
            double upTo = -Math.expm1((last + 1) * Math.log1p(-rate));
            probabilities[cell] = upTo - before;
            before = upTo;
        }
        probabilities[CELLS - 1] = 1 - before;
        long[] counts = new long[CELLS];
        for (int i = 0; i < samples; i++) {
            long gap = sampler.next(Long.MAX_VALUE, noise);
            int place = Arrays.binarySearch(lastInCell, gap);
            counts[place >= 0 ? place : -place - 1]++;
        }
        return chiSquarePValue(counts, probabilities, samples);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.999, 0.7, 0.5, 0.3, 0.1, 0.01, 1e-3, 1e-6})
    void hasTheExactLaw(double rate) {
        long seed = Statistics.seed();
        assertThat(pValue(rate, new GeometricSampler(rate), 400_000, ReplayNoise.ofSeed(seed)))
                .as(because("gaps of rate " + rate, seed))
                .isGreaterThan(LEVEL);
    }

    /** A prefix of a few bits leaves most decisions to exact arithmetic; so do rates near the precision of a double. */
    @ParameterizedTest
    @CsvSource({
        "0.5, 2, 20000",
        "0.3, 4, 20000",
        "0.01, 6, 10000",
        "1e-6, 8, 10000",
        "1e-13, 53, 20000",
        "1e-18, 53, 4000"
    })
    void hasTheSameLawWhenExactArithmeticDecides(double rate, int prefixBits, int samples) {
        long seed = Statistics.seed();
        assertThat(pValue(rate, new GeometricSampler(rate, prefixBits), samples, ReplayNoise.ofSeed(seed)))
                .as(because("exact gaps of rate " + rate, seed))
                .isGreaterThan(LEVEL);
    }

    /**
     * Every answer is right for all of the interval that its 53 bits leave: U &lt; (1 − rate)^G and U ≥ (1 − rate)^(G +
     * 1), in exact arithmetic.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.3, 0.01, 1e-6})
    void answersAreCertain(double rate) {
        GeometricSampler sampler = new GeometricSampler(rate);
        ReplayNoise noise = ReplayNoise.ofSeed(8);
        ReplayNoise same = ReplayNoise.ofSeed(8);
        BigDecimal complement = BigDecimal.ONE.subtract(new BigDecimal(rate));
        int bits = 300;
        Enclosure base = Enclosure.ofDyadic(
                complement
                        .multiply(new BigDecimal(BigInteger.ONE.shiftLeft(100)))
                        .toBigIntegerExact(),
                100,
                bits);
        for (int i = 0; i < 3000; i++) {
            BigInteger prefix = BigInteger.valueOf(same.nextLong() >>> 11);
            long gap = sampler.next(Long.MAX_VALUE, noise);
            assertThat(Enclosure.power(base, gap).low())
                    .isGreaterThanOrEqualTo(prefix.add(BigInteger.ONE).shiftLeft(bits - 53));
            assertThat(Enclosure.power(base, gap + 1).high()).isLessThanOrEqualTo(prefix.shiftLeft(bits - 53));
        }
    }

    @Test
    void stopsAtTheLimit() {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        for (int prefixBits : new int[] {3, 53}) {
            GeometricSampler sampler = new GeometricSampler(0.2, prefixBits);
            long[] counts = new long[6];
            double[] probabilities = new double[6];
            for (int k = 0; k < 5; k++) {
                probabilities[k] = 0.2 * Math.pow(0.8, k);
            }
            probabilities[5] = Math.pow(0.8, 5);
            int samples = 100_000;
            for (int i = 0; i < samples; i++) {
                counts[(int) sampler.next(5, noise)]++;
            }
            assertThat(chiSquarePValue(counts, probabilities, samples))
                    .as(because("limit", seed))
                    .isGreaterThan(LEVEL);
        }
        assertThat(new GeometricSampler(0.5).next(0, noise)).isZero();
    }

    @Test
    void knowsTheEdges() {
        ReplayNoise noise = ReplayNoise.ofSeed(1);
        GeometricSampler rare = new GeometricSampler(RandomBits.SMALLEST_RATE);
        GeometricSampler certain = new GeometricSampler(1);
        for (int i = 0; i < 1000; i++) {
            assertThat(rare.next(1L << 40, noise)).isEqualTo(1L << 40);
            assertThat(certain.next(10, noise)).isZero();
        }
        for (double bad : new double[] {0, -0.1, 1.1, Double.NaN, 0x1p-101}) {
            assertThatThrownBy(() -> new GeometricSampler(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
