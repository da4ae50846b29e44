package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Interval;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of one term: products over its variables, the first varying fastest. A factor gives one column for each level,
 * without the reference if it is coded by contrasts.
 */
final class DesignTerm {
    private final List<Variable> variables;
    private final boolean[] full;
    private final int first;
    private final int[] widths;
    private final int width;
    private final List<DesignColumn> columns;
    private final int numbers;

    /**
     * @param full for each factor, whether its reference has a column, too
     * @param first place of the first column
     * @param factor the number of a new factor, if the term is one
     */
    DesignTerm(List<Variable> variables, boolean[] full, int first, int factor) {
        this.variables = variables;
        this.full = full;
        this.first = first;
        this.widths = new int[variables.size()];
        int all = 1;
        int products = 1;
        for (int i = 0; i < widths.length; i++) {
            if (variables.get(i) instanceof Variable.Numbers numeric) {
                widths[i] = numeric.width();
                products *= widths[i];
            } else {
                widths[i] = ((Variable.Factor) variables.get(i)).levels().size() - (full[i] ? 0 : 1);
            }
            all = Math.multiplyExact(all, widths[i]);
        }
        this.width = all;
        this.numbers = products;
        this.columns = describe(factor);
    }

    /** How many columns. */
    int width() {
        return width;
    }

    /** How many of them can differ from zero in one row. */
    int mostNonZeros() {
        return numbers;
    }

    boolean isFactor() {
        return variables.stream().allMatch(variable -> variable instanceof Variable.Factor);
    }

    List<DesignColumn> columns() {
        return columns;
    }

    String label() {
        return String.join(":", variables.stream().map(Variable::label).toList());
    }

    private List<DesignColumn> describe(int factor) {
        List<DesignColumn> described = new ArrayList<>();
        boolean levelsOnly = isFactor();
        for (int column = 0; column < width; column++) {
            List<String> names = new ArrayList<>();
            List<String> levels = new ArrayList<>();
            List<String> references = new ArrayList<>();
            Interval range = Interval.of(1);
            int rest = column;
            for (int i = 0; i < widths.length; i++) {
                int component = rest % widths[i];
                rest /= widths[i];
                if (variables.get(i) instanceof Variable.Numbers numeric) {
                    names.add(numeric.name(component));
                    range = range.times(numeric.range(component));
                } else {
                    Variable.Factor found = (Variable.Factor) variables.get(i);
                    int level = component + (full[i] ? 0 : 1);
                    names.add(found.name(level));
                    levels.add(found.levels().get(level));
                    if (!full[i]) {
                        references.add(found.levels().get(0));
                    }
                    range = range.times(Interval.UNIT);
                }
            }
            String against = references.isEmpty() ? "" : "vs " + String.join(":", references);
            String unit = levelsOnly ? against : ("per 1" + (against.isEmpty() ? "" : " " + against));
            described.add(new DesignColumn(
                    String.join(":", names),
                    levelsOnly ? DesignColumn.Kind.LEVEL : DesignColumn.Kind.NUMBER,
                    range.lower(),
                    range.upper(),
                    levelsOnly ? factor : -1,
                    label(),
                    String.join(":", levels),
                    unit));
        }
        return described;
    }

    /** Writes the columns that can differ from zero. */
    void write(double[] cells, double[] scratch, DesignMatrix.Sink sink) {
        int base = 0;
        int stride = 1;
        for (int i = 0; i < widths.length; i++) {
            if (variables.get(i) instanceof Variable.Factor factor) {
                int component = factor.level().of(cells) - (full[i] ? 0 : 1);
                if (component < 0) {
                    return; // the reference
                }
                base += component * stride;
            }
            stride *= widths[i];
        }
        int from = 0;
        for (Variable variable : variables) {
            if (variable instanceof Variable.Numbers numeric) {
                numeric.write(cells, scratch, from);
                from += numeric.width();
            }
        }
        for (int product = 0; product < numbers; product++) {
            int rest = product;
            int column = base;
            int scratchAt = 0;
            double value = 1;
            stride = 1;
            for (int i = 0; i < widths.length; i++) {
                if (variables.get(i) instanceof Variable.Numbers) {
                    int component = rest % widths[i];
                    rest /= widths[i];
                    value *= scratch[scratchAt + component];
                    column += component * stride;
                    scratchAt += widths[i];
                }
                stride *= widths[i];
            }
            sink.put(first + column, value);
        }
    }

    /** How much room {@link #write} needs. */
    int scratch() {
        int room = 0;
        for (int i = 0; i < widths.length; i++) {
            room += variables.get(i) instanceof Variable.Numbers ? widths[i] : 0;
        }
        return room;
    }
}
