package dev.tacit.glm.solve;

import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricEigen;

/**
 * Eigenvalues of a noisy symmetric matrix H relative to a positive one H₀: those of H₀^(−½) H H₀^(−½).
 *
 * <pre>
 *   floored(r)   every k below r becomes r
 *   soft(u)      k ← k + n φ(k/n)/Φ(k/n): its posterior mean given k ≥ 0 under a flat prior,
 *                n_j² = Σ_il g_i² u_il g_l², g = H₀^(−½) q_j, for entrywise variances u of H
 * </pre>
 */
public final class RelativeSpectrum {
    private final int n;
    private final double[] inverseRoot;

    /** Columns R q_k, one in each row: H = Σ k (R q)(R q)ᵀ. */
    private final double[] directions;

    private final double[] values;
    private final double[] vectors;

    private RelativeSpectrum(int n, double[] h, double[] h0) {
        this.n = n;
        SymmetricEigen base = Matrices.eigen(n, h0);
        double[] root = Matrices.function(base, value -> Math.sqrt(Math.max(value, 0)));
        this.inverseRoot = Matrices.function(base, value -> 1 / Math.sqrt(Math.max(value, Double.MIN_NORMAL)));
        SymmetricEigen relative = Matrices.eigen(n, Matrices.congruent(n, inverseRoot, h));
        this.values = relative.values();
        this.vectors = relative.vectors();
        this.directions = Matrices.product(n, vectors, root);
    }

    public static RelativeSpectrum of(int n, double[] h, double[] h0) {
        return new RelativeSpectrum(n, h, h0);
    }

    /** H with relative eigenvalues of at least r. */
    public double[] floored(double least) {
        double[] raised = values.clone();
        for (int k = 0; k < n; k++) {
            raised[k] = Math.max(raised[k], least);
        }
        return weighted(raised);
    }

    /** H with relative eigenvalues as their noise lets them be. */
    double[] soft(double[] variances) {
        double[] raised = values.clone();
        double[] g = Matrices.product(n, vectors, inverseRoot);
        double[] squares = new double[n];
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                squares[i] = g[k * n + i] * g[k * n + i];
            }
            double noise = Math.sqrt(Math.max(Matrices.form(n, variances, squares), 1e-12));
            double x = Matrices.clamp(values[k] / noise, -30, 30);
            raised[k] = x > -8
                    ? values[k]
                            + noise * Math.exp(-0.5 * x * x - SpecialFunctions.logNormalCdf(x)) / Math.sqrt(2 * Math.PI)
                    : noise / Math.max(-x, 1);
        }
        return weighted(raised);
    }

    private double[] weighted(double[] weights) {
        double[] scaled = new double[n * n];
        for (int k = 0; k < n; k++) {
            double root = Math.sqrt(Math.max(weights[k], 0));
            for (int i = 0; i < n; i++) {
                scaled[k * n + i] = root * directions[k * n + i];
            }
        }
        double[] result = new double[n * n];
        dev.tacit.numerics.LinearAlgebra.best().gram(n, n, 1, scaled, 0, result);
        return result;
    }

    /** The symmetric positive A with A H₀ A = H₁, the optimal-transport map of the two as covariances. */
    public static double[] congruence(int n, double[] h0, double[] h1) {
        SymmetricEigen eigen = Matrices.eigen(n, h0);
        double floor = 1e-9 * eigen.values()[n - 1];
        double[] root = Matrices.function(eigen, value -> Math.sqrt(Math.max(value, floor)));
        double[] inverse = Matrices.function(eigen, value -> 1 / Math.sqrt(Math.max(value, floor)));
        double[] middle = Matrices.function(
                Matrices.eigen(n, Matrices.congruent(n, root, h1)), value -> Math.sqrt(Math.max(value, 0)));
        return Matrices.congruent(n, inverse, middle);
    }
}
