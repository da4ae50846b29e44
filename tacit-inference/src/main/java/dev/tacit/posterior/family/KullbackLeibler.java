package dev.tacit.posterior.family;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;

/**
 * Kullback-Leibler divergences KL(q‖p) = E_q[log q − log p] between two distributions of one family, in closed form.
 *
 * <pre>
 *   Gaussian   ½ (tr(Σ_p⁻¹ Σ_q) + (μ_p − μ_q)ᵀ Σ_p⁻¹ (μ_p − μ_q) − d + log det Σ_p − log det Σ_q)
 *   Gamma      (a_q − a_p) ψ(a_q) − log Γ(a_q) + log Γ(a_p) + a_p (log b_q − log b_p) + a_q (b_p − b_q) / b_q
 *   Dirichlet  log Γ(Σ c_q) − Σ log Γ(c_q) − log Γ(Σ c_p) + Σ log Γ(c_p) + Σ (c_q − c_p) (ψ(c_q) − ψ(Σ c_q))
 * </pre>
 */
public final class KullbackLeibler {
    private KullbackLeibler() {}

    /** KL(q‖p) of two Gaussians. */
    public static double divergence(GaussianPosterior q, GaussianPosterior p) {
        int n = sameDimension(q, p);
        double[] root = p.covarianceRoot();
        double[] other = q.covarianceRoot();
        // ‖L_p⁻¹ L_q‖² column by column; column j of L_q starts with j zeros
        double squares = 0;
        double[] column = new double[n];
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                column[i] = other[i * n + j];
            }
            squares += squaredSolution(n, root, column);
        }
        double[] difference = p.mean();
        double[] mean = q.mean();
        for (int i = 0; i < n; i++) {
            difference[i] -= mean[i];
        }
        squares += squaredSolution(n, root, difference);
        return 0.5 * (squares - n + p.logDeterminant() - q.logDeterminant());
    }

    private static double squaredSolution(int n, double[] root, double[] vector) {
        LinearAlgebra.best().solveLower(n, root, vector);
        return Arrays.stream(vector).map(value -> value * value).sum();
    }

    /** KL(q‖p) of two diagonal Gaussians. */
    public static double divergence(DiagonalGaussianPosterior q, DiagonalGaussianPosterior p) {
        int n = sameDimension(q, p);
        double[] mean = q.mean();
        double[] variance = q.variance();
        double[] otherMean = p.mean();
        double[] otherVariance = p.variance();
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double ratio = variance[i] / otherVariance[i];
            double difference = mean[i] - otherMean[i];
            sum += (ratio - 1 - Math.log(ratio)) + difference * difference / otherVariance[i];
        }
        return 0.5 * sum;
    }

    /** KL(q‖p) of two Gamma distributions. */
    public static double divergence(GammaPosterior q, GammaPosterior p) {
        return (q.shape() - p.shape()) * SpecialFunctions.digamma(q.shape())
                - SpecialFunctions.logGamma(q.shape())
                + SpecialFunctions.logGamma(p.shape())
                + p.shape() * (Math.log(q.rate()) - Math.log(p.rate()))
                + q.shape() * (p.rate() - q.rate()) / q.rate();
    }

    /** KL(q‖p) of two Dirichlet distributions. */
    public static double divergence(DirichletPosterior q, DirichletPosterior p) {
        int n = sameDimension(q, p);
        double[] ours = q.concentration();
        double[] theirs = p.concentration();
        double[] logarithms = q.meanLogarithm();
        double sum = SpecialFunctions.logGamma(Arrays.stream(ours).sum())
                - SpecialFunctions.logGamma(Arrays.stream(theirs).sum());
        for (int i = 0; i < n; i++) {
            sum += SpecialFunctions.logGamma(theirs[i]) - SpecialFunctions.logGamma(ours[i]);
            sum += (ours[i] - theirs[i]) * logarithms[i];
        }
        return sum;
    }

    private static int sameDimension(Posterior q, Posterior p) {
        if (q.dimension() != p.dimension()) {
            throw new IllegalArgumentException(
                    "two posteriors have " + q.dimension() + " and " + p.dimension() + " parameters");
        }
        return q.dimension();
    }
}
