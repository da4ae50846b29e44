package dev.tacit.transform;

/** The same increasing or decreasing function on each of n numbers. */
abstract class ScalarTransform implements Transform {
    private final String name;
    private final int n;

    ScalarTransform(String name, int n) {
        if (n < 1) {
            throw new IllegalArgumentException("a transform needs at least one number");
        }
        this.name = name;
        this.n = n;
    }

    /** x(u). */
    abstract double value(double u);

    /** u(x). */
    abstract double inverse(double x);

    /** log |x′(u)|. */
    abstract double logSlope(double u, double x);

    /** x′(u). */
    abstract double slope(double u, double x);

    /** The derivative of log |x′(u)|. */
    abstract double logSlopeGradient(double u, double x);

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean coordinatewise() {
        return true;
    }

    @Override
    public final int freeDimension() {
        return n;
    }

    @Override
    public final int dimension() {
        return n;
    }

    @Override
    public final double constrain(double[] free, int freeAt, double[] constrained, int at) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double u = free[freeAt + i];
            double x = value(u);
            constrained[at + i] = x;
            sum += logSlope(u, x);
        }
        return sum;
    }

    @Override
    public final void unconstrain(double[] constrained, int at, double[] free, int freeAt) {
        for (int i = 0; i < n; i++) {
            free[freeAt + i] = inverse(constrained[at + i]);
        }
    }

    @Override
    public final void pullBack(
            double[] free, int freeAt, double[] constrained, int at, double[] gradient, double[] freeGradient) {
        for (int i = 0; i < n; i++) {
            double u = free[freeAt + i];
            double x = constrained[at + i];
            freeGradient[freeAt + i] = gradient[at + i] * slope(u, x) + logSlopeGradient(u, x);
        }
    }
}
