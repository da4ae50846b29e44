package dev.tacit.accounting.numerics;

/** Nodes and weights of the Gauss-Legendre rule on [-1, 1], by Newton's method on the Legendre polynomial. */
public final class GaussLegendre {
    private final double[] nodes;
    private final double[] weights;

    public GaussLegendre(int count) {
        nodes = new double[count];
        weights = new double[count];
        for (int i = 0; i < count; i++) {
            double x = Math.cos(Math.PI * (i + 0.75) / (count + 0.5));
            double derivative = 1;
            for (int iteration = 0; iteration < 100; iteration++) {
                double previous = 1;
                double current = x;
                for (int k = 2; k <= count; k++) {
                    double next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
                    previous = current;
                    current = next;
                }
                derivative = count * (x * current - previous) / (x * x - 1);
                double change = current / derivative;
                x -= change;
                if (Math.abs(change) < 1e-16) {
                    break;
                }
            }
            nodes[count - 1 - i] = x;
            weights[count - 1 - i] = 2 / ((1 - x * x) * derivative * derivative);
        }
    }

    public int count() {
        return nodes.length;
    }

    /** The i-th node, ascending. */
    public double node(int i) {
        return nodes[i];
    }

    public double weight(int i) {
        return weights[i];
    }
}
