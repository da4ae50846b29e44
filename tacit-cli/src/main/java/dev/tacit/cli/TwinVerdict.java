package dev.tacit.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What simulated twins say about the intervals of a fit, in one of four words and one sentence.
 *
 * <pre>
 *   c      share of 90 % intervals that hold the truth,  s its standard error over twins, which are independent
 *   m      t s, t the 99.5 % point of Student's distribution with twins − 1 degrees of freedom
 *   narrow     c &lt; 0.9 − m, or a parameter is held so rarely that a right one would be in 1 of 100 fits, all parameters together
 *   cautious   c &gt; 0.9 + m
 *   uneven     the error of TARP is beyond its 99 % point, or truths are not spread evenly among posterior draws (p &lt; 0.01)
 *   no fault   none of these; coverage below 0.9 − m would have shown
 * </pre>
 *
 * Every line of the tables that are printed beside it is read by one of the rules, so the two cannot contradict each
 * other.
 *
 * @param kind the word
 * @param sentence for people
 */
record TwinVerdict(Kind kind, String sentence) {
    /** What was found. */
    enum Kind {
        TOO_NARROW("too-narrow"),
        CAUTIOUS("cautious"),
        UNEVEN("uneven"),
        NO_FAULT_SEEN("no-fault-seen");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As it is written in files. */
        String label() {
            return label;
        }
    }

    private static final double LEVEL = 0.9;
    private static final double FALSE_ALARM = 0.01;
    private static final int MOST_NAMED = 3;

    static TwinVerdict of(TwinCoverage.Result result) {
        double margin = margin(result);
        double share = result.coverage();
        List<String> narrow = narrowParameters(result);
        if (!narrow.isEmpty()
                && 2 * narrow.size() <= result.scores().coordinates().size()) {
            return new TwinVerdict(
                    Kind.TOO_NARROW,
                    "The intervals of " + named(narrow) + " are too narrow: do not take them at their word.");
        }
        if (share < LEVEL - margin || !narrow.isEmpty()) {
            return new TwinVerdict(Kind.TOO_NARROW, "The intervals are too narrow: do not take them at their word.");
        }
        if (share > LEVEL + margin) {
            return new TwinVerdict(
                    Kind.CAUTIOUS, "The intervals are cautious: the truth lies in them more often than they say.");
        }
        TwinScores scores = result.scores();
        if (scores.tarp().values().stream()
                        .anyMatch(error -> error > scores.calibrated().percentile99())
                || scores.rankPValue() < FALSE_ALARM) {
            return new TwinVerdict(
                    Kind.UNEVEN,
                    "The intervals hold the truth as often as they say, but it does not lie evenly in them: take"
                            + " single tails and joint statements with care.");
        }
        return new TwinVerdict(
                Kind.NO_FAULT_SEEN,
                String.format(
                        Locale.ROOT,
                        "Nothing speaks against the intervals; a coverage below %.0f%% would have shown.",
                        100 * Math.max(0, LEVEL - margin)));
    }

    /** How far the share may be from 90 % before it is called off. */
    static double margin(TwinCoverage.Result result) {
        double[] shares = result.shareOfTwin();
        int twins = shares.length;
        double squares = 0;
        for (double share : shares) {
            squares += (share - result.coverage()) * (share - result.coverage());
        }
        double intervalsOfOne = (double) result.intervals() / twins;
        double independent = LEVEL * (1 - LEVEL) / intervalsOfOne;
        double variance = twins < 2 ? LEVEL * (1 - LEVEL) : Math.max(independent, squares / (twins - 1));
        return studentPoint(twins) * Math.sqrt(variance / twins);
    }

    /** The 99.5 % point of Student's distribution, from above by at most 4 % from 3 degrees of freedom on. */
    private static double studentPoint(int twins) {
        return twins < 4 ? 10 : 2.576 + 5.8 / (twins - 1) + 4.0 / ((double) (twins - 1) * (twins - 1));
    }

    /** The largest share of twins at which a parameter that covers 90 % is seen in fewer than 1 of 100 fits. */
    static double parameterLimit(int twins, int parameters) {
        double below = 0;
        double term = Math.pow(1 - LEVEL, twins);
        for (int hits = 0; hits <= twins; hits++) {
            below += term;
            if (below > FALSE_ALARM / parameters) {
                return (hits - 1.0) / twins;
            }
            term *= (twins - hits) / (hits + 1.0) * LEVEL / (1 - LEVEL);
        }
        return 1;
    }

    private static List<String> narrowParameters(TwinCoverage.Result result) {
        List<TwinScores.Coordinate> all = result.scores().coordinates();
        double limit = parameterLimit(result.twins(), all.size());
        List<String> narrow = new ArrayList<>();
        for (TwinScores.Coordinate one : all) {
            if (one.coverage90() <= limit + 1e-9) {
                narrow.add(one.name());
            }
        }
        return narrow;
    }

    private static String named(List<String> names) {
        List<String> shown = names.subList(0, Math.min(MOST_NAMED, names.size()));
        String list = String.join(", ", shown);
        return names.size() > shown.size() ? list + " and " + (names.size() - shown.size()) + " more" : list;
    }
}
