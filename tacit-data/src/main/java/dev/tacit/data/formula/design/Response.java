package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a formula predicts: 0 or 1 for a binary column, the place in the list for a category, otherwise a number between
 * bounds.
 */
public final class Response {
    /** The names of all its columns, whose cells come last. */
    List<String> columns() {
        return censored.map(other -> List.of(column.name(), other.event.name()))
                .orElseGet(() -> List.of(column.name()));
    }

    /** How many cells of a record it has. */
    public int cellCount() {
        return columns().size();
    }

    /** The ends of the intervals in which a baseline hazard is constant, the largest time last; empty but for survival. */
    public List<Double> ends() {
        return censored.map(Censored::ends).orElseGet(List::of);
    }

    /** What kind of column it is. */
    public enum Kind {
        /** One of two values. */
        BINARY,
        /** One of several declared values. */
        CATEGORY,
        /** A whole number from 0. */
        COUNT,
        /** A number. */
        NUMBER,
        /** A time until an event, or until nobody looked any more. */
        SURVIVAL
    }

    /** A time of 0 counts as this share of the largest, so that its sign can say whether there was an event. */
    private static final double LEAST_TIME = 1e-9;

    /**
     * {@code Surv(time, event, cuts = c(6, 12))}.
     *
     * @param event a binary column
     * @param place of its cell
     * @param ends of the intervals of the baseline, the largest time last
     */
    private record Censored(ColumnSchema event, int place, List<Double> ends) {}

    private final String label;
    private final ColumnSchema column;
    private final Kind kind;
    private final Interval range;
    private final NumberExpression number;
    private final int place;
    private final Optional<Censored> censored;

    private Response(String label, ColumnSchema column, Kind kind, Interval range, NumberExpression number, int place) {
        this(label, column, kind, range, number, place, Optional.empty());
    }

    private Response(
            String label,
            ColumnSchema column,
            Kind kind,
            Interval range,
            NumberExpression number,
            int place,
            Optional<Censored> censored) {
        this.label = label;
        this.column = column;
        this.kind = kind;
        this.range = range;
        this.number = number;
        this.place = place;
        this.censored = censored;
    }

    static Response of(Formula formula, Cells cells) {
        Node node = formula.response();
        if (node instanceof Node.Call call && call.function().equals("Surv")) {
            return survival(call, formula, cells);
        }
        Set<String> names = new HashSet<>(Formula.names(node));
        if (names.size() != 1) {
            throw formula.problem("the response is one column or a function of one", node.at());
        }
        if (node instanceof Node.Name name) {
            ColumnSchema column = cells.column(name);
            if (column.missing() instanceof MissingPolicy.OwnColumn) {
                throw formula.problem(
                        "the response takes missing: refuse or {constant: value} in the schema, not missing: category",
                        node.at());
            }
            if (!(column instanceof NumberColumn)) {
                int place = cells.place(column);
                Kind kind = column instanceof BinaryColumn ? Kind.BINARY : Kind.CATEGORY;
                return new Response(
                        name.name(),
                        column,
                        kind,
                        new Interval(0, declared(column).size() - 1.0),
                        null,
                        place);
            }
        }
        NumberExpression number = NumberExpression.of(node, cells, formula);
        ColumnSchema column = cells.column(new Node.Name(names.iterator().next(), node.at()));
        boolean count = node instanceof Node.Name && ((NumberColumn) column).count();
        return new Response(
                node.toString(), column, count ? Kind.COUNT : Kind.NUMBER, number.range(), number, cells.place(column));
    }

    private static Response survival(Node.Call call, Formula formula, Cells cells) {
        List<Node.Argument> given = call.arguments();
        boolean named =
                given.size() == 3 && given.get(2).name().map("cuts"::equals).orElse(true);
        if (!(given.size() == 2 || named)
                || !(given.get(0).value() instanceof Node.Name time)
                || !(given.get(1).value() instanceof Node.Name event)) {
            throw formula.problem(
                    "Surv() takes a time, whether it ended with the event, and cut points of the baseline hazard, as in"
                            + " Surv(months, died, cuts = c(6, 12))",
                    call.at());
        }
        NumberColumn times = cells.number(time);
        Bounds bounds = Cells.bounds(times);
        if (bounds.lower() < 0) {
            throw formula.problem("a time is not negative; declare a lower bound of at least 0", time.at());
        }
        if (!(cells.column(event) instanceof BinaryColumn happened)) {
            throw formula.problem(
                    "whether the event happened is a column of type binary; declare \"" + event.name() + "\" so",
                    event.at());
        }
        for (Node.Name name : List.of(time, event)) {
            if (cells.column(name).missing() instanceof MissingPolicy.OwnColumn) {
                throw formula.problem(
                        "the response takes missing: refuse or {constant: value} in the schema, not missing: category",
                        name.at());
            }
        }
        List<Double> ends = new ArrayList<>();
        if (given.size() == 3) {
            ends.addAll(NumberExpression.constants(given.get(2).value(), formula));
        }
        double before = 0;
        for (double cut : ends) {
            if (!(cut > before && cut < bounds.upper()) || ends.size() >= MOST_INTERVALS) {
                throw formula.problem(
                        "cut points, fewer than " + MOST_INTERVALS + ", ascend between 0 and the largest time, "
                                + Interval.number(bounds.upper()),
                        given.get(2).value().at());
            }
            before = cut;
        }
        ends.add(bounds.upper());
        int place = cells.place(times);
        return new Response(
                call.toString(),
                times,
                Kind.SURVIVAL,
                new Interval(0, bounds.upper()),
                null,
                place,
                Optional.of(new Censored(happened, cells.place(happened), List.copyOf(ends))));
    }

    private static final int MOST_INTERVALS = 20;

    private static List<String> declared(ColumnSchema column) {
        return column instanceof CategoryColumn category ? category.categories() : Cells.levels(column);
    }

    /** As it stands in the formula. */
    public String label() {
        return label;
    }

    /** The name of its column. */
    public String column() {
        return column.name();
    }

    /** What kind of column it is. */
    public Kind kind() {
        return kind;
    }

    /** The least value. */
    public double lower() {
        return range.lower();
    }

    /** The greatest value. */
    public double upper() {
        return range.upper();
    }

    /** The values of a column that is not a number, in the order of their labels; for a binary one, negative first. */
    public List<String> classes() {
        return column instanceof NumberColumn ? List.of() : List.copyOf(declared(column));
    }

    /** The class that others are compared with: the declared reference, otherwise the first; of a binary one the negative. */
    public String reference() {
        return classes().get(Cells.reference(column));
    }

    /** The label of a record, or NaN if it has none that is declared; of survival the time, negative if it was censored. */
    double of(double[] values) {
        if (number != null) {
            return number.of(values);
        }
        if (censored.isPresent()) {
            double time = Math.max(values[place], LEAST_TIME * range.upper());
            return values[censored.get().place] == 1 ? time : -time;
        }
        return values[place] <= range.upper() ? values[place] : Double.NaN;
    }
}
