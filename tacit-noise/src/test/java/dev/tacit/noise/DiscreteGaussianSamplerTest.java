package dev.tacit.noise;

import static dev.tacit.noise.Statistics.LEVEL;
import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.chiSquarePValue;
import static dev.tacit.noise.Statistics.normalCdf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A correct sampler fails one check with probability 5e-9, all of them together below 1e-6. */
class DiscreteGaussianSamplerTest {
    private static final int REACH = 12;

    /** The exact probabilities of −12σ … 12σ. */
    private static double[] probabilities(double standardDeviation) {
        int last = (int) Math.ceil(REACH * standardDeviation);
        double[] probabilities = new double[2 * last + 1];
        for (int k = -last; k <= last; k++) {
            probabilities[k + last] = Math.exp(-0.5 * (k / standardDeviation) * (k / standardDeviation));
        }
        double total = Arrays.stream(probabilities).sum();
        return Arrays.stream(probabilities).map(density -> density / total).toArray();
    }

    private static double pValue(double standardDeviation, int samples, LongSupplier sampler) {
        double[] probabilities = probabilities(standardDeviation);
        long[] counts = new long[probabilities.length];
        int last = counts.length / 2;
        for (int i = 0; i < samples; i++) {
            counts[Math.toIntExact(sampler.getAsLong() + last)]++;
        }
        return chiSquarePValue(counts, probabilities, samples);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.3, 0.5, 1, 2.5, 17.3, 31.99, 32, 63.9, 64, 1000, 12345.678})
    void hasTheExactLaw(double standardDeviation) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        assertThat(pValue(standardDeviation, 2_000_000, () -> sampler.next(noise)))
                .as(because("law of standard deviation " + standardDeviation, seed))
                .isGreaterThan(LEVEL);
    }

    /**
     * Buckets between normal quantiles: the mass of k ≤ m is Φ((m + 1/2)/σ) up to 1/(24σ²), by the midpoint rule. And
     * the low bits, which choose within a column, are uniform.
     */
    @ParameterizedTest
    @ValueSource(doubles = {1048576.37, 1e9, 0x1p40, 0x1.8p45, 0x1p50})
    void hasTheExactLawInBucketsWhenItIsWide(double standardDeviation) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        int samples = 2_000_000;
        int buckets = 400;
        long[] counts = new long[buckets];
        long[] lowBits = new long[256];
        long[] above32thParts = new long[64];
        for (int i = 0; i < samples; i++) {
            long sample = sampler.next(noise);
            double place = sample / standardDeviation;
            counts[(int) Math.min(buckets - 1, Math.max(0, Math.floor(place * 50 + buckets / 2.0)))]++;
            lowBits[(int) sample & 255]++;
            above32thParts[(int) Math.floor(place * 2048) & 63]++;
        }
        double[] probabilities = new double[buckets];
        double[] edges = new double[buckets + 1];
        for (int bucket = 1; bucket < buckets; bucket++) {
            double firstInside = Math.ceil((bucket - buckets / 2) / 50.0 * standardDeviation);
            edges[bucket] = normalCdf((firstInside - 0.5) / standardDeviation);
        }
        edges[buckets] = 1;
        for (int bucket = 0; bucket < buckets; bucket++) {
            probabilities[bucket] = edges[bucket + 1] - edges[bucket];
        }
        assertThat(chiSquarePValue(counts, probabilities, samples))
                .as(because("buckets", seed))
                .isGreaterThan(LEVEL);
        double[] uniform = new double[256];
        Arrays.fill(uniform, 1.0 / 256);
        assertThat(chiSquarePValue(lowBits, uniform, samples))
                .as(because("low bits", seed))
                .isGreaterThan(LEVEL);
        double[] parts = new double[64];
        Arrays.fill(parts, 1.0 / 64);
        assertThat(chiSquarePValue(above32thParts, parts, samples))
                .as(because("place within columns", seed))
                .isGreaterThan(LEVEL);
    }

    /**
     * With 16 bits of height, a tail from 2σ on and floating point trusted to 1/16 only, most samples are decided by
     * exact arithmetic or come from the tail. The law must not notice.
     */
    @ParameterizedTest
    @CsvSource({
        "0.3, 16, 0.0625",
        "1, 16, 0.0625",
        "2.5, 14, 0.25",
        "17.3, 16, 0.0625",
        "70.3, 18, 0.01",
        "1000, 20, 0.0625"
    })
    void hasTheSameLawWhenTheRareBranchesAreFrequent(double standardDeviation, int heightBits, double error) {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        DiscreteGaussianSampler crippled = new DiscreteGaussianSampler(standardDeviation, heightBits, 2, error);
        assertThat(pValue(standardDeviation, 150_000, () -> crippled.next(noise)))
                .as(because("law of the exact branches", seed))
                .isGreaterThan(LEVEL);
    }

    /** The check itself: a standard deviation that is off by one part in a hundred does not pass. */
    @Test
    void theCheckSeesOnePercent() {
        ReplayNoise noise = ReplayNoise.ofSeed(Statistics.seed());
        DiscreteGaussianSampler other = DiscreteGaussianSampler.of(1.01 * 17.3);
        assertThat(pValue(17.3, 2_000_000, () -> other.next(noise))).isLessThan(LEVEL);
    }

    /**
     * The two inequalities that the proof needs, S ρ(first) ≤ weight and safe height ≤ S ρ(last), in exact arithmetic
     * for all columns.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0x1p-20, 0.3, 1, 17.3, 63.9, 64, 1000, 1048576.37, 0x1.fffffp30, 0x1p50})
    void theTablesAreOnTheSafeSide(double standardDeviation) {
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        BigDecimal twiceVariance = new BigDecimal(standardDeviation).pow(2).multiply(BigDecimal.valueOf(2));
        int digits = Math.max(0, twiceVariance.scale());
        BigInteger denominator = twiceVariance.movePointRight(digits).toBigIntegerExact();
        BigInteger scale = BigInteger.valueOf(sampler.scale);
        for (int column = 0; column <= sampler.tail; column++) {
            long first = (long) column << sampler.widthLog;
            long last = first + (1L << sampler.widthLog) - 1;
            BigInteger weight = BigInteger.valueOf(sampler.starts[column + 1] - sampler.starts[column]);
            Enclosure highest = exponential(first, digits, denominator).scaledBy(scale, column == sampler.tail ? 6 : 0);
            Enclosure lowest = exponential(last, digits, denominator).scaledBy(scale, 0);
            assertThat(weight.shiftLeft(200)).isGreaterThanOrEqualTo(highest.high());
            assertThat(BigInteger.valueOf(sampler.safeHeights[column]).shiftLeft(200))
                    .isLessThanOrEqualTo(lowest.low());
        }
        assertThat(sampler.starts[sampler.tail + 1]).isLessThanOrEqualTo(1L << 62);
        assertThat(sampler.starts[sampler.tail + 1])
                .as("few proposals are wasted")
                .isGreaterThan(0xFFL << 54);
        assertThat((double) ((long) sampler.tail << sampler.widthLog)).isGreaterThanOrEqualTo(2 * standardDeviation);
        assertThat((double) (32L << sampler.widthLog)).isGreaterThanOrEqualTo(standardDeviation / 2);
    }

    private static Enclosure exponential(long number, int digits, BigInteger denominator) {
        return Enclosure.expOfMinus(
                BigInteger.valueOf(number).pow(2).multiply(BigInteger.TEN.pow(digits)), denominator, 200);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 2.5, 17.3})
    void theOracleHasTheSameLaw(double standardDeviation) {
        long seed = Statistics.seed();
        ReferenceDiscreteGaussian oracle = new ReferenceDiscreteGaussian(standardDeviation, ReplayNoise.ofSeed(seed));
        assertThat(pValue(standardDeviation, 50_000, oracle::next))
                .as(because("oracle", seed))
                .isGreaterThan(LEVEL);
    }

    /**
     * The oracle and the sampler side by side where the probabilities are not computed at all: chi-square of two
     * samples.
     */
    @Test
    void agreesWithTheOracle() {
        long seed = Statistics.seed();
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        double standardDeviation = 987654.321;
        ReferenceDiscreteGaussian oracle = new ReferenceDiscreteGaussian(standardDeviation, noise.fork(1));
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        int samples = 50_000;
        long[] ours = new long[64];
        long[] theirs = new long[64];
        for (int i = 0; i < samples; i++) {
            ours[bucket(sampler.next(noise) / standardDeviation)]++;
            theirs[bucket(oracle.next() / standardDeviation)]++;
        }
        double statistic = 0;
        int cells = 0;
        for (int cell = 0; cell < 64; cell++) {
            if (ours[cell] + theirs[cell] >= 100) {
                statistic += Math.pow((double) ours[cell] - theirs[cell], 2) / (ours[cell] + theirs[cell]);
                cells++;
            }
        }
        assertThat(Statistics.chiSquareTail(statistic, cells))
                .as(because("two samples", seed))
                .isGreaterThan(LEVEL);
    }

    private static int bucket(double place) {
        return (int) Math.min(63, Math.max(0, Math.floor(place * 10 + 32)));
    }

    /** Stored simulations must stay repeatable. */
    @Test
    void keepsItsValuesFromVersionToVersion() {
        long[] small = new long[8];
        DiscreteGaussianSampler.of(3.5).fill(small, ReplayNoise.ofSeed(1));
        long[] large = new long[4];
        DiscreteGaussianSampler.of(0x1p30).addTo(large, ReplayNoise.ofSeed(1));
        assertThat(small).containsExactly(SMALL);
        assertThat(large).containsExactly(LARGE);
    }

    private static final long[] SMALL = {-3, -5, -2, 1, 3, -1, -2, 3};
    private static final long[] LARGE = {-1034325545, -582951293, 1050473732, -693863312};

    @Test
    void isAlmostAlwaysZeroWhenItIsNarrow() {
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(0x1p-20);
        ReplayNoise noise = ReplayNoise.ofSeed(Statistics.seed());
        int notZero = 0;
        for (int i = 0; i < 100_000; i++) {
            notZero += sampler.next(noise) == 0 ? 0 : 1;
        }
        assertThat(notZero).isZero();
    }

    @Test
    void refusesWhatItCannotSampleExactly() {
        for (double bad : new double[] {0, -1, Double.NaN, 0x1p-21, 0x1p51, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> DiscreteGaussianSampler.of(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
