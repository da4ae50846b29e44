package dev.tacit.inference.noiseaware;

import dev.tacit.numerics.RandomStream;

/** How the noise of released statistics is distributed, as variances that a Gibbs sampler may draw. */
public sealed interface NoiseLaw {
    /** Variances before the first sweep. */
    double[] start(int dimension, RandomStream random);

    /**
     * Draws the variances given the noise, where they are not fixed.
     *
     * @param noise what was added to each statistic, as the sampler believes now
     * @param variances are overwritten
     */
    void draw(double[] noise, RandomStream random, double[] variances);

    /** Independent Gaussian noise: nothing to draw. */
    record Gaussian(double standardDeviation) implements NoiseLaw {
        @Override
        public double[] start(int dimension, RandomStream random) {
            double[] variances = new double[dimension];
            draw(variances, random, variances);
            return variances;
        }

        @Override
        public void draw(double[] noise, RandomStream random, double[] variances) {
            java.util.Arrays.fill(variances, standardDeviation * standardDeviation);
        }
    }

    /**
     * Independent Laplace noise as a mixture of Gaussians.
     *
     * <pre>
     *   v ~ Exponential(mean 2 b²),   noise | v ~ N(0, v)   ⇒   noise ~ Laplace(b);     1/v | noise ~ InverseGaussian(1/(b |noise|), 1/b²)
     * </pre>
     *
     * Park, Casella 2008, Section 2; Bernstein, Sheldon 2018, Section 3.2. The door adds no such noise; it is here for
     * comparison with published settings.
     *
     * @param scales b of each statistic
     */
    record Laplace(double[] scales) implements NoiseLaw {
        private static final double SMALLEST_NOISE = 1e-9;

        @Override
        public double[] start(int dimension, RandomStream random) {
            double[] variances = new double[dimension];
            for (int i = 0; i < dimension; i++) {
                variances[i] = 2 * scales[i] * scales[i] * random.exponential();
            }
            return variances;
        }

        @Override
        public void draw(double[] noise, RandomStream random, double[] variances) {
            for (int i = 0; i < variances.length; i++) {
                // in units of b, where the distribution of 1/v has shape 1
                double mean = 1 / Math.max(SMALLEST_NOISE, Math.abs(noise[i]) / scales[i]);
                variances[i] = scales[i] * scales[i] / inverseGaussian(mean, random);
            }
        }

        /** With shape 1 (Michael, Schucany, Haas 1976). */
        static double inverseGaussian(double mean, RandomStream random) {
            double normal = random.normal();
            double square = mean * normal * normal;
            // the smaller root, in a form that does not cancel
            double root = mean * 2 / (2 + square + Math.sqrt(square * (4 + square)));
            return random.uniform() * (mean + root) <= mean ? root : mean * mean / root;
        }
    }
}
