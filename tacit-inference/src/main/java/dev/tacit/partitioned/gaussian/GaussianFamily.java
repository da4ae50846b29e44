package dev.tacit.partitioned.gaussian;

import dev.tacit.numerics.SymmetricMatrix;

/** Which Gaussians the global approximation and all factors belong to, and how many natural parameters they have. */
public enum GaussianFamily {
    /** Independent coordinates: (h, −½ λ). */
    MEAN_FIELD,
    /** Any covariance: (h, svec(−½ Λ)). */
    FULL_COVARIANCE;

    /** How many natural parameters there are. */
    public int size(int dimension) {
        return dimension + (this == MEAN_FIELD ? dimension : SymmetricMatrix.vectorSize(dimension));
    }
}
