package dev.tacit.transform;

/** x = softmax(u₁, …, u_{n−1}, 0); log|J| = Σ_i log x_i. */
final class LogRatioTransform implements Transform {
    private final int n;

    LogRatioTransform(int n) {
        this.n = Transforms.atLeastTwo(n, "a simplex");
    }

    @Override
    public String name() {
        return "log-ratio";
    }

    @Override
    public int freeDimension() {
        return n - 1;
    }

    @Override
    public int dimension() {
        return n;
    }

    @Override
    public double constrain(double[] free, int freeAt, double[] constrained, int at) {
        double largest = 0;
        double total = 0;
        for (int i = 0; i < n - 1; i++) {
            largest = Math.max(largest, free[freeAt + i]);
            total += free[freeAt + i];
        }
        double sum = Math.exp(-largest);
        for (int i = 0; i < n - 1; i++) {
            sum += Math.exp(free[freeAt + i] - largest);
        }
        for (int i = 0; i < n - 1; i++) {
            constrained[at + i] = Math.exp(free[freeAt + i] - largest) / sum;
        }
        constrained[at + n - 1] = Math.exp(-largest) / sum;
        return total - n * (largest + Math.log(sum));
    }

    @Override
    public void unconstrain(double[] constrained, int at, double[] free, int freeAt) {
        for (int i = 0; i < n - 1; i++) {
            free[freeAt + i] = Math.log(constrained[at + i] / constrained[at + n - 1]);
        }
    }

    @Override
    public void pullBack(
            double[] free, int freeAt, double[] constrained, int at, double[] gradient, double[] freeGradient) {
        double mean = 0;
        for (int i = 0; i < n; i++) {
            mean += constrained[at + i] * gradient[at + i];
        }
        for (int i = 0; i < n - 1; i++) {
            freeGradient[freeAt + i] = constrained[at + i] * (gradient[at + i] - mean - n) + 1;
        }
    }
}
