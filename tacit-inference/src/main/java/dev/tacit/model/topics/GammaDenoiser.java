package dev.tacit.model.topics;

import java.io.Serializable;

/**
 * The posterior mean and variance of a count that is seen through Gaussian noise of known size.
 *
 * <pre>
 *   s ~ Gamma(shape a, mean τ),     x | s ~ N(s, sd²)
 *   p(s | x) ∝ s^(a−1) e^(−a s/τ) e^(−(x−s)²/2sd²) ∝ s^(a−1) e^(−(s/sd − y)²/2),     y = x/sd − a sd/τ
 * </pre>
 *
 * So in units of sd both moments are functions of y alone, the noisy count less what the prior takes off: one table by
 * quadrature over log s, read by linear interpolation of logarithms, and the first terms of the asymptotic series outside of
 * it. Errors are below 10⁻⁴ relatively.
 *
 * <p>A soft threshold whose height follows what was expected: far below the noise s falls back to about τ, never to 0 and
 * never to the 0.4 sd that cutting negative numbers off would leave on average; far above it s is x. Empirical Bayes with
 * a public prior shape: post-processing of released numbers.
 */
public final class GammaDenoiser implements Serializable {
    private static final long serialVersionUID = 2;

    private static final double RANGE = 30;
    private static final int STEPS_PER_UNIT = 64;
    private static final int POINTS = (int) (2 * RANGE * STEPS_PER_UNIT) + 1;
    private static final int NODES = 1200;

    private final double shape;

    /** Made when it is first read: planning needs none, and it does not travel with a query. */
    private transient volatile Table made;

    /** Of one prior shape. */
    private static final class Table {
        private final double[] logMeans = new double[POINTS];
        private final double[] logVariances = new double[POINTS];
    }

    /**
     * For one prior shape.
     *
     * @param shape a, from 0.05 to 10: below 1 most counts are expected to be far smaller than their mean
     */
    public GammaDenoiser(double shape) {
        if (!(shape >= 0.05 && shape <= 10)) {
            throw new IllegalArgumentException("the shape of the prior of counts is a number from 0.05 to 10");
        }
        this.shape = shape;
    }

    /** Two threads that come at once make equal ones. */
    private Table table() {
        Table table = made;
        if (table == null) {
            table = makeTable();
            made = table;
        }
        return table;
    }

    private Table makeTable() {
        Table table = new Table();
        double lowest = Math.log(1e-9);
        double step = (Math.log(RANGE + 12) - lowest) / (NODES - 1);
        double[] nodes = new double[NODES];
        for (int i = 0; i < NODES; i++) {
            nodes[i] = Math.exp(lowest + i * step);
        }
        for (int point = 0; point < POINTS; point++) {
            integrate(table, point, nodes, step);
        }
        return table;
    }

    /** The prior shape a. */
    public double shape() {
        return shape;
    }

    /** The trapezoidal rule over log s, and below the first node, where only s^(a−1) changes, the integral itself. */
    private void integrate(Table table, int point, double[] nodes, double step) {
        double y = (double) point / STEPS_PER_UNIT - RANGE;
        double highest = Math.max(0, y);
        double mass = 0;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < NODES; i++) {
            double s = nodes[i];
            // e^(−(s−y)²/2), relative to its largest value for s ≥ 0
            double log = (highest - s) * (highest + s - 2 * y) / 2 + shape * Math.log(s);
            double weight = Math.exp(log);
            if (i == 0) {
                mass += weight / (shape * step);
                weight /= 2;
            }
            mass += weight;
            sum += weight * s;
            squares += weight * s * s;
        }
        double mean = sum / mass;
        table.logMeans[point] = Math.log(mean);
        table.logVariances[point] = Math.log(squares / mass - mean * mean);
    }

    private double shifted(double x, double expected, double noise) {
        return x / noise - shape * noise / expected;
    }

    private static double read(double[] table, double y) {
        double place = (y + RANGE) * STEPS_PER_UNIT;
        int point = Math.min(POINTS - 2, (int) place);
        double across = place - point;
        return Math.exp((1 - across) * table[point] + across * table[point + 1]);
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
        double y = shifted(x, expected, noiseStandardDeviation);
        double mean = y > RANGE
                ? y + (shape - 1) / y
                : y < -RANGE ? -shape / y * (1 - (shape + 1) / (y * y)) : read(table().logMeans, y);
        return noiseStandardDeviation * mean;
    }

    /** Var[s | x], with the arguments of {@link #mean}. */
    public double variance(double x, double expected, double noiseStandardDeviation) {
        if (noiseStandardDeviation == 0) {
            return 0;
        }
        double y = shifted(x, expected, noiseStandardDeviation);
        double variance = y > RANGE
                ? 1 - (shape - 1) / (y * y)
                : y < -RANGE ? shape / (y * y) * (1 - 3 * (shape + 1) / (y * y)) : read(table().logVariances, y);
        return noiseStandardDeviation * noiseStandardDeviation * variance;
    }
}
