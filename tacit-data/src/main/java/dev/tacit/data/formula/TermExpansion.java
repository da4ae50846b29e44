package dev.tacit.data.formula;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The terms that a right-hand side stands for.
 *
 * <pre>
 *   a + b      both                     a * b   a + b + a:b             (a + b)^k   all products of at most k of them
 *   a : b      every product            a / b   a + a:b                 a - b       without b;   - 1 and 0: no intercept
 * </pre>
 *
 * Repeated terms count once; products of fewer variables come first, otherwise the order is that of the text. This is the
 * algorithm of R's {@code terms.formula}.
 */
public final class TermExpansion {
    private static final int MOST_TERMS = 2000;

    private final String text;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final List<Node> variables = new ArrayList<>();
    private final List<Node> offsets = new ArrayList<>();
    private final List<Node.Operation> groups = new ArrayList<>();
    private final List<Node> dot;
    private boolean intercept = true;

    private TermExpansion(String text, List<Node> dot) {
        this.text = text;
        this.dot = dot;
    }

    /** What is left of a formula's right-hand side. */
    public record Expanded(
            List<Node> variables,
            List<Term> terms,
            boolean intercept,
            List<Node> offsets,
            List<Node.Operation> groups) {}

    /**
     * Expands operators into terms.
     *
     * @param dot what {@code .} stands for
     */
    public static Expanded expand(Node terms, String text, List<Node> dot) {
        TermExpansion expansion = new TermExpansion(text, dot);
        Set<BitSet> found = expansion.terms(terms, true);
        List<Term> ordered = found.stream()
                .map(Term::of)
                .sorted(Comparator.comparingInt(Term::order))
                .collect(Collectors.toList());
        return new Expanded(
                List.copyOf(expansion.variables),
                List.copyOf(ordered),
                expansion.intercept,
                List.copyOf(expansion.offsets),
                List.copyOf(expansion.groups));
    }

    private Set<BitSet> terms(Node node, boolean adding) {
        if (node instanceof Node.Parentheses parentheses) {
            if (parentheses.inside() instanceof Node.Operation bar
                    && (bar.operator().equals("|") || bar.operator().equals("||"))) {
                if (!adding) {
                    throw new FormulaException("a group term can be added only", text, node.at());
                }
                groups.add(bar);
                return new LinkedHashSet<>();
            }
            return terms(parentheses.inside(), adding);
        }
        if (node instanceof Node.Literal number) {
            constant(number, adding);
            return new LinkedHashSet<>();
        }
        if (node instanceof Node.Sign sign) {
            if (sign.operator().equals("+")) {
                return terms(sign.operand(), adding);
            }
            terms(sign.operand(), !adding); // R: a leading "- x" removes x from nothing; "- 1" removes the intercept
            return new LinkedHashSet<>();
        }
        if (node instanceof Node.Operation operation) {
            return operation(operation, adding);
        }
        if (node instanceof Node.Word) {
            throw new FormulaException("a text is not a term; columns stand without quotes", text, node.at());
        }
        if (node instanceof Node.Call call && call.function().equals("offset")) {
            offset(call, adding);
            return new LinkedHashSet<>();
        }
        if (node instanceof Node.Name name && name.name().equals(".")) {
            Set<BitSet> all = new LinkedHashSet<>();
            dot.forEach(variable -> all.add(variable(variable)));
            return all;
        }
        Set<BitSet> one = new LinkedHashSet<>();
        one.add(variable(node));
        return one;
    }

    private void constant(Node.Literal number, boolean adding) {
        if (number.value() != 0 && number.value() != 1) {
            throw new FormulaException(
                    "the only numbers among terms are 1 (with an intercept) and 0 (without); put arithmetic into I()",
                    text,
                    number.at());
        }
        intercept = (number.value() == 1) == adding;
    }

    private void offset(Node.Call call, boolean adding) {
        if (!adding || call.arguments().size() != 1) {
            throw new FormulaException("an offset is added, and is one number: offset(log(days))", text, call.at());
        }
        offsets.add(call.arguments().get(0).value());
    }

    private BitSet variable(Node node) {
        int place = places.computeIfAbsent(node.toString(), name -> {
            variables.add(node);
            return variables.size() - 1;
        });
        BitSet bits = new BitSet();
        bits.set(place);
        return bits;
    }

    private Set<BitSet> operation(Node.Operation operation, boolean adding) {
        String operator = operation.operator();
        if (operator.equals("|") || operator.equals("||")) {
            throw new FormulaException(
                    "a group term stands in parentheses of its own, as in (1 | hospital)", text, operation.at());
        }
        if (operator.equals("^")) {
            return power(operation, adding);
        }
        Set<BitSet> left = terms(operation.left(), adding);
        boolean removes = operator.equals("-");
        int groupsBefore = groups.size() + offsets.size();
        Set<BitSet> right = terms(operation.right(), removes != adding);
        if (!operator.equals("+") && !removes) {
            if (left.isEmpty() || right.isEmpty() || groups.size() + offsets.size() > groupsBefore) {
                throw new FormulaException(
                        "what stands on both sides of " + operator + " must be columns or functions of them",
                        text,
                        operation.at());
            }
        }
        Set<BitSet> all = new LinkedHashSet<>(left);
        switch (operator) {
            case "+" -> all.addAll(right);
            case "-" -> all.removeAll(right);
            case ":" -> all = products(left, right, operation.at());
            case "*" -> {
                all.addAll(right);
                all.addAll(products(left, right, operation.at()));
            }
            default -> {
                BitSet together = new BitSet();
                left.forEach(together::or);
                all.addAll(products(Set.of(together), right, operation.at()));
            }
        }
        return limited(all, operation.at());
    }

    private Set<BitSet> power(Node.Operation operation, boolean adding) {
        if (!(operation.right() instanceof Node.Literal exponent)
                || exponent.value() < 1
                || exponent.value() != Math.rint(exponent.value())) {
            throw new FormulaException(
                    "the exponent of a term is a whole number from 1; write I(x^0.5) for arithmetic",
                    text,
                    operation.right().at());
        }
        Set<BitSet> base = terms(operation.left(), adding);
        Set<BitSet> all = base;
        for (int k = 1; k < exponent.value() && k < base.size(); k++) {
            all = limited(products(all, base, operation.at()), operation.at());
        }
        return all;
    }

    private Set<BitSet> products(Set<BitSet> left, Set<BitSet> right, int at) {
        Set<BitSet> all = new LinkedHashSet<>();
        for (BitSet one : left) {
            for (BitSet other : right) {
                BitSet product = (BitSet) one.clone();
                product.or(other);
                all.add(product);
            }
            limited(all, at);
        }
        return all;
    }

    private Set<BitSet> limited(Set<BitSet> terms, int at) {
        if (terms.size() > MOST_TERMS) {
            throw new FormulaException(
                    "this stands for more than " + MOST_TERMS + " terms; name the ones that matter", text, at);
        }
        return terms;
    }
}
