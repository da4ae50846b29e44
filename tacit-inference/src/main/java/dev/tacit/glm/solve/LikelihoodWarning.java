package dev.tacit.glm.solve;

import dev.tacit.glm.family.QuasiPoisson;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Something that a reader must know about an interval, found in released numbers alone and to be said beside it.
 *
 * <pre>
 *   NESTED          two terms of which only a sum is known: canonical correlation of the released moments   {@link NestedTerms}
 *   SKEWED          a likelihood far from Gaussian, as near separation: the interval follows its profile   {@link SkewedCoefficients}
 *   UNINFORMED      the posterior has at least 0.8 of the prior's standard deviation: its interval is the prior's
 *   OVERDISPERSED   a Poisson fit whose overdispersion is above 1.5 with probability 0.95
 * </pre>
 *
 * @param kind what it is
 * @param names the parameters concerned, as the posterior names them
 * @param sentence what it means and what to do, without a full stop
 */
public record LikelihoodWarning(Kind kind, List<String> names, String sentence) {
    /** What can be found. */
    public enum Kind {
        NESTED,
        SKEWED,
        UNINFORMED,
        OVERDISPERSED
    }

    private static final double UNINFORMED_SHARE = 0.8;
    private static final double OVERDISPERSION = 1.5;
    private static final double QUANTILE = 1.6448536269514722;

    /** A sentence has at most so many. */
    private static final int MOST_NAMES = 6;

    /** A column takes part in a nested direction from this share of its largest entry. */
    private static final double TAKES_PART = 0.25;

    public LikelihoodWarning {
        names = List.copyOf(names);
    }

    /** All that there is to say about an estimate. */
    public static List<LikelihoodWarning> of(
            GlmModel model, LikelihoodEstimate estimate, Posterior posterior, Posterior prior) {
        List<LikelihoodWarning> warnings = new ArrayList<>();
        List<String> columns = model.coefficientNames();
        int width = model.design().size();
        for (NestedTerms.Flag flag : estimate.flags()) {
            warnings.add(nested(columns, width, flag));
        }
        List<String> skewed = new ArrayList<>();
        List<String> uninformed = new ArrayList<>();
        double[] after = posterior.standardDeviation();
        double[] before = prior.standardDeviation();
        for (int j = 1; j < columns.size(); j++) {
            if (j % width == 0) {
                continue; // an intercept
            }
            if (after[j] >= UNINFORMED_SHARE * before[j]) {
                uninformed.add(columns.get(j));
            } else if (estimate.skewed()[j]) {
                skewed.add(columns.get(j));
            }
        }
        if (!skewed.isEmpty()) {
            warnings.add(new LikelihoodWarning(
                    Kind.SKEWED,
                    skewed,
                    "the records bound " + list(skewed) + " better on one side than on the other, as where next to"
                            + " nobody has the outcome: the far end of the interval leans on the prior"));
        }
        if (!uninformed.isEmpty()) {
            warnings.add(new LikelihoodWarning(
                    Kind.UNINFORMED,
                    uninformed,
                    "the records add next to nothing to the prior of " + list(uninformed)
                            + ": what is printed is the prior"));
        }
        int at = columns.size();
        if (model.family() instanceof QuasiPoisson
                && posterior.mean()[at] - QUANTILE * after[at] > Math.log(OVERDISPERSION)) {
            warnings.add(new LikelihoodWarning(
                    Kind.OVERDISPERSED,
                    List.of(model.parameterNames().get(at)),
                    String.format(
                            Locale.ROOT,
                            "the counts vary %.1f times as much as Poisson counts would; fit the family"
                                    + " negative-binomial, whose intervals allow for that",
                            Math.exp(posterior.mean()[at]))));
        }
        return warnings;
    }

    private static LikelihoodWarning nested(List<String> columns, int width, NestedTerms.Flag flag) {
        double most = 0;
        for (int j = 1; j < columns.size(); j++) {
            most = j % width == 0 ? most : Math.max(most, Math.abs(flag.direction()[j]));
        }
        List<String> names = new ArrayList<>();
        for (int j = 1; j < columns.size(); j++) {
            if (j % width != 0 && Math.abs(flag.direction()[j]) >= TAKES_PART * most) {
                names.add(columns.get(j));
            }
        }
        return new LikelihoodWarning(
                Kind.NESTED,
                names,
                String.format(
                        Locale.ROOT,
                        "the terms of %s and %s cannot be told apart (canonical correlation %.2f): only sums of their"
                                + " effects are known, each alone has the width of its prior; leave one of them out",
                        columns.get(flag.first()),
                        columns.get(flag.second()),
                        flag.correlation()));
    }

    private static String list(List<String> names) {
        int n = names.size();
        if (n > MOST_NAMES) {
            return String.join(", ", names.subList(0, MOST_NAMES - 1)) + " and " + (n - MOST_NAMES + 1) + " others";
        }
        return n == 1 ? names.get(0) : String.join(", ", names.subList(0, n - 1)) + " and " + names.get(n - 1);
    }
}
