package dev.tacit.transform;

/** x₁ = u₁, x_i = x_{i−1} + e^{u_i}; log|J| = Σ_{i≥2} u_i. */
final class OrderedTransform implements Transform {
    private final int n;

    OrderedTransform(int n) {
        this.n = Transforms.atLeastTwo(n, "an order");
    }

    @Override
    public String name() {
        return "ordered";
    }

    @Override
    public int freeDimension() {
        return n;
    }

    @Override
    public int dimension() {
        return n;
    }

    @Override
    public double constrain(double[] free, int freeAt, double[] constrained, int at) {
        double x = free[freeAt];
        double sum = 0;
        constrained[at] = x;
        for (int i = 1; i < n; i++) {
            x += Math.exp(free[freeAt + i]);
            constrained[at + i] = x;
            sum += free[freeAt + i];
        }
        return sum;
    }

    @Override
    public void unconstrain(double[] constrained, int at, double[] free, int freeAt) {
        free[freeAt] = constrained[at];
        for (int i = 1; i < n; i++) {
            free[freeAt + i] = Math.log(constrained[at + i] - constrained[at + i - 1]);
        }
    }

    @Override
    public void pullBack(
            double[] free, int freeAt, double[] constrained, int at, double[] gradient, double[] freeGradient) {
        double behind = 0;
        for (int i = n - 1; i > 0; i--) {
            behind += gradient[at + i];
            freeGradient[freeAt + i] = behind * Math.exp(free[freeAt + i]) + 1;
        }
        freeGradient[freeAt] = behind + gradient[at];
    }
}
