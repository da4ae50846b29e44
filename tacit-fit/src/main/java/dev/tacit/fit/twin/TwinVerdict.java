package dev.tacit.fit.twin;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

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
 * Too narrow intervals are shown wider: single ones by their own 90 % point of |truth − median| over the distance of the interval's end,
 * and the rest, if their c is too low, by their common one. Every line of the tables that are printed beside it is read by one of the rules, so the two cannot contradict each
 * other.
 *
 * @param kind the word
 * @param sentence for people
 */
public record TwinVerdict(Kind kind, String sentence) {
    /** What was found. */
    public enum Kind {
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

    /** Wider than this is no interval any more. */
    private static final double LARGEST_FACTOR = 1000;

    public static TwinVerdict of(TwinCoverage.Result result) {
        double margin = margin(result);
        double share = result.coverage();
        Widening widening = widening(result);
        if (!widening.isNone()) {
            return new TwinVerdict(Kind.TOO_NARROW, narrow(widening, result));
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
    public static double margin(TwinCoverage.Result result) {
        return margin(result.reaches());
    }

    private static double margin(double[][] reaches) {
        int twins = reaches.length;
        double share = share(reaches);
        double squares = 0;
        for (double[] one : reaches) {
            double own = share(one);
            squares += (own - share) * (own - share);
        }
        double independent = LEVEL * (1 - LEVEL) / reaches[0].length;
        double variance = twins < 2 ? LEVEL * (1 - LEVEL) : Math.max(independent, squares / (twins - 1));
        return studentPoint(twins) * Math.sqrt(variance / twins);
    }

    /** Share of intervals that hold the truth. */
    private static double share(double[]... reaches) {
        return Arrays.stream(reaches)
                .flatMapToDouble(Arrays::stream)
                .map(reach -> reach <= 1 ? 1 : 0)
                .average()
                .orElseThrow();
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

    /** What makes intervals of twins hold the truth as often as they say. */
    public static Widening widening(TwinCoverage.Result result) {
        List<TwinScores.Coordinate> all = result.scores().coordinates();
        double[][] reaches = result.reaches();
        double limit = parameterLimit(result.twins(), all.size()) + 1e-9;
        int[] places = IntStream.range(0, all.size()).toArray();
        List<Integer> single = Arrays.stream(places)
                .filter(place -> share(column(reaches, place)) <= limit)
                .boxed()
                .toList();
        boolean few = 2 * single.size() <= places.length;
        double[][] rest = few
                ? columns(
                        reaches,
                        Arrays.stream(places)
                                .filter(place -> !single.contains(place))
                                .toArray())
                : reaches;
        double common = share(rest) < LEVEL - margin(rest) || !few
                ? point(Arrays.stream(rest).flatMapToDouble(Arrays::stream).toArray())
                : 1;
        Map<String, Double> factors = new LinkedHashMap<>();
        for (int place : places) {
            double factor = single.contains(place) ? Math.max(common, point(column(reaches, place))) : common;
            if (factor > 1) {
                factors.put(all.get(place).name(), Math.min(factor, LARGEST_FACTOR));
            }
        }
        return new Widening(factors);
    }

    private static double[] column(double[][] reaches, int place) {
        return Arrays.stream(reaches).mapToDouble(of -> of[place]).toArray();
    }

    private static double[][] columns(double[][] reaches, int... places) {
        return Arrays.stream(reaches)
                .map(of -> Arrays.stream(places).mapToDouble(place -> of[place]).toArray())
                .toArray(double[][]::new);
    }

    /** The number that 90 % do not exceed. */
    private static double point(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(LEVEL * sorted.length) - 1];
    }

    private static String narrow(Widening widening, TwinCoverage.Result result) {
        List<String> names = List.copyOf(widening.factors().keySet());
        boolean all = names.size() == result.scores().coordinates().size();
        boolean same = widening.factors().values().stream().distinct().count() == 1;
        double least = widening.factors().values().stream()
                .mapToDouble(Double::doubleValue)
                .min()
                .orElseThrow();
        double most = widening.factors().values().stream()
                .mapToDouble(Double::doubleValue)
                .max()
                .orElseThrow();
        String factor = same
                ? String.format(Locale.ROOT, "%.2f times", most)
                : String.format(Locale.ROOT, "%.2f to %.2f times", least, most);
        return "The posterior's intervals" + (all ? "" : " of " + named(names)) + " are too narrow; "
                + (all ? "those shown" : "theirs are shown") + (all ? " are " : " ") + factor
                + " as wide, as the twins need them.";
    }

    private static String named(List<String> names) {
        List<String> shown = names.subList(0, Math.min(MOST_NAMED, names.size()));
        String list = String.join(", ", shown);
        return names.size() > shown.size() ? list + " and " + (names.size() - shown.size()) + " more" : list;
    }
}
