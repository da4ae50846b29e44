package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.audit.bound.GaussianNeighbours;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.testkit.accountant.AnalyticGaussian;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Sabotage;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The test of the test, on a noisy sum written here so that nothing is shared with the library.
 *
 * <p>Seeds are fixed and printed by the verdict, so results repeat; under fresh seeds a correct release would fail
 * with probability 1e-6 at most.
 */
class NeighbourTestTest {
    private static final long SEED = 7_310_442L;
    private static final double L2_BOUND = 1;

    private static final double[][] RECORDS = {{0.6, 0.8}, {-3, 0.5}, {4, 2}, {0.1, 0}};
    private static final double[][] WITHOUT_ONE = {{0.6, 0.8}, {-3, 0.5}, {0.1, 0}};

    private final UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
    private final ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(random);

    /** The probability that the correct sum fails is below 1e-6. */
    @ParameterizedTest
    @EnumSource(
            value = Sabotage.class,
            names = {"NONE", "HALF_NOISE", "NO_CLIP"})
    void tellsANoisySumFromItsSabotagedTwins(Sabotage sabotage) {
        double noiseMultiplier = 1;
        NeighbourTest<double[][]> test =
                gaussian(RECORDS, WITHOUT_ONE, noiseMultiplier).falseAlarm(1e-6);
        Verdict verdict = test.run(records -> noisySum(records, noiseMultiplier, sabotage));
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(sabotage == Sabotage.NONE);
    }

    /** A test against the whole curve of one Gaussian release. */
    private static <D> NeighbourTest<D> gaussian(D data, D neighbour, double noiseMultiplier) {
        PrivacyEvent event = new PrivacyEvent.Release(PrivacyProfile.gaussian(noiseMultiplier));
        return NeighbourTest.of(data, neighbour)
                .claimed(
                        PrivacyClaim.of(event, Neighbours.ADD_REMOVE, 1e-5),
                        GaussianNeighbours.ofNoise(noiseMultiplier))
                .samples(60_000);
    }

    private double[] noisySum(double[][] records, double noiseMultiplier, Sabotage sabotage) {
        double[] sum = new double[2];
        double noise = noiseMultiplier * sabotage.noiseBound(L2_BOUND);
        for (int j = 0; j < sum.length; j++) {
            sum[j] = noise * normal.sample();
        }
        for (double[] record : records) {
            double norm = Math.hypot(record[0], record[1]);
            double scale = Math.min(1, sabotage.clipBound(L2_BOUND) / norm);
            for (int j = 0; j < sum.length; j++) {
                sum[j] += scale * record[j];
            }
        }
        return sum;
    }

    @Test
    void noticesAClaimThatIsTenPercentTooSmall() {
        double truth = AnalyticGaussian.epsilon(1, 0.01);
        NeighbourTest<Double> test = NeighbourTest.of(1.0, 0.0).samples(1_200_000);
        Verdict honest = test.claimed(truth, 0.01).runScalar(sum -> sum + normal.sample());
        Verdict boastful = test.claimed(0.9 * truth, 0.01).runScalar(sum -> sum + normal.sample());
        assertThat(honest.holds()).as(honest.explain()).isTrue();
        assertThat(boastful.holds()).as(boastful.explain()).isFalse();
        assertThat(boastful.epsilonShown()).isBetween(0.9 * truth, truth);
    }

    @Test
    void noticesAnEventThatIsNoTail() {
        // Randomised rounding to even numbers on one data set only: means and tails agree, single values do not.
        NeighbourTest<Boolean> test = gaussian(true, false, 1);
        Verdict verdict = test.runScalar(even -> {
            long value = random.nextInt(100);
            return even && random.nextInt(4) != 0 ? value & ~1L : value;
        });
        assertThat(verdict.holds()).as(verdict.explain()).isFalse();
    }

    @Test
    void noticesOutputsThatAreNotFinite() {
        NeighbourTest<Boolean> test = gaussian(true, false, 1);
        Verdict verdict = test.run(fails ->
                new double[] {fails && random.nextInt(20) == 0 ? Double.NaN : normal.sample(), normal.sample()});
        assertThat(verdict.holds()).as(verdict.explain()).isFalse();
    }

