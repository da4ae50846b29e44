package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.MissingPolicy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;

/**
 * A number computed from number columns: {@code age}, {@code log(x + 1)}, {@code I(x^2)}. It is defined and bounded
 * wherever its columns keep their declared bounds; an expression that could fail is refused.
 */
final class NumberExpression {
    /** From the cells of a row to a number. */
    @FunctionalInterface
    interface Value {
        double of(double[] cells);
    }

    private final Value value;
    private final Interval range;
    private final Set<String> withMissing;

    private NumberExpression(Value value, Interval range, Set<String> withMissing) {
        this.value = value;
        this.range = range;
        this.withMissing = withMissing;
    }

    /** The number, kept inside its range against rounding. */
    double of(double[] cells) {
        return range.clamp(value.of(cells));
    }

    Interval range() {
        return range;
    }

    /** The columns in it whose missing cells have an own column. */
    Set<String> columnsWithMissing() {
        return withMissing;
    }

    static NumberExpression of(Node node, Cells cells, Formula formula) {
        NumberExpression found = new Builder(cells, formula).build(node);
        if (found.range.isConstant()) {
            throw formula.problem("this is the same number for every record", node.at());
        }
        return found;
    }

    private record Builder(Cells cells, Formula formula) {
        NumberExpression build(Node node) {
            NumberExpression built = part(node);
            if (!built.range.isFinite()) {
                throw formula.problem("this can grow beyond all numbers inside the declared bounds", node.at());
            }
            return built;
        }

        private NumberExpression part(Node node) {
            if (node instanceof Node.Literal literal) {
                double constant = literal.value();
                return new NumberExpression(cells -> constant, Interval.of(constant), Set.of());
            }
            if (node instanceof Node.Parentheses parentheses) {
                return build(parentheses.inside());
            }
            if (node instanceof Node.Name name) {
                return column(name);
            }
            if (node instanceof Node.Sign sign) {
                NumberExpression operand = build(sign.operand());
                return sign.operator().equals("+") ? operand : operand.through(x -> -x, operand.range.negated());
            }
            if (node instanceof Node.Operation operation) {
                return operation(operation);
            }
            if (node instanceof Node.Call call) {
                return call(call);
            }
            throw formula.problem("here a number is needed", node.at());
        }

        private NumberExpression column(Node.Name name) {
            NumberColumn column = cells.number(name);
            int place = cells.place(column);
            Interval range = new Interval(
                    Cells.bounds(column).lower(), Cells.bounds(column).upper());
            return new NumberExpression(
                    values -> values[place],
                    range,
                    column.missing() instanceof MissingPolicy.OwnColumn ? Set.of(column.name()) : Set.of());
        }

        private NumberExpression operation(Node.Operation operation) {
            NumberExpression left = build(operation.left());
            NumberExpression right = build(operation.right());
            Value a = left.value;
            Value b = right.value;
            return switch (operation.operator()) {
                case "+" -> left.with(right, cells -> a.of(cells) + b.of(cells), left.range.plus(right.range));
                case "-" ->
                    left.with(right, cells -> a.of(cells) - b.of(cells), left.range.plus(right.range.negated()));
                case "*" -> left.with(right, cells -> a.of(cells) * b.of(cells), left.range.times(right.range));
                case "/" -> {
                    if (right.range.contains(0)) {
                        throw formula.problem(
                                "this divisor can be 0: it lies in " + right.range + " by the declared bounds",
                                operation.right().at());
                    }
                    yield left.with(right, cells -> a.of(cells) / b.of(cells), left.range.over(right.range));
                }
                case "^" -> power(left, right, operation);
                default ->
                    throw formula.problem(
                            "inside a function, " + operation.operator() + " is not arithmetic; use + - * / ^",
                            operation.at());
            };
        }

        private NumberExpression power(NumberExpression base, NumberExpression exponent, Node.Operation operation) {
            if (!exponent.range.isConstant()) {
                throw formula.problem(
                        "an exponent is a number that is the same for every record",
                        operation.right().at());
            }
            double power = exponent.range.lower();
            boolean whole = power == Math.rint(power);
            if ((!whole && base.range.lower() < 0) || (power < 0 && base.range.contains(0))) {
                throw formula.problem(
                        "this power does not exist everywhere: its base lies in " + base.range
                                + " by the declared bounds",
                        operation.at());
            }
            return base.through(x -> Math.pow(x, power), base.range.power(power));
        }

        private NumberExpression call(Node.Call call) {
            if (call.function().equals("offset") || call.function().equals("weights")) {
                throw formula.problem(call.function() + "() is not a number inside another function", call.at());
            }
            NumberFunction function = NumberFunction.find(call, formula);
            if (call.arguments().size() != 1 || call.arguments().get(0).name().isPresent()) {
                throw formula.problem(call.function() + "() takes one number", call.at());
            }
            NumberExpression argument = build(call.arguments().get(0).value());
            if (!function.definedOn(argument.range)) {
                throw formula.problem(
                        call.function() + "() needs a number " + function.domain() + ", and this lies in "
                                + argument.range + " by the declared bounds" + function.hint(),
                        call.arguments().get(0).value().at());
            }
            return argument.through(function::apply, function.range(argument.range));
        }
    }

    private NumberExpression through(DoubleUnaryOperator function, Interval newRange) {
        Value inner = value;
        return new NumberExpression(cells -> function.applyAsDouble(inner.of(cells)), newRange, withMissing);
    }

    private NumberExpression with(NumberExpression other, Value newValue, Interval newRange) {
        Set<String> both = new LinkedHashSet<>(withMissing);
        both.addAll(other.withMissing);
        return new NumberExpression(newValue, newRange, both);
    }

    /** The values of {@code c(1, 2)} or of one number. */
    static List<Double> constants(Node node, Formula formula) {
        List<Node> parts = node instanceof Node.Call call && call.function().equals("c")
                ? call.arguments().stream().map(Node.Argument::value).toList()
                : List.of(node);
        return parts.stream().map(part -> constant(part, formula)).toList();
    }

    private static double constant(Node node, Formula formula) {
        if (node instanceof Node.Literal literal) {
            return literal.value();
        }
        if (node instanceof Node.Sign sign && sign.operand() instanceof Node.Literal literal) {
            return sign.operator().equals("-") ? -literal.value() : literal.value();
        }
        throw formula.problem("here stand numbers only, as in c(40, 60)", node.at());
    }
}
