package dev.tacit.glm.solve;

import dev.tacit.glm.group.GroupDeviations;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How an estimate becomes a posterior in natural units: columns, logarithms of extra parameters, effects of groups, standard
 * deviations of groups.
 *
 * @param map from the estimate's coordinates (columns, groups, extra parameters) to natural units
 * @param groups what is known about deviations, on the scale of z; empty without groups
 */
public record GroupedResult(
        GlmGeometry geometry, GroupLayout layout, double[] map, Optional<LikelihoodEstimate.Groups> groups) {
    /** The same deviations, independent of the effects. */
    public GroupedResult withoutScores() {
        return new GroupedResult(
                geometry, layout, map, groups.map(known -> independent(known.grids(), known.weights())));
    }

    /** The deviations of a prior. */
    public GroupedResult ofPrior(GlmPrior.Standard prior) {
        if (groups.isEmpty()) {
            return this;
        }
        int terms = layout.terms.size();
        double[][] grids = new double[terms][];
        double[][] weights = new double[terms][];
        for (int t = 0; t < terms; t++) {
            grids[t] = GroupDeviations.grid(prior.groupScales()[t]);
            weights[t] = GroupDeviations.priorWeights(prior.groupScales()[t]);
        }
        return new GroupedResult(geometry, layout, map, Optional.of(independent(grids, weights)));
    }

    private LikelihoodEstimate.Groups independent(double[][] grids, double[][] weights) {
        int terms = grids.length;
        double[] ones = new double[terms];
        Arrays.fill(ones, 1);
        int all = (int) Math.round(Math.sqrt(map.length));
        return new LikelihoodEstimate.Groups(grids, weights, new double[all * terms], Matrices.diagonal(ones));
    }

    /** The posterior with these moments in natural units, in the estimate's order. */
    public Posterior posterior(double[] mean, double[] covariance) {
        List<String> names = geometry.model.parameterNames();
        if (groups.isEmpty()) {
            return gaussian(names, mean, covariance);
        }
        LikelihoodEstimate.Groups known = groups.get();
        int all = mean.length;
        int terms = layout.terms.size();
        int size = all + terms;
        double[] scores = new double[all * terms];
        LinearAlgebra.best().multiply(false, false, all, terms, all, 1, map, known.scores(), 0, scores);
        int[] order = order(all);
        double[] orderedMean = new double[size];
        double[] ordered = new double[size * size];
        for (int i = 0; i < all; i++) {
            orderedMean[i] = mean[order[i]];
            for (int j = 0; j < all; j++) {
                ordered[i * size + j] = covariance[order[i] * all + order[j]];
            }
            for (int t = 0; t < terms; t++) {
                ordered[i * size + all + t] = scores[order[i] * terms + t];
                ordered[(all + t) * size + i] = scores[order[i] * terms + t];
            }
        }
        for (int t = 0; t < terms; t++) {
            for (int u = 0; u < terms; u++) {
                ordered[(all + t) * size + all + u] = known.scoreCovariance()[t * terms + u];
            }
        }
        List<GroupedPosterior.Deviation> deviations = new ArrayList<>();
        int extras = all - layout.size();
        for (int t = 0; t < terms; t++) {
            int column = layout.terms.get(t).slope();
            double unit = Math.abs(map[column * all + column]);
            double[] values = known.grids()[t].clone();
            for (int k = 0; k < values.length; k++) {
                values[k] *= unit;
            }
            double centre = column == 0 ? 0 : -map[column] / unit;
            deviations.add(new GroupedPosterior.Deviation(
                    layout.coordinate(t, 0) + extras, centre, values, known.weights()[t]));
        }
        return new GroupedPosterior(gaussian(names, orderedMean, ordered), deviations);
    }

    /** Columns, extra parameters, groups. */
    private int[] order(int all) {
        int[] order = new int[all];
        int extras = all - layout.size();
        for (int i = 0; i < all; i++) {
            order[i] = i < layout.columns
                    ? i
                    : i < layout.columns + extras ? layout.size() + i - layout.columns : i - extras;
        }
        return order;
    }

    private static GaussianPosterior gaussian(List<String> names, double[] mean, double[] covariance) {
        int n = mean.length;
        double[] scale = new double[n];
        double[] correlation = covariance.clone();
        for (int i = 0; i < n; i++) {
            scale[i] = Math.sqrt(covariance[i * n + i]);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                correlation[i * n + j] /= scale[i] * scale[j];
            }
        }
        double[] factor = correlation.clone();
        if (LinearAlgebra.best().cholesky(n, factor) && LinearAlgebra.best().cholesky(n, covariance.clone())) {
            return new GaussianPosterior(names, mean, covariance);
        }
        double[] repaired = SymmetricMatrix.withEigenvaluesAtLeast(1e-10, n, correlation);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double entry = repaired[i * n + j] * scale[i] * scale[j];
                repaired[i * n + j] = entry;
                repaired[j * n + i] = entry;
            }
        }
        return new GaussianPosterior(names, mean, repaired);
    }
}
