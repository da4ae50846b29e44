package dev.tacit.transform;

import dev.tacit.numerics.SpecialFunctions;

/**
 * z_i = sigmoid(u_i − log(n − i)), x_i = z_i s_i with the rest of the stick s_i = 1 − Σ_{j&lt;i} x_j, x_n = s_n.
 *
 * <p>The derivative follows the stick backwards: with h_n = ∂f/∂x_n and the log-Jacobian Σ log s_i + log z_i + log(1 −
 * z_i), h_i = z_i ∂f/∂x_i + (1 − z_i) h_{i+1} + 1/s_i is the derivative with respect to s_i.
 */
final class StickBreakingTransform implements Transform {
    private final int n;

    StickBreakingTransform(int n) {
        this.n = Transforms.atLeastTwo(n, "a simplex");
    }

    @Override
    public String name() {
        return "simplex";
    }

    @Override
    public int freeDimension() {
        return n - 1;
    }

    @Override
    public int dimension() {
        return n;
    }

    private double shifted(double u, int i) {
        return u - Math.log(n - 1 - i);
    }

    @Override
    public double constrain(double[] free, int freeAt, double[] constrained, int at) {
        double rest = 1;
        double logRest = 0;
        double sum = 0;
        for (int i = 0; i < n - 1; i++) {
            double v = shifted(free[freeAt + i], i);
            double logKept = SpecialFunctions.logSigmoid(-v);
            constrained[at + i] = rest * SpecialFunctions.sigmoid(v);
            sum += logRest + SpecialFunctions.logSigmoid(v) + logKept;
            rest *= SpecialFunctions.sigmoid(-v);
            logRest += logKept;
        }
        constrained[at + n - 1] = rest;
        return sum;
    }

    @Override
    public void unconstrain(double[] constrained, int at, double[] free, int freeAt) {
        double rest = constrained[at + n - 1];
        for (int i = n - 2; i >= 0; i--) {
            free[freeAt + i] = Math.log(constrained[at + i] / rest) + Math.log(n - 1 - i);
            rest += constrained[at + i];
        }
    }

    @Override
    public void pullBack(
            double[] free, int freeAt, double[] constrained, int at, double[] gradient, double[] freeGradient) {
        // s h is carried instead of h, so that an empty stick does not divide by zero
        double scaled = constrained[at + n - 1] * gradient[at + n - 1];
        for (int i = n - 2; i >= 0; i--) {
            double v = shifted(free[freeAt + i], i);
            double z = SpecialFunctions.sigmoid(v);
            double kept = SpecialFunctions.sigmoid(-v);
            double own = constrained[at + i] * gradient[at + i];
            // ∂/∂v of x_i and of the next rest: x_i (1 − z) and −s_{i+1} z
            freeGradient[freeAt + i] = own * kept - scaled * z + kept - z;
            scaled += own + 1;
        }
    }
}
