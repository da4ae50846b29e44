package dev.tacit.numerics;

/**
 * Nodes and weights on [−1, 1] that integrate polynomials of degree 2n − 1 exactly.
 *
 * <p>Nodes are the zeros of the Legendre polynomial P_n, by Newton's method from cos(π (i − ¼)/(n + ½)); weights 2 /
 * ((1 − x²) P_n′(x)²) (Abramowitz and Stegun 25.4.29).
 *
 * @param nodes in increasing order
 * @param weights of the nodes
 */
public record LegendreQuadrature(double[] nodes, double[] weights) {

    /** The rule with n nodes. */
    public static LegendreQuadrature of(int n) {
        if (n < 1) {
            throw new IllegalArgumentException("a quadrature rule needs at least one node");
        }
        double[] nodes = new double[n];
        double[] weights = new double[n];
        for (int i = 0; i < n; i++) {
            double x = -Math.cos(Math.PI * (i + 0.75) / (n + 0.5));
            double slope = 0;
            for (int iteration = 0; iteration < 10; iteration++) {
                double before = 1;
                double value = x;
                for (int k = 2; k <= n; k++) {
                    double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
                    before = value;
                    value = next;
                }
                slope = n * (x * value - before) / (x * x - 1);
                x -= value / slope;
            }
            nodes[i] = x;
            weights[i] = 2 / ((1 - x * x) * slope * slope);
        }
        return new LegendreQuadrature(nodes, weights);
    }
}
