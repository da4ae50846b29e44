package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Frame;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import dev.tacit.report.plot.ShareBar;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;

/**
 * What the budget bought: how it was shared out, and how epsilon grew.
 *
 * @param delta at which the epsilons hold
 * @param curve from left to right; empty if it is not known
 */
public record BudgetSection(List<PhaseRow> phases, double delta, List<EpsilonAfter> curve) {
    private static final int MOST_POINTS = 400;

    public BudgetSection {
        phases = List.copyOf(phases);
        curve = List.copyOf(curve);
    }

    /** The section. */
    public static Section of(List<PhaseRow> phases, double delta, List<EpsilonAfter> curve) {
        return new BudgetSection(phases, delta, curve).section();
    }

    private Section section() {
        List<Exhibit> exhibits = new ArrayList<>();
        if (!phases.isEmpty()) {
            exhibits.add(new ShareBar(
                    "Who got how much of the budget.",
                    "The whole bar is the budget of this run.",
                    phases.stream()
                            .map(phase -> new ShareBar.Share(phase.label(), phase.share()))
                            .toList()));
            exhibits.add(table());
        }
        List<EpsilonAfter> drawable = curve.stream()
                .filter(point -> point.epsilon() >= 0
                        && Double.isFinite(point.epsilon())
                        && point.releases() >= 0
                        && Double.isFinite(point.releases()))
                .toList();
        if (!drawable.isEmpty()) {
            exhibits.add(growth(thinned(drawable)));
        }
        long releases = phases.stream().mapToLong(PhaseRow::releases).sum();
        String prose = phases.isEmpty()
                ? "Nothing was released from the records."
                : "The records were touched " + (releases == 1 ? "once" : Rounding.count(releases) + " times")
                        + ", each time as one noisy sum. Everything else in this report is computed from those sums"
                        + " and costs nothing.";
        return new Section("What the budget bought", List.of(prose), exhibits);
    }

    private Table table() {
        List<List<String>> rows = phases.stream()
                .map(phase -> List.of(
                        phase.label(),
                        Rounding.count(phase.releases()),
                        phase.sampling(),
                        Rounding.typedOrDown(phase.noiseMultiplier()),
                        Rounding.share(phase.share())))
                .toList();
        return Table.of(
                "",
                List.of(
                        Table.Column.text("released"),
                        Table.Column.number("times"),
                        Table.Column.text("sampling"),
                        Table.Column.number("noise multiplier"),
                        Table.Column.number("share")),
                rows);
    }

    private Figure growth(List<EpsilonAfter> points) {
        EpsilonAfter last = points.get(points.size() - 1);
        double largest =
                points.stream().mapToDouble(EpsilonAfter::epsilon).max().orElse(1);
        List<Series.Point> line = new ArrayList<>();
        points.forEach(point -> line.add(new Series.Point(point.releases(), point.epsilon())));
        double most = points.stream().mapToDouble(EpsilonAfter::releases).max().orElse(1);
        Axis horizontal = new Axis("releases", 0, Math.max(1, most), false);
        String at = "\u03B5 \u2264 " + Rounding.up(last.epsilon(), 4);
        String title = "Epsilon against releases.";
        return new Figure(
                new LineChart(
                        title,
                        "Epsilon grows to at most " + Rounding.up(last.epsilon(), 4) + " after "
                                + Rounding.nearest(last.releases(), 6) + " releases.",
                        horizontal,
                        Axis.fromZero("\u03B5 (upper bound)", 1.15 * largest),
                        List.of(new Series("", 0, false, line)),
                        new LineChart.Marked(last.releases(), last.epsilon(), at),
                        Frame.NARROW),
                "What had been spent after each release, at \u03B4 = " + Rounding.typedOrUp(delta) + ".");
    }

    private static List<EpsilonAfter> thinned(List<EpsilonAfter> points) {
        if (points.size() <= MOST_POINTS) {
            return points;
        }
        List<EpsilonAfter> kept = new ArrayList<>();
        for (int i = 0; i < MOST_POINTS; i++) {
            kept.add(points.get((int) ((long) i * (points.size() - 1) / (MOST_POINTS - 1))));
        }
        return kept;
    }
}
