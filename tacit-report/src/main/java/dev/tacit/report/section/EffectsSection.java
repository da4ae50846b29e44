package dev.tacit.report.section;

import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.StripPlot;
import dev.tacit.report.plot.StripPlot.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What was learned by a regression: every term as an interval over a step of its column that can be compared with others,
 * and the table of terms in natural units.
 *
 * @param prose how to read it
 * @param level of the intervals, in words: "95 %"
 * @param axis what the plot measures: "log odds ratio"
 * @param effects what is drawn
 * @param groups effects of groups, drawn in the order of their means
 * @param columns of the table
 * @param rows of the table
 */
public record EffectsSection(
        List<String> prose,
        String level,
        String axis,
        List<Effect> effects,
        List<Effect> groups,
        List<Table.Column> columns,
        List<List<String>> rows) {
    private static final double FAR_OUT = 6;

    /**
     * One line of the plot.
     *
     * @param name of the term, with the step it is drawn for
     * @param lower end of the interval
     * @param upper end of it
     * @param coreLower end of the interval without privacy noise, or NaN
     * @param coreUpper other end of it
     * @param values the estimate and the two ends of its interval, in words
     */
    public record Effect(
            String name,
            double mean,
            double lower,
            double upper,
            double coreLower,
            double coreUpper,
            List<String> values) {}

    public EffectsSection {
        prose = List.copyOf(prose);
        effects = List.copyOf(effects);
        groups = List.copyOf(groups);
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** The section. */
    public Section section() {
        List<Exhibit> exhibits = new ArrayList<>();
        if (!effects.isEmpty()) {
            exhibits.add(plot(
                    "Effects.",
                    effects,
                    "Numbers over about a quarter of their declared range, levels against their reference."));
        }
        if (!groups.isEmpty()) {
            List<Effect> sorted = groups.stream()
                    .sorted(Comparator.comparingDouble(Effect::mean))
                    .toList();
            exhibits.add(plot("Groups.", sorted, "Each against the average group, from the lowest to the highest."));
        }
        exhibits.add(Table.of("All terms, in natural units", columns, rows));
        return new Section("What was learned", prose, exhibits);
    }

    private StripPlot plot(String title, List<Effect> all, String caption) {
        List<Effect> drawn =
                all.size() <= PosteriorSection.MOST_DRAWN ? all : all.subList(0, PosteriorSection.MOST_DRAWN);
        List<StripPlot.Key> keys = new ArrayList<>();
        keys.add(new StripPlot.Key(Shape.RANGE, 0, level + " interval, with its mean"));
        if (drawn.stream().anyMatch(effect -> Double.isFinite(effect.coreLower()))) {
            keys.add(new StripPlot.Key(Shape.CORE, 0, "without the privacy noise (estimate)"));
        }
        return new StripPlot(
                title,
                drawn.size() < all.size()
                        ? caption + " The first " + drawn.size() + "; the table has all of them."
                        : caption,
                "term",
                axis(drawn),
                0,
                List.of(estimate(), "from", "to"),
                keys,
                drawn.stream().map(EffectsSection::row).toList());
    }

    /** What the numbers beside the plot are called, as in the table: an odds ratio beside an axis of its logarithm. */
    private String estimate() {
        return columns.stream()
                .filter(Table.Column::numeric)
                .map(Table.Column::heading)
                .findFirst()
                .orElse("estimate");
    }

    private static StripPlot.Row row(Effect effect) {
        List<StripPlot.Mark> marks = new ArrayList<>();
        marks.add(new StripPlot.Mark(Shape.RANGE, effect.lower(), effect.upper(), 0, 0));
        if (Double.isFinite(effect.coreLower())) {
            marks.add(new StripPlot.Mark(Shape.CORE, effect.coreLower(), effect.coreUpper(), 0, 0));
        }
        marks.add(new StripPlot.Mark(Shape.DOT, effect.mean(), effect.mean(), 0, 0));
        return new StripPlot.Row(
                effect.name(), effect.name() + ": " + String.join(" ", effect.values()), marks, effect.values());
    }

    /** Wide enough for nearly all intervals; a few far out must not squeeze the others. */
    private Axis axis(List<Effect> drawn) {
        double[] sizes = drawn.stream()
                .flatMapToDouble(effect -> DoubleStream.of(Math.abs(effect.lower()), Math.abs(effect.upper())))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        double usual = sizes.length == 0 ? 1 : sizes[(int) (0.75 * (sizes.length - 1))];
        double largest = sizes.length == 0 ? 1 : sizes[sizes.length - 1];
        double limit = usual > 0 && largest > FAR_OUT * usual ? FAR_OUT / 2 * usual : largest;
        double least = drawn.stream()
                .mapToDouble(Effect::lower)
                .filter(Double::isFinite)
                .min()
                .orElse(-1);
        double most = drawn.stream()
                .mapToDouble(Effect::upper)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        return Axis.around(axis, Math.min(0, Math.max(-limit, least)), Math.max(0, Math.min(limit, most)));
    }
}
