package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.StripPlot;
import dev.tacit.report.plot.StripPlot.Shape;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * What was learned: the posterior of every parameter as an interval, optionally beside another posterior of the same
 * model.
 *
 * @param parameters of the posterior that is reported
 * @param order in which they are drawn
 * @param label what this posterior is called where two are compared, for example "noise-aware"
 * @param other another posterior, matched by name; empty if there is nothing to compare
 * @param otherLabel what it is called, for example "noise ignored"
 * @param caveat how the intervals are not to be read; empty if they may be read as they are
 */
public record PosteriorSection(
        List<ParameterRow> parameters,
        ParameterOrder order,
        String label,
        List<ParameterRow> other,
        String otherLabel,
        String caveat) {
    /** More intervals than this are a pattern, not a figure. */
    public static final int MOST_DRAWN = 60;

    private static final double NORMAL_95 = 1.6448536269514722;
    private static final double FAR_OUT = 6;

    public PosteriorSection {
        parameters = List.copyOf(parameters);
        other = List.copyOf(other);
        Objects.requireNonNull(order, "order");
        Objects.requireNonNull(caveat, "caveat");
    }

    /** One posterior. */
    public static Section of(List<ParameterRow> parameters, ParameterOrder order) {
        return of(parameters, order, "");
    }

    /** One posterior whose intervals are not to be read as they are. */
    public static Section of(List<ParameterRow> parameters, ParameterOrder order, String caveat) {
        return new PosteriorSection(parameters, order, "", List.of(), "", caveat).section();
    }

    /** The section. */
    public Section section() {
        if (parameters.isEmpty()) {
            return new Section("What was learned", List.of("This model has no parameters to show."), List.of());
        }
        List<ParameterRow> drawn = drawn();
        List<Exhibit> exhibits = new ArrayList<>();
        exhibits.add(plot(drawn));
        if (drawn.size() < parameters.size() || !other.isEmpty()) {
            exhibits.add(completeTable());
        }
        return new Section("What was learned", prose(drawn.size()), exhibits);
    }

    private List<ParameterRow> drawn() {
        if (parameters.size() <= MOST_DRAWN) {
            return order.sorted(parameters);
        }
        List<ParameterRow> strongest =
                ParameterOrder.BY_STRENGTH.sorted(parameters).subList(0, MOST_DRAWN);
        Set<ParameterRow> kept = new HashSet<>(strongest);
        return order.sorted(
                parameters.stream().filter(kept::contains).limit(MOST_DRAWN).toList());
    }

    private List<String> prose(int drawn) {
        List<String> prose = new ArrayList<>();
        if (!caveat.isEmpty()) {
            prose.add(caveat);
        }
        if (drawn < parameters.size()) {
            prose.add("Drawn are the " + drawn + " parameters furthest from 0 (largest |mean| / sd) of "
                    + Rounding.count(parameters.size()) + "; the table below has all of them.");
        }
        middle(parameters.stream()
                        .filter(row -> row.sdWithoutPrivacyNoise().isPresent())
                        .mapToDouble(
                                row -> row.sd() / row.sdWithoutPrivacyNoise().getAsDouble()))
                .ifPresent(ratio -> prose.add("Intervals include the privacy noise. They are typically "
                        + Rounding.nearest(ratio, 2)
                        + " times as wide as they would be without it (an estimate from released values)."));
        Map<String, ParameterRow> others = others();
        middle(parameters.stream()
                        .filter(row -> others.containsKey(row.name()))
                        .mapToDouble(row -> others.get(row.name()).sd() / row.sd()))
                .ifPresent(ratio -> prose.add("For comparison, the intervals of \u201C" + otherLabel
                        + "\u201D are typically " + Rounding.nearest(ratio, 2) + " times as wide as these."));
        return prose;
    }

    /** The middle one of the ratios that are numbers above 0. */
    private static OptionalDouble middle(DoubleStream ratios) {
        double[] sorted = ratios.filter(ratio -> ratio > 0 && Double.isFinite(ratio))
                .sorted()
                .toArray();
        return sorted.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sorted[sorted.length / 2]);
    }

    private StripPlot plot(List<ParameterRow> drawn) {
        Map<String, ParameterRow> others = others();
        boolean core =
                drawn.stream().anyMatch(row -> row.sdWithoutPrivacyNoise().isPresent());
        int decimals = decimals();
        List<StripPlot.Key> keys = new ArrayList<>();
        keys.add(new StripPlot.Key(
                Shape.RANGE, 0, (label.isEmpty() ? "" : label + ": ") + "90% interval, with its mean"));
        if (core) {
            keys.add(new StripPlot.Key(Shape.CORE, 0, "without the privacy noise (estimate)"));
        }
        if (!others.isEmpty()) {
            keys.add(new StripPlot.Key(Shape.RANGE, 1, otherLabel + ": 90% interval"));
        }
        Axis axis = axis(drawn, others);
        List<StripPlot.Row> rows = drawn.stream()
                .map(row -> row(row, others.get(row.name()), decimals))
                .toList();
        return new StripPlot(
                "Posterior of the parameters.",
                "Each line is the central 90% of what remains plausible"
                        + (arrows(rows, axis) ? "; arrows go on outside." : "."),
                "parameter",
                axis,
                0,
                List.of("mean", "sd", "5%", "95%"),
                keys,
                rows);
    }

    private static boolean arrows(List<StripPlot.Row> rows, Axis axis) {
        return rows.stream()
                .flatMap(row -> row.marks().stream())
                .anyMatch(mark -> mark.from() < axis.low() || mark.to() > axis.high());
    }

    private static StripPlot.Row row(ParameterRow row, ParameterRow rival, int decimals) {
        int lane = rival == null ? 0 : -1;
        List<StripPlot.Mark> marks = new ArrayList<>();
        marks.add(new StripPlot.Mark(Shape.RANGE, row.lower5(), row.upper95(), 0, lane));
        row.sdWithoutPrivacyNoise()
                .ifPresent(sd -> marks.add(new StripPlot.Mark(
                        Shape.CORE, row.mean() - NORMAL_95 * sd, row.mean() + NORMAL_95 * sd, 0, lane)));
        marks.add(new StripPlot.Mark(Shape.DOT, row.mean(), row.mean(), 0, lane));
        if (rival != null) {
            marks.add(new StripPlot.Mark(Shape.RANGE, rival.lower5(), rival.upper95(), 1, 1));
            marks.add(new StripPlot.Mark(Shape.DOT, rival.mean(), rival.mean(), 1, 1));
        }
        List<String> values = numbers(row, decimals);
        String hint = Markup.shortened(row.name(), 80) + ": mean " + values.get(0) + ", 90% from " + values.get(2)
                + " to " + values.get(3);
        return new StripPlot.Row(row.name(), hint, marks, values);
    }

    private static List<String> numbers(ParameterRow row, int decimals) {
        // A parameter that is known much better than the others needs more decimals than they do.
        int own = Math.max(decimals, Rounding.decimalsFor(row.sd()) - 1);
        return DoubleStream.of(row.mean(), row.sd(), row.lower5(), row.upper95())
                .mapToObj(value -> Rounding.decimals(value, own))
                .toList();
    }

    private int decimals() {
        return Rounding.decimalsFor(
                parameters.stream().mapToDouble(ParameterRow::sd).toArray());
    }

    /** Wide enough for nearly all intervals; a few far out must not squeeze the others. */
    private static Axis axis(List<ParameterRow> drawn, Map<String, ParameterRow> others) {
        double[] ends = drawn.stream()
                .flatMapToDouble(row -> {
                    ParameterRow rival = others.getOrDefault(row.name(), row);
                    return DoubleStream.of(row.lower5(), row.upper95(), rival.lower5(), rival.upper95());
                })
                .filter(Double::isFinite)
                .toArray();
        double[] sizes = Arrays.stream(ends).map(Math::abs).sorted().toArray();
        double usual = sizes.length == 0 ? 1 : sizes[(int) (0.75 * (sizes.length - 1))];
        double largest = sizes.length == 0 ? 1 : sizes[sizes.length - 1];
        double limit = usual > 0 && largest > FAR_OUT * usual ? FAR_OUT / 2 * usual : largest;
        double least = Math.max(-limit, Arrays.stream(ends).min().orElse(-1));
        double most = Math.min(limit, Arrays.stream(ends).max().orElse(1));
        return Axis.around("value", Math.min(0, least), Math.max(0, most));
    }

    private Map<String, ParameterRow> others() {
        Map<String, ParameterRow> byName = new HashMap<>();
        other.forEach(row -> byName.put(row.name(), row));
        return byName;
    }

    private Table completeTable() {
        Map<String, ParameterRow> others = others();
        int decimals = decimals();
        List<Table.Column> columns = new ArrayList<>(List.of(
                Table.Column.text("parameter"),
                Table.Column.number("mean"),
                Table.Column.number("sd"),
                Table.Column.number("5%"),
                Table.Column.number("95%")));
        boolean core =
                parameters.stream().anyMatch(row -> row.sdWithoutPrivacyNoise().isPresent());
        if (core) {
            columns.add(Table.Column.number("sd without privacy noise"));
        }
        if (!others.isEmpty()) {
            columns.add(Table.Column.number(otherLabel + ": mean"));
            columns.add(Table.Column.number(otherLabel + ": sd"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (ParameterRow row : parameters) {
            List<String> cells = new ArrayList<>(List.of(row.name()));
            cells.addAll(numbers(row, decimals));
            if (core) {
                cells.add(Rounding.decimals(row.sdWithoutPrivacyNoise().orElse(Double.NaN), decimals));
            }
            if (!others.isEmpty()) {
                ParameterRow rival = others.get(row.name());
                cells.add(Rounding.decimals(rival == null ? Double.NaN : rival.mean(), decimals));
                cells.add(Rounding.decimals(rival == null ? Double.NaN : rival.sd(), decimals));
            }
            rows.add(cells);
        }
        return new Table("All " + Rounding.count(parameters.size()) + " parameters", columns, rows, true);
    }
}
