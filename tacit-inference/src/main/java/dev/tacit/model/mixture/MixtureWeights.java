package dev.tacit.model.mixture;

import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.posterior.family.DirichletPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The weights of a mixture from noisy sums of responsibilities.
 *
 * <p>Counts are moved to the nearest ones that are not negative and sum to N, and to the noise's standard deviation at
 * least, so that no component is lost for good. The Dirichlet posterior is widened until the variances of weights, summed,
 * are those of its own and of the noise.
 */
final class MixtureWeights {
    static final double PRIOR_WEIGHT = 1;
    private static final double LEAST_CONCENTRATION = 1e-3;

    private MixtureWeights() {}

    /** {@code component-1}, {@code component-2}, ... */
    static List<String> names(int components) {
        List<String> names = new ArrayList<>();
        for (int k = 1; k <= components; k++) {
            names.add("component-" + k);
        }
        return names;
    }

    /** Repaired counts, from the first numbers of the statistics. */
    static double[] counts(double[] statistics, int components, long publicSize, double noise) {
        double[] counts = Arrays.copyOf(statistics, components);
        DirichletCategorical.projectToSimplex(counts, (double) publicSize);
        for (int k = 0; k < components; k++) {
            counts[k] = Math.max(counts[k], Math.min(noise, publicSize / (2.0 * components)));
        }
        return counts;
    }

    /** Dirichlet(PRIOR_WEIGHT + counts), widened by the noise. */
    static DirichletPosterior posterior(double[] counts, long publicSize, double noise) {
        int components = counts.length;
        double total = components * PRIOR_WEIGHT + publicSize;
        double spread = 1;
        for (double count : counts) {
            double weight = (PRIOR_WEIGHT + count) / total;
            spread -= weight * weight;
        }
        double variance = spread / (total + 1) + components * noise * noise / total / total;
        double matched = noise > 0 ? ConjugatePair.matchedTotal(spread, variance, total) : total;
        double[] concentration = new double[components];
        for (int k = 0; k < components; k++) {
            concentration[k] = Math.max(LEAST_CONCENTRATION, (PRIOR_WEIGHT + counts[k]) * matched / total);
        }
        return new DirichletPosterior(names(components), concentration);
    }
}
