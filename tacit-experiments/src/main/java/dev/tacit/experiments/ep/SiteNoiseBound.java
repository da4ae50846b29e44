package dev.tacit.experiments.ep;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SymmetricMatrix;

/**
 * How far noise in natural parameters, or a clip of them, can move a Gaussian: bounds on divergences, with every constant.
 *
 * <pre>
 *   q = N(μ, Σ),  Λ = Σ⁻¹,     q̃: natural parameters Λμ + e, Λ + E,     e ~ N(0, s² I),  svec E ~ N(0, s² I)
 *   event   ‖Σ^½ E Σ^½‖ ≤ ½                                   then q̃ is proper and nothing is raised to a floor
 *   E[KL(q ‖ q̃); event] ≤ s²/4 ((tr Σ)² + tr Σ²) + s² (tr Σ + ½ (‖μ‖² tr Σ + μᵀΣμ))
 *   P(not event) ≤ 2 exp(−t²/2),   t = 1/(2 s ‖Σ‖) − √(2D), if t &gt; 0
 * </pre>
 *
 * Because x − log(1 + x) ≤ x² for |x| ≤ ½, E tr(ΣEΣE) = s²/2 ((tr Σ)² + tr Σ²), the shift of the mean is Λ̃⁻¹(e − Eμ) with Λ̃⁻¹ ≤ 2Σ on the
 * event, E[EΣE] = s²/2 (tr Σ I + Σ), and E ‖E‖ ≤ s √(2D) with Gaussian concentration of Lipschitz constant s.
 *
 * <p>What Vinaroz, Park 2022, Theorem 4.1, is about: the expected divergence between SEP and its private form. It is stated here on the
 * event that the noise leaves the precision positive definite, because outside of it what is released depends on the repair.
 */
public final class SiteNoiseBound {
    private final int dimension;
    private final double[] mean;
    private final double[] covariance;
    private final double largestVariance;

    /** @param covariance row after row */
    public SiteNoiseBound(double[] mean, double[] covariance) {
        this.dimension = mean.length;
        this.mean = mean.clone();
        this.covariance = covariance.clone();
        double[] values = LinearAlgebra.java().eigen(dimension, covariance).values();
        this.largestVariance = values[dimension - 1];
    }

    /** The bound on the expected divergence on the event. */
    public double expectedDivergence(double noiseStandardDeviation) {
        double trace = 0;
        double squaredMean = 0;
        for (int i = 0; i < dimension; i++) {
            trace += covariance[i * dimension + i];
            squaredMean += mean[i] * mean[i];
        }
        double squares = SymmetricMatrix.traceOfProduct(dimension, covariance, covariance);
        double along = SymmetricMatrix.quadraticForm(dimension, covariance, mean);
        double variance = noiseStandardDeviation * noiseStandardDeviation;
        return variance * ((trace * trace + squares) / 4 + trace + (squaredMean * trace + along) / 2);
    }

    /** The bound on the probability of anything else. */
    public double probabilityOutside(double noiseStandardDeviation) {
        double deviations = 1 / (2 * noiseStandardDeviation * largestVariance) - Math.sqrt(2.0 * dimension);
        return deviations > 0 ? Math.min(1, 2 * Math.exp(-deviations * deviations / 2)) : 1;
    }

    /**
     * A bound on KL(q ‖ q̃) where q̃ lacks a part of its natural parameters, as after a clip: ½ (tr(ΣEΣE) + 2 vᵀΣv), v = e − Eμ; infinite if
     * the part is so large that the bound does not apply.
     *
     * @param weightedMean e, what is missing from Λμ
     * @param precision E, what is missing from Λ
     */
    public double clippingDivergence(double[] weightedMean, double[] precision) {
        int n = dimension;
        double[] product = new double[n * n];
        LinearAlgebra.java().multiply(false, false, n, n, n, 1, covariance, precision, 0, product);
        double squares = 0;
        double[] shift = weightedMean.clone();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                squares += product[i * n + j] * product[j * n + i];
                shift[i] -= precision[i * n + j] * mean[j];
            }
        }
        // tr(ΣEΣE) is the squared Frobenius norm of Σ^½ E Σ^½, which is no smaller than its spectral norm
        return squares <= 0.25
                ? 0.5 * squares + SymmetricMatrix.quadraticForm(n, covariance, shift)
                : Double.POSITIVE_INFINITY;
    }

    /**
     * Standard deviation of the noise that steps G ← G + (γ/N)(s − E|B| G/N) leave in G, if the noise in s has the given one:
     * the sum of a geometric series.
     */
    public static double accumulated(
            double noiseStandardDeviation, double stepNumerator, double expectedBatchSize, long publicSize, int steps) {
        double step = stepNumerator / publicSize;
        double kept = 1 - step * expectedBatchSize / publicSize;
        double sum = 0;
        double share = 1;
        for (int i = 0; i < steps; i++) {
            sum += share * share;
            share *= kept;
        }
        return step * noiseStandardDeviation * Math.sqrt(sum);
    }
}
