package dev.tacit.glm;

import dev.tacit.numerics.SymmetricEigen;
import java.util.Arrays;
import java.util.List;

/**
 * What is known in the end, in standardised coordinates.
 *
 * <pre>
 *   information  H V⁻¹ H, in the eigenbasis of H divided by 1 + 2.1 var(e)/e² in each direction, by the lack of fit max(1, ḡᵀ V⁻¹ ḡ/D)
 *   skewed       coefficients near separation have the mean and the deviation of their profile   {@link SkewedCoefficients}
 *   covariance   (information + Λ)⁻¹, with {@link NestedTerms} given back the prior's width, no direction wider than the prior's
 *   plain        (H J⁻¹ H + Λ)⁻¹ without weights and noise: what the same records would have given without privacy
 * </pre>
 *
 * @param mean of z-coefficients, then logarithms of extra parameters
 * @param covariance of both
 * @param withoutNoise the covariance that the same records would give without privacy: no noise, no weights
 * @param flags pairs of terms that the released numbers cannot tell apart
 * @param skewed coefficients whose likelihood is far from Gaussian
 */
record LikelihoodEstimate(
        double[] mean, double[] covariance, double[] withoutNoise, List<NestedTerms.Flag> flags, boolean[] skewed) {
    private static final double CURVATURE_DISCOUNT = 0.7 * 3;

    /**
     * From the last pass.
     *
     * @param mode the last pass without averages over the posterior, which may be the same
     * @param noiseOfExtra the inverse of the information on logarithms of extra parameters from noise alone
     */
    static LikelihoodEstimate of(
            GlmGeometry geometry,
            LearnedCurvature learned,
            TwinRound newest,
            SolverPass mode,
            SolverPass pass,
            double[] extra,
            double[] noiseOfExtra,
            GlmPrior.Standard prior) {
        int d = geometry.d;
        int all = d + extra.length;
        SolverPass.Prior whitened = SolverPass.Prior.of(geometry, prior);
        double[] precision = whitened.precision();
        double[] scaling = discount(d, learned, pass.local());
        double misfit = Math.max(1, Matrices.form(d, pass.precisionOfSum(), pass.residual()) / d);
        double[] joint;
        if (extra.length == 0) {
            double[] information = Matrices.mapped(d, scaling, pass.information());
            for (int i = 0; i < d * d; i++) {
                information[i] = information[i] / misfit + precision[i];
            }
            joint = Matrices.inverse(d, information);
        } else {
            joint = JointCovariance.of(geometry, newest, pass, extra, noiseOfExtra, precision, scaling, misfit);
        }
        double[] toStandard = Matrices.padded(d, geometry.whitening, all);
        double[] covariance = Matrices.congruent(all, toStandard, joint);
        double[] discounted = Matrices.mapped(d, scaling, pass.information());
        for (int i = 0; i < d * d; i++) {
            discounted[i] /= misfit;
        }
        SkewedCoefficients skewed = SkewedCoefficients.of(
                geometry, learned, newest, mode, extra, joint, all, discounted, pass.information(), whitened, prior);
        double[] mean = Arrays.copyOf(Matrices.times(d, geometry.whitening, pass.theta()), all);
        for (int j = 0; j < d; j++) {
            if (skewed.skewed()[j]) {
                mean[j] = skewed.mean()[j];
                double scale = skewed.deviation()[j] / Math.sqrt(covariance[j * all + j]);
                for (int i = 0; i < all; i++) {
                    covariance[i * all + j] *= scale;
                    covariance[j * all + i] *= scale;
                }
            }
        }
        List<NestedTerms.Flag> flags = NestedTerms.find(geometry);
        covariance = withinPrior(NestedTerms.widened(covariance, all, flags, prior), all, prior);
        double[] plain = Matrices.congruent(
                all, toStandard, withoutNoise(geometry, learned, pass.theta(), extra, precision, joint));
        for (int k = 0; k < extra.length; k++) {
            mean[d + k] = Math.log(extra[k]);
        }
        return new LikelihoodEstimate(mean, covariance, plain, flags, skewed.skewed());
    }

    /** Σ (1 + 2.1 var(e_k)/e_k²)^(−½) v_k v_kᵀ over the eigenvectors of H. */
    private static double[] discount(int d, LearnedCurvature learned, LearnedCurvature.Local local) {
        SymmetricEigen eigen = Matrices.eigen(d, local.curvature());
        double[] values = eigen.values();
        double[] vectors = eigen.vectors();
        double[] discount = new double[d];
        for (int k = 0; k < d; k++) {
            double variance =
                    learned.varianceAlong(Arrays.copyOfRange(vectors, k * d, (k + 1) * d), local.entryVariance());
            discount[k] = 1 / Math.sqrt(1 + CURVATURE_DISCOUNT * variance / Math.pow(Math.max(values[k], 1e-12), 2));
        }
        return eigen.weighted(discount);
    }

    /** The Laplace covariance with the estimated curvature, without weights and noise; extra parameters as they are. */
    private static double[] withoutNoise(
            GlmGeometry geometry,
            LearnedCurvature learned,
            double[] theta,
            double[] extra,
            double[] prior,
            double[] joint) {
        int d = geometry.d;
        int n = geometry.twinRows;
        int all = d + extra.length;
        double[] references = TwinRound.references(geometry, theta, extra);
        int size = geometry.model.family().referenceSize();
        double[] slopes = new double[n];
        double[] variances = new double[n];
        for (int r = 0; r < n; r++) {
            slopes[r] = geometry.omega[r] * references[r * size + GlmFamily.SLOPE];
            variances[r] = geometry.omega[r] * references[r * size + GlmFamily.VARIANCE];
        }
        double[] curvature = learned.mapped(slopes);
        double[] sampling = learned.mapped(variances);
        double[] information = Matrices.congruent(d, curvature, Matrices.inverse(d, sampling));
        double[] covariance = Matrices.inverse(d, Matrices.plus(information, 1, prior));
        double[] result = new double[all * all];
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                result[i * all + j] =
                        i < d && j < d ? covariance[i * d + j] : i >= d && j >= d ? joint[i * all + j] : 0;
            }
        }
        return result;
    }

    /** No direction of z-coefficients is wider than the prior's. */
    private static double[] withinPrior(double[] covariance, int all, GlmPrior.Standard prior) {
        int d = prior.precision().length;
        double[] root = new double[all];
        for (int j = 0; j < all; j++) {
            root[j] = Math.sqrt(j < d ? prior.precision()[j] : ExtraParameters.PRIOR_PRECISION);
        }
        double[] relative = new double[all * all];
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                relative[i * all + j] = covariance[i * all + j] * root[i] * root[j];
            }
        }
        SymmetricEigen eigen = Matrices.eigen(all, relative);
        if (eigen.values()[all - 1] <= 1) {
            return covariance;
        }
        double[] capped = Matrices.function(eigen, value -> Math.min(value, 1));
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                capped[i * all + j] /= root[i] * root[j];
            }
        }
        return capped;
    }
}
