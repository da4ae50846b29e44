package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.audit.bound.GaussianNeighbours;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.partitioned.NoiseShare;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Sabotage;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One sampled, clipped, noisy sum made of the library's own parts keeps the epsilon of its own event on neighbours,
 * and its broken twins do not.
 *
 * <p>The probability that a correct release fails is below 1e-6 for each test; the noise is replayed from a fixed
 * seed, so results repeat.
 */
class MechanismGuaranteeTest {
    private static final long SEED = 552_901L;
    private static final double RATE = 0.5;
    private static final double L2_BOUND = 1;
    private static final double NOISE_MULTIPLIER = 0.8;
    private static final int OUTPUTS = 60_000;
    private static final double DELTA = 1e-6;

    /** The others are small, because whether they are in a batch hides who else is. */
    private static final double[][] RECORDS = {{0.003, 0.001}, {3, -4}, {-0.002, 0.009}};

    private static final double[][] WITHOUT_ONE = {{0.003, 0.001}, {-0.002, 0.009}};

    private final ReplayNoise noise = ReplayNoise.ofSeed(SEED);

    @ParameterizedTest
    @EnumSource(Sabotage.class)
    void discreteGaussianKeepsItsGuarantee(Sabotage sabotage) {
        keepsItsGuarantee(DiscreteGaussianMechanism::new, sabotage);
    }

    @ParameterizedTest
    @EnumSource(Sabotage.class)
    void theOnlyShareKeepsItsGuarantee(Sabotage sabotage) {
        keepsItsGuarantee(noiseMultiplier -> new NoiseShare(noiseMultiplier, 1), sabotage);
    }

    private void keepsItsGuarantee(DoubleFunction<NoiseMechanism> family, Sabotage sabotage) {
        SamplingScheme sampling = new SamplingScheme.PoissonSampling(sabotage.samplingRate(RATE));
        NoiseMechanism mechanism = family.apply(sabotage.noiseBound(NOISE_MULTIPLIER));
        Verdict verdict = test(family).run(records -> noisySum(records, sampling, mechanism, sabotage));
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(sabotage == Sabotage.NONE);
    }

    private static NeighbourTest<double[][]> test(DoubleFunction<NoiseMechanism> family) {
        PrivacyEvent event = new SamplingScheme.PoissonSampling(RATE)
                .event(family.apply(NOISE_MULTIPLIER).profile(2));
        return NeighbourTest.of(RECORDS, WITHOUT_ONE)
                .claimed(
                        PrivacyClaim.of(event, Neighbours.ADD_REMOVE, DELTA),
                        GaussianNeighbours.ofNoise(NOISE_MULTIPLIER, RATE))
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .seed(SEED);
    }

    /** What the test says that it finds, it finds: the smallest defects that it must. */
    @Test
    void fineDefectsAreFound() {
        NeighbourTest<double[][]> test = test(DiscreteGaussianMechanism::new);
        SamplingScheme sampling = new SamplingScheme.PoissonSampling(RATE);
        NoiseMechanism honest = new DiscreteGaussianMechanism(NOISE_MULTIPLIER);
        NoiseMechanism less = new DiscreteGaussianMechanism(NeighbourTest.NOISE_TO_FIND * NOISE_MULTIPLIER);
        Verdict lessNoise = test.run(records -> noisySum(records, sampling, less, Sabotage.NONE));
        assertThat(lessNoise.holds()).as(lessNoise.explain()).isFalse();
        ReplayNoise coins = ReplayNoise.ofSeed(SEED + 1);
        Verdict leak = test.run(records -> {
            double[] sum = noisySum(records, sampling, honest, Sabotage.NONE);
            boolean leaks = coins.below(1000) < 1000 * NeighbourTest.LEAK_TO_FIND;
            return leaks && records.length == RECORDS.length ? new double[] {40, 40} : sum;
        });
        assertThat(leak.holds()).as(leak.explain()).isFalse();
    }

    private double[] noisySum(
            double[][] records, SamplingScheme sampling, NoiseMechanism mechanism, Sabotage sabotage) {
        SumGrid grid = mechanism.grid(L2_BOUND, 2);
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        long[] sums = sum.sums();
        long[] chunk = new long[records.length];
        BatchIndices batch = sampling.draw(records.length, noise);
        for (int count = batch.next(chunk); count > 0; count = batch.next(chunk)) {
            for (int i = 0; i < count; i++) {
                double[] record = records[(int) chunk[i]];
                double scale = Math.min(1, sabotage.clipBound(L2_BOUND) / Math.hypot(record[0], record[1]));
                double[] clipped = {scale * record[0], scale * record[1]};
                if (sabotage == Sabotage.NO_CLIP) {
                    // The check counts what exceeds the bound as zero, so the twin must go around it.
                    sums[0] += Math.round(clipped[0] / grid.granularity());
                    sums[1] += Math.round(clipped[1] / grid.granularity());
                } else {
                    sum.open(1);
                    sum.units()
                            .begin(0, new double[] {clipped[0] / grid.granularity(), clipped[1] / grid.granularity()});
                    sum.units().run(0, 2);
                    sum.units().end();
                }
            }
        }
        mechanism.addNoise(sums, L2_BOUND, noise);
        return grid.numbers(sums);
    }
}
