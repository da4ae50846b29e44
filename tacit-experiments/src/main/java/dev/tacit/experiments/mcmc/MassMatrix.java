package dev.tacit.experiments.mcmc;

/** Which shape of covariance matrix the warm-up learns, as the inverse of the mass matrix of the Hamiltonian. */
public enum MassMatrix {
    /** The identity; only the step size is learned. */
    UNIT,
    /** One variance for each coordinate. */
    DIAGONAL,
    /** A full covariance matrix: d² work for each leapfrog step, worth it if coordinates are strongly correlated. */
    DENSE
}
