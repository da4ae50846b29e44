package dev.tacit.fit.twin;

import dev.tacit.diagnostics.SimulatedFit;
import dev.tacit.diagnostics.TarpCoverage;
import dev.tacit.diagnostics.UniformHistogram;
import dev.tacit.fit.text.TextTable;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How posteriors of simulated twins stand to the truths that made them, coordinate by coordinate and all together.
 *
 * @param twins how many
 * @param coordinates scores of each
 * @param tarp by the name of the variant: reference points around the fit, and the same whitened. Points
 *     that do not move with the fit would ask for truths from the prior, and twins have theirs from a posterior
 * @param calibrated what the error of TARP is if all posteriors are right
 * @param width mean over coordinates of the standard deviation over that without privacy noise; empty if there is none
 */
public record TwinScores(
        int twins,
        List<Coordinate> coordinates,
        Map<String, Double> tarp,
        TarpCoverage.NullDistribution calibrated,
        OptionalDouble width) {
    static final String AROUND_FIT = "around the fit";
    static final String WHITENED = "around the fit, whitened";
    private static final int REFERENCE_DRAWS = 20;
    private static final int NULL_REPETITIONS = 2_000;
    private static final int FEWEST_PER_BIN = 5;
    private static final int MOST_BINS = 10;
    private static final int MOST_SHOWN = 8;

    /**
     * One parameter.
     *
     * @param coverage50 share of twins whose central 50 % interval holds the truth
     * @param coverage90 the same for 90 %
     * @param tarp error of TARP of this parameter alone
     * @param rankPValue of evenly distributed ranks of the truth among posterior draws
     * @param width standard deviation over that without privacy noise; NaN if there is none
     */
    record Coordinate(
            String name, double coverage50, double coverage90, double tarp, double rankPValue, double width) {}

    /**
     * One twin.
     *
     * @param fit truth and draws
     * @param deviations of the posterior
     * @param plainDeviations of what would be known without privacy noise; empty if that is not known
     */
    public record Twin(SimulatedFit fit, double[] deviations, double[] plainDeviations) {}

    /** Scores twins. */
    public static TwinScores of(List<String> names, List<Twin> twins, long seed) {
        List<SimulatedFit> fits = twins.stream().map(Twin::fit).toList();
        RandomStream random = RandomStream.ofSeed(seed).fork("references");
        int d = names.size();
        List<Coordinate> coordinates = new ArrayList<>();
        double widths = 0;
        for (int j = 0; j < d; j++) {
            double[] ranks = ranks(fits, j);
            double width = width(twins, j);
            widths += width / d;
            coordinates.add(new Coordinate(
                    names.get(j),
                    within(ranks, 0.5),
                    within(ranks, 0.9),
                    tarp(SimulatedFit.marginal(fits, j), TarpCoverage.References.AROUND_CENTRE, random),
                    UniformHistogram.ofTransforms(ranks, bins(twins.size())).pValue(),
                    width));
        }
        Map<String, Double> tarp = new LinkedHashMap<>();
        tarp.put(AROUND_FIT, tarp(fits, TarpCoverage.References.AROUND_CENTRE, random));
        try {
            tarp.put(WHITENED, tarp(SimulatedFit.whitened(fits), TarpCoverage.References.AROUND_CENTRE, random));
        } catch (IllegalArgumentException e) {
            tarp.remove(WHITENED); // a posterior that keeps two parameters tied has no inverse covariance
        }
        return new TwinScores(
                twins.size(),
                coordinates,
                tarp,
                TarpCoverage.nullDistribution(
                        twins.size(), fits.get(0).count(), NULL_REPETITIONS, RandomStream.ofSeed(seed)),
                Double.isNaN(widths) ? OptionalDouble.empty() : OptionalDouble.of(widths));
    }

    private static int bins(int twins) {
        return Math.max(2, Math.min(MOST_BINS, twins / FEWEST_PER_BIN));
    }

    /** Where the truths fall among the draws, between 0 and 1. */
    private static double[] ranks(List<SimulatedFit> fits, int coordinate) {
        double[] ranks = new double[fits.size()];
        for (int i = 0; i < ranks.length; i++) {
            SimulatedFit one =
                    SimulatedFit.marginal(fits.subList(i, i + 1), coordinate).get(0);
            ranks[i] = (UniformHistogram.rank(one.truth()[0], one.draws()) + 0.5) / (one.count() + 1);
        }
        return ranks;
    }

    private static double within(double[] ranks, double level) {
        int held = 0;
        for (double rank : ranks) {
            held += Math.abs(rank - 0.5) <= 0.5 * level ? 1 : 0;
        }
        return (double) held / ranks.length;
    }

    private static double width(List<Twin> twins, int coordinate) {
        double sum = 0;
        int count = 0;
        for (Twin twin : twins) {
            if (twin.plainDeviations().length > 0) {
                sum += twin.deviations()[coordinate] / twin.plainDeviations()[coordinate];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }

    /** The mean over draws of reference points. */
    private static double tarp(List<SimulatedFit> fits, TarpCoverage.References rule, RandomStream random) {
        double sum = 0;
        for (int r = 0; r < REFERENCE_DRAWS; r++) {
            sum += TarpCoverage.of(fits, rule, random.fork(r)).rootMeanSquaredError() / REFERENCE_DRAWS;
        }
        return sum;
    }

    double coverage50() {
        return coordinates.stream()
                .mapToDouble(Coordinate::coverage50)
                .average()
                .orElseThrow();
    }

    /** The smallest p-value of a parameter, times the number of parameters. */
    double rankPValue() {
        return Math.min(
                1,
                coordinates.size()
                        * coordinates.stream()
                                .mapToDouble(Coordinate::rankPValue)
                                .min()
                                .orElseThrow());
    }

    private long parametersBeyond99() {
        return coordinates.stream()
                .filter(one -> one.tarp() > calibrated.percentile99())
                .count();
    }

    /**
     * What was measured beside what correct posteriors would give, then the parameters that are furthest off.
     *
     * @param coverage90 share of 90 % intervals that held the truth
     * @param margin how far it may be off
     */
    public List<String> lines(double coverage90, double margin) {
        TextTable table = new TextTable(List.of(false, true, false));
        table.row("check", "measured", "if the posterior is right");
        String margin50 = String.format(Locale.ROOT, "0.50, give or take %.2f", margin * Math.sqrt(0.25 / 0.09));
        String margin90 = String.format(Locale.ROOT, "0.90, give or take %.2f", margin);
        table.row("50% intervals hold the truth", number(coverage50()), margin50);
        table.row("90% intervals hold the truth", number(coverage90), margin90);
        String usual = String.format(
                Locale.ROOT, "about %.3f; 99 %% below %.3f", calibrated.mean(), calibrated.percentile99());
        tarp.forEach((variant, error) -> table.row("TARP error, points " + variant, number(error), usual));
        table.row(
                "parameters with a TARP error beyond that",
                parametersBeyond99() + " of " + coordinates.size(),
                String.format(Locale.ROOT, "about %.1f", 0.01 * coordinates.size()));
        table.row("ranks of the truth are even, p-value", number(rankPValue()), "above 0.01");
        width.ifPresent(value ->
                table.row("width over that without privacy noise", number(value), "1 or more; less is sharper"));
        List<String> lines = new ArrayList<>(table.lines());
        lines.add("");
        lines.addAll(parameters());
        return lines;
    }

    /** One end of where the share of twins lies 99 times of 100 by the normal distribution. */
    private double central(double level, int side) {
        return Math.max(0, Math.min(1, level + side * 2.58 * Math.sqrt(level * (1 - level) / twins)));
    }

    private List<String> parameters() {
        TextTable table = new TextTable(List.of(false, true, true, true, true, true));
        table.row("parameter", "50%", "90%", "TARP", "ranks p", "width");
        table.row(
                "(a right one, 99 times of 100)",
                String.format(Locale.ROOT, "%.2f-%.2f", central(0.5, -1), central(0.5, 1)),
                String.format(Locale.ROOT, "from %.2f", TwinVerdict.parameterLimit(twins, 1) + 1.0 / twins),
                String.format(Locale.ROOT, "to %.3f", calibrated.percentile99()),
                "from 0.01",
                "");
        coordinates.stream()
                .sorted((a, b) -> Double.compare(b.tarp(), a.tarp()))
                .limit(MOST_SHOWN)
                .forEach(one -> table.row(
                        one.name(),
                        number(one.coverage50()),
                        number(one.coverage90()),
                        number(one.tarp()),
                        number(one.rankPValue()),
                        Double.isNaN(one.width()) ? "-" : number(one.width())));
        if (coordinates.size() > MOST_SHOWN) {
            table.row("and " + (coordinates.size() - MOST_SHOWN) + " more, closer to right", "", "", "", "", "");
        }
        return table.lines();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    /** The same with all digits. */
    public void put(Map<String, Object> object) {
        object.put("coverage50", coverage50());
        Map<String, Object> errors = new LinkedHashMap<>();
        errors.put("aroundFit", tarp.get(AROUND_FIT));
        if (tarp.containsKey(WHITENED)) {
            errors.put("whitened", tarp.get(WHITENED));
        }
        errors.put("ifRightMean", calibrated.mean());
        errors.put("ifRight95Below", calibrated.percentile95());
        errors.put("ifRight99Below", calibrated.percentile99());
        object.put("tarp", errors);
        object.put("rankPValue", rankPValue());
        width.ifPresent(value -> object.put("widthOverWithoutPrivacyNoise", value));
        List<Object> all = new ArrayList<>();
        for (Coordinate one : coordinates) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", one.name());
            entry.put("coverage50", one.coverage50());
            entry.put("coverage90", one.coverage90());
            entry.put("tarp", one.tarp());
            entry.put("rankPValue", one.rankPValue());
            if (!Double.isNaN(one.width())) {
                entry.put("widthOverWithoutPrivacyNoise", one.width());
            }
            all.add(entry);
        }
        object.put("parameters", all);
    }
}
