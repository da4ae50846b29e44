package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Frame;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The claim of a fit beside what an attacker got: lower bounds beside an upper bound.
 *
 * @param claim the promise
 * @param found the lower bounds
 * @param verdict what it all says
 * @param layers in the order in which they ran, the control last
 * @param claimed the trade-off curve of the claim, from left to right: the largest probability on one table of an event against its
 *     probability on the other
 * @param counted events on the safe side of what was counted, in the same terms
 */
public record AttackSection(
        Claim claim,
        Found found,
        String verdict,
        List<Layer> layers,
        List<Series.Point> claimed,
        List<Series.Point> counted) {
    /** What the section is called, also where there is only a sentence to say. */
    public static final String TITLE = "What an attacker gets";

    private static final double RAREST = 1e-4;

    /** An upper bound at a delta, for a kind of neighbours. */
    public record Claim(double epsilon, double delta, String neighbours) {}

    /**
     * What was found.
     *
     * @param audited of what, in words
     * @param epsilon no less holds
     * @param curveEpsilon the same by the whole curve, under the assumption that it is that of the plan with some other noise
     * @param confidence at which they hold
     * @param runs on each of two tables
     * @param seed of everything that was drawn
     */
    public record Found(String audited, double epsilon, double curveEpsilon, double confidence, long runs, long seed) {}

    /**
     * What one layer saw.
     *
     * @param epsilon the lower bound that it gave, if it gives one
     * @param sentence what was done
     * @param defects sentences about what contradicts the claim
     */
    public record Layer(String name, String outcome, OptionalDouble epsilon, String sentence, List<String> defects) {
        public Layer {
            defects = List.copyOf(defects);
        }
    }

    public AttackSection {
        layers = List.copyOf(layers);
        claimed = List.copyOf(claimed);
        counted = List.copyOf(counted);
    }

    /** The section where an audit cannot be shown. */
    public static Section notShown(String why) {
        return new Section(TITLE, List.of(why), List.of());
    }

    /** The section. */
    public Section section() {
        List<String> prose = new ArrayList<>();
        prose.add("Claimed for " + found.audited() + ": epsilon at most " + Rounding.up(claim.epsilon(), 4)
                + " at delta "
                + Rounding.typedOrUp(claim.delta()) + ", " + claim.neighbours()
                + " neighbours. Shown by an attacker on invented records: epsilon at least "
                + Rounding.down(found.epsilon(), 4) + " at confidence " + Rounding.typedOrDown(found.confidence())
                + ", from " + Rounding.count(found.runs()) + " runs on each of two tables that differ in one unit"
                + (found.curveEpsilon() > found.epsilon()
                        ? "; by the whole curve at least " + Rounding.down(found.curveEpsilon(), 4)
                                + ", if the true curve is that of the plan with some other noise."
                        : "."));
        prose.add(verdict);
        layers.forEach(
                layer -> layer.defects().forEach(defect -> prose.add("Defect, " + layer.name() + ": " + defect)));
        List<Exhibit> exhibits = new ArrayList<>();
        exhibits.add(curves());
        exhibits.add(outcomes());
        exhibits.add(new Table(
                "What each layer did",
                List.of(Table.Column.text("layer"), Table.Column.text("what was done")),
                layers.stream()
                        .map(layer -> List.of(layer.name(), layer.sentence()))
                        .toList(),
                true));
        return new Section(TITLE, prose, exhibits);
    }

    private Exhibit curves() {
        return new Panels(
                "The claimed curve and the audited points.",
                "How often an attacker recognises a table, against how often its neighbour is taken for it; first on plain"
                        + " axes, then with rare events spread out. The claim says that no attack lies above the solid line."
                        + " Each ring is a way of telling the tables apart that was counted, moved to the safe side by its"
                        + " confidence bounds. The dotted line is guessing: a ring on or below it shows nothing, because there"
                        + " were too few runs for so rare or so slight an event.",
                List.of(chart(false), chart(true)));
    }

    private LineChart chart(boolean rare) {
        List<Series> series = new ArrayList<>();
        for (Series.Point point : counted) {
            if (!rare || (point.x() >= RAREST && point.y() >= RAREST)) {
                series.add(new Series("", 1, false, List.of(point)));
            }
        }
        double least = rare ? RAREST : 0;
        series.add(new Series(
                "",
                0,
                false,
                claimed.stream().filter(point -> point.x() >= least).toList()));
        series.add(new Series(
                "",
                7,
                true,
                claimed.stream()
                        .filter(point -> point.x() >= least)
                        .map(point -> new Series.Point(point.x(), point.x()))
                        .toList()));
        return new LineChart(
                rare
                        ? "The claimed curve and the audited points, rare events"
                        : "The claimed curve and the audited points",
                description(),
                new Axis("its neighbour is taken for it", least, 1, rare),
                new Axis("a table is recognised", least, 1, rare),
                series,
                null,
                Frame.NARROW);
    }

    private String description() {
        StringBuilder words =
                new StringBuilder("A table is recognised with probability at least, its neighbour taken for it"
                        + " with probability at most:");
        for (Series.Point point : counted) {
            words.append(' ')
                    .append(Rounding.down(point.y(), 3))
                    .append(", ")
                    .append(Rounding.up(point.x(), 3))
                    .append(';');
        }
        return words.append(" the claim allows no point above its line.").toString();
    }

    private Table outcomes() {
        return Table.of(
                "Layers of the audit",
                List.of(
                        Table.Column.text("layer"),
                        Table.Column.text("outcome"),
                        Table.Column.number("epsilon at least")),
                layers.stream()
                        .map(layer -> List.of(
                                layer.name(),
                                layer.outcome(),
                                layer.epsilon().isPresent()
                                        ? Rounding.down(layer.epsilon().getAsDouble(), 4)
                                        : ""))
                        .toList());
    }
}
