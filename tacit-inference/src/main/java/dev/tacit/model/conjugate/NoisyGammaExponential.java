package dev.tacit.model.conjugate;

import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * The rate of waiting times from a noisy sum of those between two public bounds.
 *
 * <pre>
 *   y ~ Exponential(λ),   λ ~ Gamma(priorShape, priorRate),     z = Σ y 1[lower ≤ y ≤ upper] + noise
 *   sections below, inside, above:   F = P(section),   m, v = mean and variance of y in it,   sum of section ~ N(N F m, N F v + N F (1 − F) m²)
 *   S_in | λ, z   that of the inside times N(z, noise²), not negative;     S = S_in + sums below and above;     λ | S ~ Gamma(priorShape + N, priorRate + S)
 * </pre>
 *
 * Bernstein, Sheldon 2018, Section 4 (unbounded statistics): what is not released is imputed from the model. Clipped: a
 * record outside of the bounds adds nothing, one inside at most {@code upper}. Differs from the paper: the bounds are public
 * (in the authors' code they are quantiles of the model that made the data), the sensitivity is the upper bound and not the
 * distance of the bounds, which is what a record that is added changes, and the noise is Gaussian, added behind the door. As
 * in the paper the sections are taken to be independent.
 *
 * @param priorShape of the prior
 * @param priorRate of the prior
 * @param lower public lower bound of what is summed
 * @param upper public upper bound of what is summed
 * @param publicSize N, the declared number of units
 */
public record NoisyGammaExponential(double priorShape, double priorRate, double lower, double upper, long publicSize)
        implements NoisyStatisticsModel {
    private static final double SMALLEST_SUM = 0.01;

    public NoisyGammaExponential {
        ConjugatePair.requirePositive(priorShape, "priorShape");
        ConjugatePair.requirePositive(priorRate, "priorRate");
        ConjugatePair.requirePositive(upper, "the upper bound");
        ConjugatePair.requireSize(publicSize);
        if (!(lower >= 0 && lower < upper)) {
            throw new IllegalArgumentException("the lower bound is a number from 0 to below the upper bound");
        }
    }

    /** With everything from 0 to what a record exceeds with this probability before anything is known: public. */
    public static NoisyGammaExponential of(double priorShape, double priorRate, double above, long publicSize) {
        return new NoisyGammaExponential(
                priorShape, priorRate, 0, priorRate * (Math.pow(above, -1 / priorShape) - 1), publicSize);
    }

    @Override
    public List<String> parameterNames() {
        return List.of("rate");
    }

    @Override
    public List<Statistics> releases() {
        return List.of(new Statistics(
                "sum of what lies between the bounds",
                ContributionSum.of(1, (block, row, contribution) -> {
                    double y = block.label(row);
                    contribution.add(0, y >= lower && y <= upper ? y : 0);
                }),
                upper));
    }

    /**
     * What the model foretells of the records in a section.
     *
     * @param probability F
     * @param mean m
     * @param variance v
     * @param sumMean of the sum over all N records
     * @param sumVariance of it
     */
    record Section(double probability, double mean, double variance, double sumMean, double sumVariance) {}

    /** From {@code from} to {@code to}, which may be infinite. */
    Section section(double rate, double from, double to) {
        double[] low = moments(rate, from);
        double[] high = moments(rate, to);
        double probability = Math.max(low[0] - high[0], 1e-300);
        double mean = (low[1] - high[1]) / probability;
        double variance = Math.max(0, (low[2] - high[2]) / probability - mean * mean);
        return new Section(
                probability,
                mean,
                variance,
                publicSize * probability * mean,
                publicSize * probability * (variance + (1 - probability) * mean * mean));
    }

    /** ∫ x^k λ e^−λx over x ≥ from, for k = 0, 1, 2. */
    private static double[] moments(double rate, double from) {
        if (Double.isInfinite(from)) {
            return new double[3];
        }
        double tail = Math.exp(-rate * from);
        return new double[] {tail, (from + 1 / rate) * tail, (from * from + 2 * from / rate + 2 / (rate * rate)) * tail
        };
    }

    @Override
    public Chain chain(List<double[]> released, RandomStream random) {
        double noisy = released.get(0)[0];
        return new Chain() {
            private double inside;
            private double rate = random.gamma(priorShape) / priorRate;

            @Override
            public void sweep(double[] noiseVariances, RandomStream stream) {
                Section middle = section(rate, lower, upper);
                Section above = section(rate, upper, Double.POSITIVE_INFINITY);
                double mean = above.sumMean();
                double variance = above.sumVariance();
                if (lower > 0) {
                    Section below = section(rate, 0, lower);
                    mean += below.sumMean();
                    variance += below.sumVariance();
                }
                inside = NoisyBetaBernoulli.between(
                        middle.sumMean(), middle.sumVariance(), noisy, noiseVariances[0], publicSize * upper, stream);
                double sum = inside + mean + Math.sqrt(variance) * stream.normal();
                rate = stream.gamma(priorShape + publicSize) / (priorRate + Math.max(SMALLEST_SUM, sum));
            }

            @Override
            public double[] statistics() {
                return new double[] {inside};
            }

            @Override
            public double[] parameters() {
                return new double[] {rate};
            }
        };
    }
}
