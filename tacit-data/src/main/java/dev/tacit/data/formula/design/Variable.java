package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a term multiplies: a number, several functions of a number, or a factor. */
sealed interface Variable {
    /** As in R's deparsed formula. */
    String label();

    /** A number or several functions of one. */
    record Numbers(String label, NumberExpression number, Basis basis) implements Variable {
        int width() {
            return basis == null ? 1 : basis.width();
        }

        String name(int component) {
            return width() == 1 ? label : label + "[" + (component + 1) + "]";
        }

        Interval range(int component) {
            return basis == null ? number.range() : basis.range(component);
        }

        void write(double[] cells, double[] values, int first) {
            double x = number.of(cells);
            if (basis == null) {
                values[first] = x;
            } else {
                basis.write(x, values, first);
            }
        }

        Set<String> columnsWithMissing() {
            return number.columnsWithMissing();
        }
    }

    /**
     * Levels, one of which is present; others are compared with the first.
     *
     * @param level the place of the present level, from the cells of a row
     */
    record Factor(String label, List<String> levels, Level level) implements Variable {
        /** The name of a level in reports. */
        String name(int place) {
            return label + "[" + levels.get(place) + "]";
        }
    }

    /** From the cells of a row to the place of a level. */
    @FunctionalInterface
    interface Level {
        int of(double[] cells);
    }

    /** The variable that a part of a formula stands for. */
    static Variable of(Node node, Cells cells, Formula formula) {
        if (node instanceof Node.Parentheses parentheses) {
            return of(parentheses.inside(), cells, formula);
        }
        if (node instanceof Node.Name name && !(cells.column(name) instanceof NumberColumn)) {
            return factor(name.toString(), cells.column(name), cells);
        }
        if (node instanceof Node.Call call) {
            return switch (call.function()) {
                case "factor", "as.factor" -> declaredFactor(call, cells, formula);
                case "bins" -> bins(call, cells, formula);
                case "poly", "ns", "bs" -> BasisCall.variable(call, cells, formula);
                default -> number(node, cells, formula);
            };
        }
        return number(node, cells, formula);
    }

    private static Numbers number(Node node, Cells cells, Formula formula) {
        return new Numbers(node.toString(), NumberExpression.of(node, cells, formula), null);
    }

    private static Factor factor(String label, ColumnSchema column, Cells cells) {
        int place = cells.place(column);
        int reference = Cells.reference(column);
        List<String> levels = new ArrayList<>(Cells.levels(column));
        levels.add(0, levels.remove(reference));
        return new Factor(label, List.copyOf(levels), values -> {
            int declared = (int) values[place];
            return declared == reference ? 0 : declared < reference ? declared + 1 : declared;
        });
    }

    private static Factor declaredFactor(Node.Call call, Cells cells, Formula formula) {
        if (call.arguments().size() == 1
                && call.arguments().get(0).value() instanceof Node.Name name
                && !(cells.column(name) instanceof NumberColumn)) {
            return factor(name.toString(), cells.column(name), cells);
        }
        throw formula.problem(
                "the levels of a factor are declared, not read from the data; declare the column as"
                        + " {type: category, categories: [...]} or cut a number with bins(x, c(20, 40))",
                call.at());
    }

    private static Factor bins(Node.Call call, Cells cells, Formula formula) {
        if (call.arguments().isEmpty()
                || call.arguments().size() > 2
                || !(call.arguments().get(0).value() instanceof Node.Name name)) {
            throw formula.problem(
                    "bins() takes a number column and its cut points, as in bins(age, c(40, 60))", call.at());
        }
        NumberColumn column = cells.number(name);
        List<Double> cuts = call.arguments().size() == 2
                ? NumberExpression.constants(call.arguments().get(1).value(), formula)
                : column.cuts();
        if (cuts.isEmpty()) {
            throw formula.problem("the schema declares no cuts for this column; write bins(x, c(20, 40))", call.at());
        }
        double before = Cells.bounds(column).lower();
        for (double cut : cuts) {
            if (!(cut > before) || cut > Cells.bounds(column).upper()) {
                throw formula.problem("cut points ascend inside the declared bounds", call.at());
            }
            before = cut;
        }
        List<String> levels = new ArrayList<>();
        levels.add("below " + Interval.number(cuts.get(0)));
        for (int i = 1; i < cuts.size(); i++) {
            levels.add(Interval.number(cuts.get(i - 1)) + " to " + Interval.number(cuts.get(i)));
        }
        levels.add("from " + Interval.number(cuts.get(cuts.size() - 1)));
        int place = cells.place(column);
        double[] ends = cuts.stream().mapToDouble(Double::doubleValue).toArray();
        return new Factor(call.toString(), List.copyOf(levels), values -> {
            int bin = 0;
            while (bin < ends.length && values[place] >= ends[bin]) {
                bin++;
            }
            return bin;
        });
    }
}
