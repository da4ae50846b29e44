package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Node;
import dev.tacit.data.formula.Term;
import dev.tacit.data.formula.TermExpansion;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads {@code 1 | g}, {@code 1 | g/h}, {@code x || g}. */
final class GroupReader {
    private GroupReader() {}

    /** What groups: {@code g/h} is g and g:h. */
    static List<Node> groupings(Node node, Formula formula) {
        if (node instanceof Node.Operation operation && operation.operator().equals("/")) {
            List<Node> all = new ArrayList<>(groupings(operation.left(), formula));
            Node inner = all.get(all.size() - 1);
            all.add(new Node.Operation(":", inner, operation.right(), operation.at()));
            return all;
        }
        if (node instanceof Node.Parentheses parentheses) {
            return groupings(parentheses.inside(), formula);
        }
        if (node instanceof Node.Name
                || (node instanceof Node.Operation operation
                        && operation.operator().equals(":"))) {
            return List.of(node);
        }
        throw formula.problem(
                "after | stands what groups the records: hospital, region:hospital or region/hospital", node.at());
    }

    /** The effects of each group: an intercept (empty) or the slope of a number. */
    static List<Optional<Node>> slopes(Node.Operation bar, Formula formula) {
        TermExpansion.Expanded effects = TermExpansion.expand(bar.left(), formula.text(), List.of());
        if (!effects.groups().isEmpty() || !effects.offsets().isEmpty()) {
            throw formula.problem(
                    "before | stand numbers whose slopes differ by group, and 1",
                    bar.left().at());
        }
        List<Optional<Node>> slopes = new ArrayList<>();
        if (effects.intercept()) {
            slopes.add(Optional.empty());
        }
        for (Term term : effects.terms()) {
            if (term.order() != 1) {
                throw formula.problem(
                        "an interaction cannot differ by group; write it as I(x * z)",
                        bar.left().at());
            }
            slopes.add(Optional.of(effects.variables().get(term.places().get(0))));
        }
        if (slopes.isEmpty()) {
            throw formula.problem(
                    "this group has no effect; write (1 | group)", bar.left().at());
        }
        if (slopes.size() > 1 && bar.operator().equals("|")) {
            throw formula.problem(
                    "correlated effects of a group are not fitted; || makes them independent, as in (x || group)",
                    bar.at());
        }
        return slopes;
    }

    /** The levels of what groups, crossed if there are several columns. */
    static Variable.Factor factor(Node node, Cells cells, Formula formula) {
        if (node instanceof Node.Operation operation) {
            Variable.Factor left = factor(operation.left(), cells, formula);
            Variable.Factor right = factor(operation.right(), cells, formula);
            List<String> levels = new ArrayList<>();
            for (String first : left.levels()) {
                for (String second : right.levels()) {
                    levels.add(first + ":" + second);
                }
            }
            int inner = right.levels().size();
            return new Variable.Factor(
                    left.label() + ":" + right.label(),
                    List.copyOf(levels),
                    values -> left.level().of(values) * inner + right.level().of(values));
        }
        if (node instanceof Node.Name name && cells.column(name) instanceof NumberColumn) {
            throw formula.problem(
                    "column \"" + name.name() + "\" is a number, and groups are declared: "
                            + "{type: category, categories: [...]}",
                    node.at());
        }
        return (Variable.Factor) Variable.of(node, cells, formula);
    }
}
