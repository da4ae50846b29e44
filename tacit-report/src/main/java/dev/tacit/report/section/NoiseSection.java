package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.ColumnChart;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.StripPlot;
import dev.tacit.report.text.Rounding;
import java.util.Arrays;
import java.util.List;

/**
 * How much noise is in what was released: the answer to "changing epsilon changes nothing".
 *
 * <p>The ratio compares the expected length of the noise with the length of the released, noisy sum, so it costs no
 * budget; a sum of nothing but noise has a ratio near 1.
 */
public final class NoiseSection {
    static final int MOST_NAMED = 24;
    private static final double CAP = 2;

    private NoiseSection() {}

    /** The section. */
    public static Section of(List<ReleaseNoise> releases) {
        String title = "How much of it is noise";
        double[] ratios = releases.stream()
                .mapToDouble(ReleaseNoise::noiseToSignal)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        if (ratios.length == 0) {
            return new Section(title, List.of("The noise of the releases was not recorded."), List.of());
        }
        return new Section(
                title, prose(ratios), List.of(releases.size() <= MOST_NAMED ? named(releases) : columns(releases)));
    }

    private static List<String> prose(double[] sorted) {
        long lost = Arrays.stream(sorted).filter(ratio -> ratio >= 1).count();
        double median = sorted[sorted.length / 2];
        String level = sorted.length == 1
                ? "The noise is " + Rounding.nearest(median, 2) + " times as long as the released sum."
                : "In the middle release, the noise is " + Rounding.nearest(median, 2)
                        + " times as long as the released sum.";
        String verdict;
        if (lost == 0) {
            verdict = median < 0.5
                    ? "The data speaks louder than the noise."
                    : "The noise is felt: a larger budget, more records or fewer releases would sharpen the result.";
        } else {
            String which = lost == sorted.length
                    ? sorted.length == 1 ? "It reaches 1" : "All releases reach 1"
                    : Rounding.count(lost) + " of " + Rounding.count(sorted.length)
                            + (lost == 1 ? " reaches 1" : " reach 1");
            verdict = which
                    + ", where a sum is nothing but noise: a larger budget, more records or fewer releases"
                    + " would help more than more steps.";
        }
        return List.of(level + " " + verdict);
    }

    private static Exhibit named(List<ReleaseNoise> releases) {
        double largest = releases.stream()
                .mapToDouble(ReleaseNoise::noiseToSignal)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        Axis axis = new Axis("noise / released sum", 0, Math.max(1.2, Math.min(CAP, 1.05 * largest)), false);
        List<StripPlot.Row> rows = releases.stream()
                .map(release -> {
                    String ratio = Rounding.decimals(release.noiseToSignal(), 2);
                    int colour = release.noiseToSignal() >= 1 ? 1 : 0;
                    StripPlot.Mark bar = new StripPlot.Mark(StripPlot.Shape.BAR, 0, release.noiseToSignal(), colour, 0);
                    return new StripPlot.Row(
                            release.label(),
                            Markup.shortened(release.label(), 80) + ": " + ratio,
                            List.of(bar),
                            List.of(ratio));
                })
                .toList();
        return new StripPlot(
                "Noise against signal.",
                "Expected length of the noise over the length of the released sum; at the line, 1, there is nothing but"
                        + " noise.",
                "release",
                axis,
                1,
                List.of("ratio"),
                List.of(),
                rows);
    }

    private static Exhibit columns(List<ReleaseNoise> releases) {
        ColumnChart chart = new ColumnChart(
                "Noise against signal.",
                "Noise-to-signal ratio of " + Rounding.count(releases.size()) + " releases in order.",
                "release",
                "noise / released sum",
                1,
                "1: nothing but noise",
                CAP,
                releases.stream().map(ReleaseNoise::noiseToSignal).toList());
        return new Figure(
                chart,
                "Expected length of the noise over the length of each released sum, in order"
                        + (chart.perColumn() > 1
                                ? "; a column stands for " + chart.perColumn() + " releases and shows the largest."
                                : "."));
    }
}
