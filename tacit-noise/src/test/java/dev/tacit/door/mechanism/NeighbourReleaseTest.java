package dev.tacit.door.mechanism;

import static dev.tacit.noise.Statistics.because;
import static dev.tacit.noise.Statistics.normalCdf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.Statistics;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Releases on neighbouring data keep the (epsilon, delta) of their profile, and broken releases do not.
 *
 * <p>Events are half-lines of the projection on the victim's direction, the worst case of the Gaussian mechanism: at
 * the right threshold P(E|D) = e^ε P(E|D') + δ, so there is no slack in the claim. Probabilities are bounded by
 * Clopper-Pearson limits; a correct release fails with probability below 1e-6 in all, a broken one passes with less.
 */
class NeighbourReleaseTest {
    private static final int RELEASES = 150_000;
    private static final double[] THRESHOLDS = {0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5};
    private static final double FALSE_ALARM = 5e-9;

    /** The victim comes first; her contribution has norm 5. */
    private static final double[][] RECORDS = {{3, 4}, {0.1, 0.2}, {-0.3, 0.4}, {1, -1}, {0, 0}, {0.5, 0.5}};

    private static final double L2_BOUND = 1;

    enum Sabotage {
        NONE,
        HALF_THE_NOISE,
        NO_CLIP,
        WRONG_SAMPLING_RATE,
        NOISE_REUSED
    }

    private record Release(SamplingScheme sampling, NoiseMechanism mechanism, boolean clipped) {
        /** The noisy sum of signed contributions, projected on the direction of the victim. */
        double projection(int firstRecord, double sign, NoiseSource noise) {
            SumGrid grid = mechanism.grid(L2_BOUND, 2);
            SumGrid open = new SumGrid(grid.granularity(), 100, 2);
            UnitSum.Owner owner = new UnitSum.Owner(clipped ? grid : open);
            UnitSum sum = owner.units();
            long[] chunk = new long[2];
            BatchIndices batch = sampling.draw(RECORDS.length - firstRecord, noise);
            for (int count = batch.next(chunk); count > 0; count = batch.next(chunk)) {
                for (int i = 0; i < count; i++) {
                    double[] record = RECORDS[(int) chunk[i] + firstRecord];
                    double norm = Math.hypot(record[0], record[1]);
                    double weight = sign * (clipped ? Math.min(1, L2_BOUND / norm) : 1) / grid.granularity();
                    owner.open(1);
                    sum.begin(0, new double[] {record[0] * weight, record[1] * weight});
                    sum.run(0, 2);
                    sum.end();
                }
            }
            mechanism.addNoise(owner.sums(), L2_BOUND, noise);
            double[] noisy = grid.numbers(owner.sums());
            return 0.6 * noisy[0] + 0.8 * noisy[1];
        }
    }

    /** What the other records add to the projection; thresholds are counted from there. */
    private static double others(double fraction) {
        double sum = 0;
        for (int i = 1; i < RECORDS.length; i++) {
            double norm = Math.max(1, Math.hypot(RECORDS[i][0], RECORDS[i][1]));
            sum += (0.6 * RECORDS[i][0] + 0.8 * RECORDS[i][1]) / norm;
        }
        return fraction * sum;
    }

    /** Whether no threshold contradicts P(E|D) ≤ e^ε P(E|D') + δ. */
    private static boolean holds(
            int releases,
            double epsilon,
            double delta,
            double offset,
            long seed,
            ToDoubleFunction<NoiseSource> with,
            ToDoubleFunction<NoiseSource> without) {
        NoiseSource noise = ReplayNoise.ofSeed(seed);
        long[] here = new long[THRESHOLDS.length];
        long[] there = new long[THRESHOLDS.length];
        for (int i = 0; i < releases; i++) {
            double present = with.applyAsDouble(noise) - offset;
            double absent = without.applyAsDouble(noise) - offset;
            for (int j = 0; j < THRESHOLDS.length; j++) {
                here[j] += present > THRESHOLDS[j] ? 1 : 0;
                there[j] += absent > THRESHOLDS[j] ? 1 : 0;
            }
        }
        double error = FALSE_ALARM / THRESHOLDS.length / 2;
        for (int j = 0; j < THRESHOLDS.length; j++) {
            double atLeast = Statistics.rateAtLeast(here[j], releases, error);
            double atMost = Statistics.rateAtMost(there[j], releases, error);
            if (atLeast > Math.exp(epsilon) * atMost + delta) {
                return false;
            }
        }
        return true;
    }

    private static double gaussianDelta(double epsilon, double mu) {
        return normalCdf(mu / 2 - epsilon / mu) - Math.exp(epsilon) * normalCdf(-mu / 2 - epsilon / mu);
    }

    /** Every record, noise multiplier 1, ε = 1, where δ = 0.127 at threshold 1.5. */
    @ParameterizedTest
    @EnumSource(
            value = Sabotage.class,
            names = {"NONE", "HALF_THE_NOISE", "NO_CLIP"})
    void aReleaseKeepsItsGuarantee(Sabotage sabotage) {
        long seed = Statistics.seed();
        double used = sabotage == Sabotage.HALF_THE_NOISE ? 0.5 : 1;
        Release release =
                new Release(new FullPass(), new DiscreteGaussianMechanism(used), sabotage != Sabotage.NO_CLIP);
        double claimed =
                new DiscreteGaussianMechanism(1).profile(2).parameters().get("noiseMultiplier");
        boolean holds = holds(
                RELEASES,
                1,
                gaussianDelta(1, 1 / claimed),
                others(1),
                seed,
                noise -> release.projection(0, 1, noise),
                noise -> release.projection(1, 1, noise));
        assertThat(holds).as(because(sabotage.name(), seed)).isEqualTo(sabotage == Sabotage.NONE);
    }

    /**
     * Poisson sampling at rate 0.1, noise multiplier 0.5, ε = 0.3: δ = (1 − q − e^ε) Φ(−x/σ) + q Φ((1 − x)/σ) at
     * x = σ² log(1 + (e^ε − 1)/q) + 1/2 = 0.876. The other records are sampled too, which blurs both sides alike.
     */
    @ParameterizedTest
    @EnumSource(
            value = Sabotage.class,
            names = {"NONE", "HALF_THE_NOISE", "NO_CLIP", "WRONG_SAMPLING_RATE"})
    void aSampledReleaseKeepsItsGuarantee(Sabotage sabotage) {
        long seed = Statistics.seed();
        double rate = 0.1;
        double multiplier = 0.5;
        double epsilon = 0.3;
        double used = sabotage == Sabotage.HALF_THE_NOISE ? multiplier / 2 : multiplier;
        double drawn = sabotage == Sabotage.WRONG_SAMPLING_RATE ? 3 * rate : rate;
        Release release = new Release(
                new PoissonSampling(drawn), new DiscreteGaussianMechanism(used), sabotage != Sabotage.NO_CLIP);
        double x = multiplier * multiplier * Math.log1p(Math.expm1(epsilon) / rate) + 0.5;
        double delta =
                (1 - rate - Math.exp(epsilon)) * normalCdf(-x / multiplier) + rate * normalCdf((1 - x) / multiplier);
        boolean holds = holds(
                RELEASES,
                epsilon,
                delta,
                0,
                seed,
                noise -> release.projection(0, 1, noise),
                noise -> release.projection(1, 1, noise));
        assertThat(holds).as(because(sabotage.name(), seed)).isEqualTo(sabotage == Sabotage.NONE);
    }

    /**
     * Two releases, of the sum and of its negative: half their difference has the shift 1 and the noise 1/√2, if the
     * noise is fresh.
     */
    @ParameterizedTest
    @EnumSource(
            value = Sabotage.class,
            names = {"NONE", "NOISE_REUSED"})
    void twoReleasesKeepTheirGuarantee(Sabotage sabotage) {
        long seed = Statistics.seed();
        Release release = new Release(new FullPass(), new DiscreteGaussianMechanism(1.5), true);
        boolean holds = holds(
                RELEASES / 5,
                1,
                gaussianDelta(1, Math.sqrt(2) / 1.5),
                others(1),
                seed,
                noise -> halfDifference(release, 0, noise, sabotage),
                noise -> halfDifference(release, 1, noise, sabotage));
        assertThat(holds).as(because(sabotage.name(), seed)).isEqualTo(sabotage == Sabotage.NONE);
    }

    private static double halfDifference(Release release, int firstRecord, NoiseSource noise, Sabotage sabotage) {
        long label = noise.nextLong();
        boolean reused = sabotage == Sabotage.NOISE_REUSED;
        double positive = release.projection(firstRecord, 1, reused ? noise.fork(label) : noise);
        double negative = release.projection(firstRecord, -1, reused ? noise.fork(label) : noise);
        return (positive - negative) / 2;
    }
}
