package dev.tacit.experiments.mcmc;

import dev.tacit.numerics.RandomStream;

/** The kinetic energy ½ pᵀ Σ p of a momentum p, Σ being the inverse of the mass matrix. */
sealed interface Metric permits DiagonalMetric, DenseMetric {
    /** Writes Σ p. */
    void velocity(double[] momentum, double[] velocity);

    /** Draws p from N(0, Σ⁻¹). */
    void sampleMomentum(RandomStream random, double[] momentum);

    /** Takes a draw of the current window. */
    void learn(double[] position);

    /**
     * Replaces Σ by what was learned in the window, shrunk towards a small multiple of the identity, and forgets the
     * window.
     */
    void update();

    /** The diagonal of Σ. */
    double[] variances();

    /** The metric that a chain starts with: Σ = I. */
    static Metric of(MassMatrix shape, int dimension) {
        return shape == MassMatrix.DENSE
                ? new DenseMetric(dimension)
                : new DiagonalMetric(dimension, shape == MassMatrix.DIAGONAL);
    }
}
