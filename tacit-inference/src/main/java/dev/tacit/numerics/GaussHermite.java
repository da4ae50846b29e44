package dev.tacit.numerics;

/**
 * Gauss-Hermite quadrature for the standard normal distribution.
 *
 * <pre>
 *   E f(t) ≈ Σ_i w_i f(t_i),  t ~ N(0, 1)        exact for polynomials of degree 2n − 1
 * </pre>
 *
 * Nodes are the roots of the probabilists' Hermite polynomial He_n, found by Newton's iteration from the largest down;
 * w_i = n! / (n He_{n−1}(t_i))². Abramowitz, Stegun 1964, 25.4.46.
 */
public final class GaussHermite {
    private static final int MOST_NODES = 40;

    private final double[] nodes;
    private final double[] weights;

    private GaussHermite(double[] nodes, double[] weights) {
        this.nodes = nodes;
        this.weights = weights;
    }

    /** The rule with n nodes. */
    public static GaussHermite of(int n) {
        if (n < 1 || n > MOST_NODES) {
            throw new IllegalArgumentException("a rule has 1 to " + MOST_NODES + " nodes");
        }
        double[] nodes = new double[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            double t = 2 * Math.sqrt(n) + 1;
            for (int iteration = 0; iteration < 500; iteration++) {
                // Newton with the roots that are known divided out converges to the next lower one.
                double[] values = hermite(n, t);
                double known = 0;
                for (int j = 0; j < i; j++) {
                    known += 1 / (t - nodes[j]);
                }
                double step = values[0] / (values[1] * n - values[0] * known);
                t -= step;
                if (Math.abs(step) < 1e-15 * Math.max(1, Math.abs(t))) {
                    break;
                }
            }
            nodes[i] = t;
        }
        double total = 0;
        for (int i = 0; i < n; i++) {
            double lower = hermite(n, nodes[i])[1];
            weights[i] = 1 / (lower * lower);
            total += weights[i];
        }
        for (int i = 0; i < n; i++) {
            weights[i] /= total;
        }
        return new GaussHermite(nodes, weights);
    }

    /** He_n and He_{n−1}. */
    private static double[] hermite(int n, double t) {
        double value = 1;
        double lower = 0;
        for (int k = 0; k < n; k++) {
            double next = t * value - k * lower;
            lower = value;
            value = next;
        }
        return new double[] {value, lower};
    }

    /** How many nodes there are. */
    public int size() {
        return nodes.length;
    }

    /** t_i, the largest first. */
    public double node(int i) {
        return nodes[i];
    }

    /** w_i; they sum to 1. */
    public double weight(int i) {
        return weights[i];
    }
}
