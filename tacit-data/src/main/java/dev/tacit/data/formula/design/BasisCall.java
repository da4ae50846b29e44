package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code poly(x, 2)}, {@code ns(x, df = 3)} and {@code bs(x, knots = c(40, 60))}. */
final class BasisCall {
    private static final int MOST_FUNCTIONS = 50;

    private final Node.Call call;
    private final Formula formula;
    private final Set<String> used = new HashSet<>();

    private BasisCall(Node.Call call, Formula formula) {
        this.call = call;
        this.formula = formula;
    }

    static Variable variable(Node.Call call, Cells cells, Formula formula) {
        if (call.arguments().isEmpty() || call.arguments().get(0).name().isPresent()) {
            throw formula.problem(call.function() + "() takes a number column first", call.at());
        }
        NumberExpression number = NumberExpression.of(call.arguments().get(0).value(), cells, formula);
        BasisCall reader = new BasisCall(call, formula);
        Basis basis = reader.basis(number.range());
        reader.requireAllUsed();
        return new Variable.Numbers(call.toString(), number, basis);
    }

    private Basis basis(Interval bounds) {
        return switch (call.function()) {
            case "poly" -> {
                int degree = whole("degree", 1).orElse(1);
                yield flag("raw") ? new Basis.Powers(bounds, degree) : new Basis.Legendre(bounds, degree);
            }
            case "ns" -> SplineBasis.natural(bounds, interior(bounds, 1));
            default -> {
                int degree = whole("degree", 3).orElse(3);
                yield SplineBasis.ofDegree(degree, bounds, interior(bounds, degree));
            }
        };
    }

    /** The interior knots that were given, or as many as make the wanted number of functions. */
    private double[] interior(Interval bounds, int least) {
        Optional<Node> given = argument("knots", 2);
        Optional<Integer> functions = whole("df", 1);
        if (given.isPresent()) {
            double[] interior = NumberExpression.constants(given.get(), formula).stream()
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .toArray();
            if (interior.length > MOST_FUNCTIONS
                    || Arrays.stream(interior).anyMatch(knot -> knot <= bounds.lower() || knot >= bounds.upper())
                    || Arrays.stream(interior).distinct().count() < interior.length) {
                throw formula.problem(
                        "knots are different numbers inside " + bounds,
                        given.get().at());
            }
            if (functions.isPresent() && functions.get() != interior.length + least) {
                throw formula.problem("df and knots contradict each other; leave one out", call.at());
            }
            return interior;
        }
        int wanted = functions.orElse(least);
        if (wanted < least) {
            throw formula.problem("df is at least " + least + " for " + call.function() + "()", call.at());
        }
        return SplineBasis.evenKnots(bounds, wanted - least);
    }

    private Optional<Integer> whole(String name, int place) {
        Optional<Node> found = argument(name, place);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (found.get() instanceof Node.Literal literal
                && literal.value() == Math.rint(literal.value())
                && literal.value() >= 1
                && literal.value() <= MOST_FUNCTIONS) {
            return Optional.of((int) literal.value());
        }
        throw formula.problem(
                name + " is a whole number from 1 to " + MOST_FUNCTIONS,
                found.get().at());
    }

    private boolean flag(String name) {
        Optional<Node> found = argument(name, -1);
        if (found.isEmpty()) {
            return false;
        }
        if (found.get() instanceof Node.Word word && List.of("TRUE", "FALSE").contains(word.text())) {
            return word.text().equals("TRUE");
        }
        throw formula.problem(name + " is TRUE or FALSE", found.get().at());
    }

    /** By its name, or by its place among the arguments without one. */
    private Optional<Node> argument(String name, int place) {
        int unnamed = 0;
        for (Node.Argument argument : call.arguments()) {
            if (argument.name().isEmpty()
                    ? unnamed == place
                    : argument.name().get().equals(name)) {
                used.add(argument.toString());
                return Optional.of(argument.value());
            }
            unnamed += argument.name().isEmpty() ? 1 : 0;
        }
        return Optional.empty();
    }

    private void requireAllUsed() {
        for (Node.Argument argument :
                call.arguments().subList(1, call.arguments().size())) {
            if (!used.contains(argument.toString())) {
                throw formula.problem(
                        call.function() + "() does not take this argument; constants come from the declared bounds",
                        argument.value().at());
            }
        }
    }
}
