package dev.tacit.data.formula;

import dev.tacit.data.formula.design.DesignMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A formula in R's syntax: {@code response ~ terms}.
 *
 * <pre>
 *   + : * / - ^ ( ) 0 1 .          as in R
 *   offset(log(days))              a number that is added with coefficient 1
 *   log(x), I(x^2), poly(x, 2)     functions of number columns
 *   (1 | g)  (1 | g/h)  (x || g)   effects of groups
 *   y | weights(w) ~ ...           a weight for each record, as in brms
 * </pre>
 *
 * A formula knows no columns yet; {@link DesignMatrix} puts it together with a schema.
 */
public final class Formula {
    private final String text;
    private final Node response;
    private final Optional<Node> weight;
    private final Node terms;

    private Formula(String text, Node response, Optional<Node> weight, Node terms) {
        this.text = text;
        this.response = response;
        this.weight = weight;
        this.terms = terms;
    }

    /**
     * Reads a formula.
     *
     * @throws FormulaException if it is not one
     */
    public static Formula parse(String text) {
        FormulaParser.Sides sides = FormulaParser.parse(text);
        Node response = sides.response();
        Optional<Node> weight = Optional.empty();
        if (response instanceof Node.Operation bar && bar.operator().startsWith("|")) {
            if (bar.operator().equals("|")
                    && bar.right() instanceof Node.Call call
                    && call.function().equals("weights")
                    && call.arguments().size() == 1) {
                weight = Optional.of(call.arguments().get(0).value());
                response = bar.left();
            } else {
                throw new FormulaException(
                        "beside the response stands weights(column) or nothing",
                        text,
                        bar.right().at());
            }
        }
        Formula formula = new Formula(text, response, weight, sides.terms());
        TermExpansion.expand(sides.terms(), text, List.of()); // what is wrong with any schema is said now
        return formula;
    }

    /** The text as it was given. */
    public String text() {
        return text;
    }

    public Node response() {
        return response;
    }

    public Optional<Node> weight() {
        return weight;
    }

    public TermExpansion.Expanded expand(List<Node> dot) {
        return TermExpansion.expand(terms, text, dot);
    }

    /** The names of all columns that a part mentions. */
    public static List<String> names(Node part) {
        List<String> names = new ArrayList<>();
        mention(part, names);
        return names;
    }

    private static void mention(Node node, List<String> names) {
        if (node instanceof Node.Name name) {
            names.add(name.name());
        } else if (node instanceof Node.Operation operation) {
            mention(operation.left(), names);
            mention(operation.right(), names);
        } else if (node instanceof Node.Sign sign) {
            mention(sign.operand(), names);
        } else if (node instanceof Node.Parentheses parentheses) {
            mention(parentheses.inside(), names);
        } else if (node instanceof Node.Call call) {
            call.arguments().forEach(argument -> mention(argument.value(), names));
        }
    }

    public FormulaException problem(String sentence, int at) {
        return new FormulaException(sentence, text, at);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Formula formula && formula.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
