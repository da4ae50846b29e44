package dev.tacit.model.conjugate;

import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.List;

/**
 * How often a binary target is positive, from a noisy count.
 *
 * <pre>
 *   y ~ Bernoulli(p),   p ~ Beta(priorSuccesses, priorFailures),     S = Σ y,     z = S + noise
 *   S | p, z   N(N p, N p (1 − p)) times N(z, noise²), between 0 and N;     p | S ~ Beta(priorSuccesses + S, priorFailures + N − S)
 * </pre>
 *
 * Bernstein, Sheldon 2018, Section 3. Clipped: nothing, a record adds 0 or 1. N is the declared number of units. Differs
 * from the paper: the noise is Gaussian and added behind the door.
 *
 * @param priorSuccesses shape of the prior
 * @param priorFailures shape of the prior
 * @param publicSize N, the declared number of units
 */
public record NoisyBetaBernoulli(double priorSuccesses, double priorFailures, long publicSize)
        implements NoisyStatisticsModel {
    private static final int MOST_TRIES = 100;

    public NoisyBetaBernoulli {
        ConjugatePair.requirePositive(priorSuccesses, "priorSuccesses");
        ConjugatePair.requirePositive(priorFailures, "priorFailures");
        ConjugatePair.requireSize(publicSize);
    }

    @Override
    public List<String> parameterNames() {
        return List.of("probability");
    }

    @Override
    public List<Statistics> releases() {
        return List.of(new Statistics(
                "count",
                ContributionSum.of(
                        1, (block, row, contribution) -> contribution.add(0, Rows.signedLabel(block, row) > 0 ? 1 : 0)),
                1));
    }

    @Override
    public Chain chain(List<double[]> released, RandomStream random) {
        double noisy = released.get(0)[0];
        return new Chain() {
            private double count;
            private double probability = beta(priorSuccesses, priorFailures, random);

            @Override
            public void sweep(double[] noiseVariances, RandomStream stream) {
                double mean = publicSize * probability;
                double variance = mean * (1 - probability);
                count = between(mean, variance, noisy, noiseVariances[0], (double) publicSize, stream);
                probability = beta(priorSuccesses + count, priorFailures + publicSize - count, stream);
            }

            @Override
            public double[] statistics() {
                return new double[] {count};
            }

            @Override
            public double[] parameters() {
                return new double[] {probability};
            }
        };
    }

    /** A draw of N(mean, variance) times N(noisy, noiseVariance) in [0, most]; the nearest end after many refusals. */
    static double between(
            double mean, double variance, double noisy, double noiseVariance, double most, RandomStream random) {
        double gain = variance / (variance + noiseVariance);
        double centre = mean + gain * (noisy - mean);
        double deviation = Math.sqrt(gain * noiseVariance);
        for (int i = 0; i < MOST_TRIES; i++) {
            double draw = centre + deviation * random.normal();
            if (draw >= 0 && draw <= most) {
                return draw;
            }
        }
        return Math.max(0, Math.min(most, centre));
    }

    private static double beta(double a, double b, RandomStream random) {
        double x = random.gamma(a);
        double y = random.gamma(b);
        return Math.max(1e-12, Math.min(1 - 1e-12, x / (x + y)));
    }
}
