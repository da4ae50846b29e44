package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.BandChart;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.StripPlot;
import dev.tacit.report.plot.StripPlot.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What a regression expects for records that differ in one column.
 *
 * @param prose how to read it
 * @param level of the bands, in words: "95 %"
 * @param axis what is predicted: "probability of late"
 * @param curves one for each number
 * @param levels one for each level of each factor, in their order
 */
public record PredictionsSection(
        List<String> prose, String level, String axis, List<Curve> curves, List<Level> levels) {
    /** Far beyond this no reader compares levels. */
    private static final int MOST_LEVELS = 60;

    /**
     * Predictions over the range of a number.
     *
     * @param name of the column
     */
    public record Curve(String name, List<BandChart.Point> points) {
        public Curve {
            points = List.copyOf(points);
        }
    }

    /**
     * The prediction for a level.
     *
     * @param name of the column and the level
     * @param values the prediction and the two ends, in words
     */
    public record Level(String name, double lower, double value, double upper, List<String> values) {
        public Level {
            values = List.copyOf(values);
        }
    }

    public PredictionsSection {
        prose = List.copyOf(prose);
        curves = List.copyOf(curves);
        levels = List.copyOf(levels);
    }

    /** The section. */
    public Section section() {
        List<Exhibit> exhibits = new ArrayList<>();
        if (!curves.isEmpty()) {
            Axis vertical = axis(curves.stream()
                    .flatMap(curve -> curve.points().stream())
                    .flatMapToDouble(point -> DoubleStream.of(point.lower(), point.upper())));
            exhibits.add(new Panels(
                    "Over the range of each number.",
                    axis + ", with its " + level + " band; all panels have the same scale.",
                    curves.stream().map(curve -> chart(curve, vertical)).toList()));
        }
        if (!levels.isEmpty()) {
            exhibits.add(strips());
        }
        return new Section("What it expects", prose, exhibits);
    }

    private BandChart chart(Curve curve, Axis vertical) {
        double low = curve.points().get(0).x();
        double high = curve.points().get(curve.points().size() - 1).x();
        return new BandChart(
                curve.name(),
                axis + " over " + curve.name() + " with a band of " + level,
                new Axis(curve.name(), low, high, false),
                vertical,
                curve.points());
    }

    private StripPlot strips() {
        List<Level> drawn = levels.subList(0, Math.min(MOST_LEVELS, levels.size()));
        Axis horizontal = axis(drawn.stream().flatMapToDouble(one -> DoubleStream.of(one.lower(), one.upper())));
        return new StripPlot(
                "For each level.",
                drawn.size() < levels.size() ? "The first " + drawn.size() + " levels." : "",
                "level",
                horizontal,
                Double.NaN,
                List.of("mean", "from", "to"),
                List.of(new StripPlot.Key(Shape.RANGE, 0, level + " interval")),
                drawn.stream().map(PredictionsSection::row).toList());
    }

    private static StripPlot.Row row(Level one) {
        return new StripPlot.Row(
                one.name(),
                one.name() + ": " + String.join(" ", one.values()),
                Stream.of(
                                new StripPlot.Mark(Shape.RANGE, one.lower(), one.upper(), 0, 0),
                                new StripPlot.Mark(Shape.DOT, one.value(), one.value(), 0, 0))
                        .toList(),
                one.values());
    }

    private Axis axis(DoubleStream values) {
        double[] sorted = values.filter(Double::isFinite).sorted().toArray();
        return sorted.length == 0 ? Axis.around(axis, 0, 1) : Axis.around(axis, sorted[0], sorted[sorted.length - 1]);
    }
}
