package dev.tacit.glm.solve;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.group.GroupDeviations;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What is known in the end, in standardised coordinates.
 *
 * <pre>
 *   information  H V⁻¹ H, in the eigenbasis of H divided by 1 + 2.1 var(e)/e² in each direction, by the lack of fit max(1, ḡᵀ V⁻¹ ḡ/D)
 *   skewed       coefficients near separation have the mean and the deviation of their profile   {@link SkewedCoefficients}
 *   covariance   (information + Λ)⁻¹, with {@link NestedTerms} given back the prior's width, no direction wider than the prior's
 *   with groups  means and covariances of the mixture over the deviations of groups   {@link GroupDeviations}
 *   plain        (H J⁻¹ H + Λ)⁻¹ without weights and noise: what the same records would have given without privacy
 * </pre>
 *
 * @param mean of z-coefficients, then logarithms of extra parameters
 * @param covariance of both
 * @param withoutNoise the covariance that the same records would give without privacy: no noise, no weights
 * @param flags pairs of terms that the released numbers cannot tell apart
 * @param skewed coefficients whose likelihood is far from Gaussian; none with groups, whose profiles are not looked at
 * @param groups the standard deviations of group effects, which stand between columns and extra parameters
 */
public record LikelihoodEstimate(
        double[] mean,
        double[] covariance,
        double[] withoutNoise,
        List<NestedTerms.Flag> flags,
        boolean[] skewed,
        Optional<LikelihoodEstimate.Groups> groups) {
    private static final double CURVATURE_DISCOUNT = 0.7 * 3;

    /**
     * What group effects add.
     *
     * @param grids values of each term's standard deviation, for effects of z
     * @param weights of their cells
     * @param scores covariance of all coordinates with the normal score of each deviation, coordinate after coordinate
     * @param scoreCovariance of the scores among each other
     */
    public record Groups(double[][] grids, double[][] weights, double[] scores, double[] scoreCovariance) {}

    /**
     * What a solver has in the end.
     *
     * @param mode the last pass without averages over the posterior, which may be the same
     * @param pass the last one
     * @param noiseOfExtra the inverse of the information on logarithms of extra parameters from noise alone
     */
    record Sums(
            GlmGeometry geometry,
            LearnedCurvature learned,
            TwinRound newest,
            SolverPass mode,
            SolverPass pass,
            double[] extra,
            double[] noiseOfExtra) {
        private int all() {
            return geometry.d + extra.length;
        }

        /** The information about all coordinates, without priors. */
        private double[] information() {
            int d = geometry.d;
            double[] scaling = discount(d, learned, pass.local());
            double misfit = misfit(geometry, pass);
            if (extra.length > 0) {
                return JointInformation.of(geometry, newest, pass, extra, noiseOfExtra, scaling, misfit);
            }
            return discounted(scaling, misfit, pass);
        }

        /** (information + Λ)⁻¹. */
        private double[] covariance(double[] information, double[] precision) {
            int d = geometry.d;
            double[] sum = information.clone();
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    sum[i * all() + j] += precision[i * d + j];
                }
            }
            for (int k = d; k < all(); k++) {
                sum[k * all() + k] += ExtraParameters.PRIOR_PRECISION;
            }
            return Matrices.inverse(all(), sum);
        }

        /** Without groups. */
        LikelihoodEstimate estimate(GlmPrior.Standard prior) {
            double[] precision =
                    SolverPass.Prior.of(geometry, prior, new double[0]).precision();
            double[] joint = covariance(information(), precision);
            return standard(prior, pass.theta(), joint, precision, Optional.empty());
        }

        /** The mixture over the standard deviations of groups. */
        LikelihoodEstimate estimate(
                GlmPrior.Standard prior, GroupDeviations deviations, GroupDeviations.Evidence evidence) {
            GroupDeviations.Mixture mixture = deviations.mixture(evidence);
            double[] information = information();
            int d = geometry.d;
            int all = all();
            int terms = mixture.weights().length;
            double[][] cellScores = new double[terms][];
            for (int t = 0; t < terms; t++) {
                cellScores[t] =
                        new GroupedPosterior.Deviation(0, 0, deviations.grids()[t], mixture.weights()[t]).scores();
            }
            double[] mean = new double[d];
            double[] within = new double[all * all];
            double[] between = new double[d * d];
            double[] scores = new double[all * terms];
            double[] scoreCovariance = Matrices.diagonal(ones(terms));
            int families = mixture.families().size();
            for (List<GroupDeviations.Node> nodes : mixture.families()) {
                List<double[]> means = new ArrayList<>();
                double[] middle = new double[d];
                for (GroupDeviations.Node node : nodes) {
                    double[] precision = evidence.precision().clone();
                    GroupDeviations.addPrecision(geometry.groups().orElseThrow(), node.deviations(), d, precision);
                    double[] point = Matrices.times(d, Matrices.inverse(d, precision), evidence.pull());
                    means.add(point);
                    double[] covariance = covariance(
                            information,
                            SolverPass.Prior.of(geometry, prior, node.deviations())
                                    .precision());
                    for (int i = 0; i < all * all; i++) {
                        within[i] += node.weight() / families * covariance[i];
                    }
                    for (int i = 0; i < d; i++) {
                        middle[i] += node.weight() * point[i];
                    }
                }
                for (int k = 0; k < nodes.size(); k++) {
                    GroupDeviations.Node node = nodes.get(k);
                    double[] off = Matrices.minus(means.get(k), middle);
                    for (int i = 0; i < d; i++) {
                        for (int j = 0; j < d; j++) {
                            between[i * d + j] += node.weight() * off[i] * off[j];
                        }
                        for (int t = 0; t < terms; t++) {
                            scores[i * terms + t] +=
                                    node.places()[t] < 0 ? 0 : node.weight() * off[i] * cellScores[t][node.places()[t]];
                        }
                    }
                    if (families == 1 && terms == 2) {
                        scoreCovariance[1] +=
                                node.weight() * cellScores[0][node.places()[0]] * cellScores[1][node.places()[1]];
                    }
                }
                mean = Matrices.plus(mean, 1.0 / families, middle);
            }
            if (terms == 2) {
                scoreCovariance[1] = Matrices.clamp(scoreCovariance[1], -0.95, 0.95);
                scoreCovariance[2] = scoreCovariance[1];
            }
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    within[i * all + j] += between[i * d + j];
                }
            }
            double[] middlePrecision =
                    SolverPass.Prior.of(geometry, prior, deviations.values()).precision();
            double[] whitening = geometry.whitening;
            double[] natural = new double[all * terms];
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    for (int t = 0; t < terms; t++) {
                        natural[i * terms + t] += whitening[i * d + j] * scores[j * terms + t];
                    }
                }
            }
            return standard(
                    prior,
                    mean,
                    within,
                    middlePrecision,
                    Optional.of(new Groups(deviations.grids(), mixture.weights(), natural, scoreCovariance)));
        }

        private static double[] ones(int n) {
            double[] ones = new double[n];
            Arrays.fill(ones, 1);
            return ones;
        }

        /** In standardised coordinates, with what is nested given back its width. */
        private LikelihoodEstimate standard(
                GlmPrior.Standard prior, double[] theta, double[] joint, double[] precision, Optional<Groups> groups) {
            int d = geometry.d;
            int all = all();
            double[] toStandard = Matrices.padded(d, geometry.whitening, all);
            double[] covariance = Matrices.congruent(all, toStandard, joint);
            double[] mean = Arrays.copyOf(Matrices.times(d, geometry.whitening, theta), all);
            boolean[] skewed = groups.isPresent() ? new boolean[d] : withProfiles(prior, joint, mean, covariance);
            List<NestedTerms.Flag> flags = NestedTerms.find(geometry);
            covariance = withinPrior(NestedTerms.widened(covariance, all, geometry.width, flags, prior), all, d, prior);
            double[] plain = Matrices.congruent(
                    all, toStandard, withoutNoise(geometry, learned, pass.theta(), extra, precision, joint));
            for (int k = 0; k < extra.length; k++) {
                mean[d + k] = Math.log(extra[k]);
            }
            return new LikelihoodEstimate(mean, covariance, plain, flags, skewed, groups);
        }

        /** Gives skewed coefficients the mean and the deviation of their profile, in place. */
        private boolean[] withProfiles(GlmPrior.Standard prior, double[] joint, double[] mean, double[] covariance) {
            int d = geometry.d;
            int all = all();
            double[] scaling = discount(d, learned, pass.local());
            double misfit = misfit(geometry, pass);
            double[] discounted = discounted(scaling, misfit, pass);
            SkewedCoefficients skewed = SkewedCoefficients.of(
                    geometry,
                    learned,
                    newest,
                    mode,
                    extra,
                    joint,
                    all,
                    discounted,
                    pass.information(),
                    SolverPass.Prior.of(geometry, prior, new double[0]),
                    prior);
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
            return skewed.skewed();
        }
    }

    /** The covariance of coefficients by their own sums alone, with all that is uncertain about the curvature. */
    static double[] coefficients(
            GlmGeometry geometry, LearnedCurvature learned, SolverPass pass, SolverPass.Prior prior) {
        double[] information = discounted(discount(geometry.d, learned, pass.local()), misfit(geometry, pass), pass);
        return Matrices.inverse(geometry.d, Matrices.plus(information, 1, prior.precision()));
    }

    private static double[] discounted(double[] scaling, double misfit, SolverPass pass) {
        double[] information = Matrices.mapped(pass.before().length, scaling, pass.information());
        for (int i = 0; i < information.length; i++) {
            information[i] /= misfit;
        }
        return information;
    }

    /** ḡᵀ V⁻¹ ḡ/D, at least 1; without noise the newest sums are exact at the estimate, and there is no lack of fit to learn. */
    private static double misfit(GlmGeometry geometry, SolverPass pass) {
        return geometry.isExact()
                ? 1
                : Math.max(1, Matrices.form(geometry.d, pass.precisionOfSum(), pass.residual()) / geometry.d);
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
        GlmFamily family = geometry.model.family();
        int directions = family.directions().length;
        double[] slopes = new double[n * directions];
        double[] variances = new double[n * directions];
        for (int r = 0; r < n; r++) {
            family.ownSlopes(references, r * size, slopes, r * directions);
            family.ownVariances(references, r * size, variances, r * directions);
            Matrices.scale(geometry.omega[r], slopes, r * directions, directions);
            Matrices.scale(geometry.omega[r], variances, r * directions, directions);
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

    /**
     * No direction of z-coefficients and extra parameters is wider than the prior's. Group effects are not capped: given
     * their deviation they are narrower than the prior by construction.
     *
     * @param d where extra parameters begin; group effects stand between them and the columns
     */
    private static double[] withinPrior(double[] covariance, int all, int d, GlmPrior.Standard prior) {
        int columns = prior.precision().length;
        int extras = all - d;
        int n = columns + extras;
        double[] root = new double[n];
        int[] places = new int[n];
        for (int j = 0; j < n; j++) {
            root[j] = Math.sqrt(j < columns ? prior.precision()[j] : ExtraParameters.PRIOR_PRECISION);
            places[j] = j < columns ? j : d + j - columns;
        }
        double[] relative = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                relative[i * n + j] = covariance[places[i] * all + places[j]] * root[i] * root[j];
            }
        }
        SymmetricEigen eigen = Matrices.eigen(n, relative);
        if (eigen.values()[n - 1] <= 1) {
            return covariance;
        }
        double[] capped = Matrices.function(eigen, value -> Math.min(value, 1));
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                capped[i * n + j] /= root[i] * root[j];
            }
        }
        if (n == all) {
            return capped;
        }
        return withBlock(
                covariance,
                all,
                places,
                root,
                capped,
                Matrices.function(
                        Matrices.eigen(n, relative), value -> Math.sqrt(Math.min(1, 1 / Math.max(value, 1e-300)))));
    }

    /** The covariance with a block replaced by M block Mᵀ, and what it has in common with the others moved along. */
    private static double[] withBlock(
            double[] covariance, int all, int[] places, double[] root, double[] block, double[] shrinkage) {
        int n = places.length;
        boolean[] inside = new boolean[all];
        for (int place : places) {
            inside[place] = true;
        }
        double[] result = covariance.clone();
        for (int other = 0; other < all; other++) {
            if (inside[other]) {
                continue;
            }
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++) {
                    sum += shrinkage[i * n + j] * root[j] * covariance[places[j] * all + other];
                }
                result[places[i] * all + other] = sum / root[i];
                result[other * all + places[i]] = sum / root[i];
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                result[places[i] * all + places[j]] = block[i * n + j];
            }
        }
        return result;
    }
}