    @Test
    void noticesADirectionInManyDimensions() {
        double[] shift = new double[40];
        Arrays.fill(shift, 1 / Math.sqrt(shift.length));
        NeighbourTest<Double> test = gaussian(1.0, 0.0, 1);
        for (double noise : new double[] {1, 0.8}) {
            Verdict verdict = test.run(length -> {
                double[] output = new double[shift.length];
                for (int j = 0; j < output.length; j++) {
                    output[j] = length * shift[j] + noise * normal.sample();
                }
                return output;
            });
            assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(noise == 1);
        }
    }

    /** What is said about power is about what repeated tests found: noise times 0.6 by 3000 outputs, times 0.7 by 6000. */
    @Test
    void aTestThatIsTooSmallDoesNotRun() {
        NeighbourTest<Double> small =
                NeighbourTest.of(1.0, 0.0).claimed(1.9, 0.1).samples(3000);
        assertThat(small.power().noiseFactor()).isBetween(0.55, 0.65);
        assertThat(small.power().leak()).isBetween(0.2, 0.3);
        assertThatThrownBy(() -> small.runScalar(sum -> sum + normal.sample()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must find 0.85 and 0.05");
        assertThat(small.samples(6000).power().noiseFactor()).isBetween(0.65, 0.72);
        assertThat(small.samples(2_000_000).power().finds(NeighbourTest.NOISE_TO_FIND, NeighbourTest.LEAK_TO_FIND))
                .isTrue();
        assertThat(small.grossBecause("this is about size")
                        .runScalar(sum -> sum + normal.sample())
                        .holds())
                .isTrue();
    }

    /** A twentieth of a hundred times as many outputs: what a whole curve shows, one point of it does not. */
    @Test
    void aWholeCurveFindsFinerDefectsThanOnePoint() {
        NeighbourTest<Double> curve = gaussian(1.0, 0.0, 1);
        NeighbourTest<Double> point = curve.claimed(AnalyticGaussian.epsilon(1, 1e-5), 1e-5);
        assertThat(curve.power().finds(NeighbourTest.NOISE_TO_FIND, NeighbourTest.LEAK_TO_FIND))
                .as(curve.power().toString())
                .isTrue();
        assertThat(point.power().noiseFactor()).isLessThan(0.6);
        Verdict less = curve.runScalar(sum -> sum + NeighbourTest.NOISE_TO_FIND * normal.sample());
        assertThat(less.holds()).as(less.explain()).isFalse();
        Verdict leak = curve.runScalar(
                sum -> random.nextDouble() < NeighbourTest.LEAK_TO_FIND && sum > 0 ? 30 : sum + normal.sample());
        assertThat(leak.holds()).as(leak.explain()).isFalse();
    }

    @Test
    void acceptsEqualReleases() {
        NeighbourTest<Double> test = NeighbourTest.of(0.0, 0.0).claimed(0, 0);
        Verdict verdict = test.runScalar(sum -> sum + normal.sample());
        assertThat(verdict.holds()).as(verdict.explain()).isTrue();
    }

    @Test
    void boundsOfACountAreExact() {
        // Clopper, Pearson 1934: the bounds of 0 and of n in closed form, and one from R's binom.test(7, 50, conf.level
        // = 0.95).
        assertThat(new BinomialCount(0, 100).upperBound(0.025)).isCloseTo(1 - Math.pow(0.025, 0.01), within(1e-9));
        assertThat(new BinomialCount(100, 100).lowerBound(0.025)).isCloseTo(Math.pow(0.025, 0.01), within(1e-9));
        assertThat(new BinomialCount(7, 50).lowerBound(0.025)).isCloseTo(0.0581917, within(1e-6));
        assertThat(new BinomialCount(7, 50).upperBound(0.025)).isCloseTo(0.2673960, within(1e-6));
    }
}
