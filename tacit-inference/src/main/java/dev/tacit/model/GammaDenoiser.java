package dev.tacit.model;

/**
 * The posterior mean and variance of a count that is seen through Gaussian noise of known size.
 *
 * <pre>
 *   s ~ Gamma(shape a, mean τ),     x | s ~ N(s, sd²)
 *   E[s^p | x] = ∫ s^(a−1+p) e^(−a s/τ) e^(−(x−s)²/2sd²) ds / ∫ s^(a−1) e^(−a s/τ) e^(−(x−s)²/2sd²) ds
 * </pre>
 *
 * A soft threshold whose height follows what was expected: far below the noise s falls back to about τ, never to 0 and
 * never to the 0.4 sd that cutting negative numbers off would leave on average; far above it s is x. With sd as the unit
 * everything is a function of x/sd and τ/sd: one table for both moments, by quadrature over log s, read by bilinear
 * interpolation in x/sd and log(τ/sd). Beyond x = 16 sd what the noise takes off does not change any more.
 *
 * <p>Empirical Bayes with a public prior shape: post-processing of released numbers.
 */
public final class GammaDenoiser {
    private static final double LOWEST_X = -8;
    private static final double HIGHEST_X = 16;
    private static final int X_STEPS_PER_UNIT = 10;
    private static final int X_POINTS = (int) ((HIGHEST_X - LOWEST_X) * X_STEPS_PER_UNIT) + 1;

    private static final double LOWEST_LOG_TAU = Math.log(1e-7);
    private static final double HIGHEST_LOG_TAU = Math.log(1e4);
    private static final int TAU_POINTS = 100;
    private static final double TAU_STEPS_PER_UNIT = (TAU_POINTS - 1) / (HIGHEST_LOG_TAU - LOWEST_LOG_TAU);

    private static final int NODES = 600;

    private final double shape;
    private final double[] means = new double[TAU_POINTS * X_POINTS];
    private final double[] variances = new double[TAU_POINTS * X_POINTS];

    /**
     * A table for one prior shape.
     *
     * @param shape a, from 0.01 to 10: below 1 most counts are expected to be far smaller than their mean
     */
    public GammaDenoiser(double shape) {
        if (!(shape >= 0.01 && shape <= 10)) {
            throw new IllegalArgumentException("the shape of the prior of counts is a number from 0.01 to 10");
        }
        this.shape = shape;
        double[] logNodes = new double[NODES];
        double[] priors = new double[NODES];
        for (int row = 0; row < TAU_POINTS; row++) {
            double tau = Math.exp(LOWEST_LOG_TAU + row / TAU_STEPS_PER_UNIT);
            double lowest = Math.log(Math.min(tau, 1)) - 20;
            double step = (Math.log(HIGHEST_X + 12) - lowest) / (NODES - 1);
            for (int i = 0; i < NODES; i++) {
                logNodes[i] = lowest + i * step;
                priors[i] = shape * logNodes[i] - shape * Math.exp(logNodes[i]) / tau;
            }
            for (int column = 0; column < X_POINTS; column++) {
                integrate(row * X_POINTS + column, LOWEST_X + (double) column / X_STEPS_PER_UNIT, logNodes, priors);
            }
        }
    }

    /** The trapezoidal rule over log s, and below the first node, where only s^(a−1) changes, the integral itself. */
    private void integrate(int cell, double x, double[] logNodes, double[] priors) {
        double first = Math.exp(logNodes[0]);
        double step = logNodes[1] - logNodes[0];
        double largest = Double.NEGATIVE_INFINITY;
        double[] logs = new double[NODES];
        for (int i = 0; i < NODES; i++) {
            double gap = x - Math.exp(logNodes[i]);
            logs[i] = priors[i] - 0.5 * gap * gap;
            largest = Math.max(largest, logs[i]);
        }
        double below = Math.exp(logs[0] - largest) / step;
        double mass = below / shape;
        double sum = below * first / (shape + 1);
        double squares = below * first * first / (shape + 2);
        for (int i = 0; i < NODES; i++) {
            double weight = Math.exp(logs[i] - largest) * (i == 0 ? 0.5 : 1);
            double s = Math.exp(logNodes[i]);
            mass += weight;
            sum += weight * s;
            squares += weight * s * s;
        }
        means[cell] = sum / mass;
        variances[cell] = Math.max(0, squares / mass - means[cell] * means[cell]);
    }

    private static double read(double[] table, double x, double tau) {
        double log = Math.max(LOWEST_LOG_TAU, Math.min(HIGHEST_LOG_TAU, Math.log(tau)));
        double tauPlace = (log - LOWEST_LOG_TAU) * TAU_STEPS_PER_UNIT;
        double xPlace = (Math.max(LOWEST_X, Math.min(HIGHEST_X, x)) - LOWEST_X) * X_STEPS_PER_UNIT;
        int row = Math.min(TAU_POINTS - 2, (int) tauPlace);
        int column = Math.min(X_POINTS - 2, (int) xPlace);
        double up = tauPlace - row;
        double across = xPlace - column;
        int cell = row * X_POINTS + column;
        return (1 - up) * ((1 - across) * table[cell] + across * table[cell + 1])
                + up * ((1 - across) * table[cell + X_POINTS] + across * table[cell + X_POINTS + 1]);
    }

    /**
     * E[s | x].
     *
     * @param x what was seen
     * @param expected τ, the mean before it was seen; positive
     * @param noiseStandardDeviation of the noise; 0 gives x, or 0 if x is negative
     */
    public double mean(double x, double expected, double noiseStandardDeviation) {
        if (noiseStandardDeviation == 0) {
            return Math.max(0, x);
        }
        double scaled = x / noiseStandardDeviation;
        double excess = Math.max(0, scaled - HIGHEST_X);
        return noiseStandardDeviation * (read(means, scaled, expected / noiseStandardDeviation) + excess);
    }

    /** Var[s | x], with the arguments of {@link #mean}. */
    public double variance(double x, double expected, double noiseStandardDeviation) {
        if (noiseStandardDeviation == 0) {
            return 0;
        }
        return noiseStandardDeviation
                * noiseStandardDeviation
                * read(variances, x / noiseStandardDeviation, expected / noiseStandardDeviation);
    }
}
