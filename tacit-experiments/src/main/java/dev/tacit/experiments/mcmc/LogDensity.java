package dev.tacit.experiments.mcmc;

/** The logarithm of an unnormalised density on R^d, with its gradient. */
public interface LogDensity {
    /** d. */
    int dimension();

    /**
     * The logarithm of the density, up to a constant; −∞ or NaN where there is none.
     *
     * @param point d numbers, not changed
     * @param gradient receives the d derivatives
     */
    double valueAndGradient(double[] point, double[] gradient);

    /** The same density for use by one more thread; one that keeps working arrays returns a copy with its own. */
    default LogDensity worker() {
        return this;
    }
}
