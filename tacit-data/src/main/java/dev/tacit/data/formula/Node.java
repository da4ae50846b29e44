package dev.tacit.data.formula;

import java.util.List;
import java.util.Optional;

/** A part of a formula, with the place of its first character; {@code toString} spells it the way R would. */
public sealed interface Node {
    /** Where it begins in the text. */
    int at();

    /** A column, or the dot that stands for all others. */
    record Name(String name, int at) implements Node {
        @Override
        public String toString() {
            return FormulaTokens.isPlain(name) ? name : "`" + name + "`";
        }
    }

    /** A number. */
    record Literal(double value, int at) implements Node {
        @Override
        public String toString() {
            return Interval.number(value);
        }
    }

    /** A word in quotes or {@code TRUE} and {@code FALSE}. */
    record Word(String text, int at) implements Node {
        @Override
        public String toString() {
            return text;
        }
    }

    /** A function of arguments, some of which may have names. */
    record Call(String function, List<Argument> arguments, int at) implements Node {
        @Override
        public String toString() {
            return function + "("
                    + String.join(
                            ", ", arguments.stream().map(Argument::toString).toList())
                    + ")";
        }
    }

    /** An argument of a function. */
    record Argument(Optional<String> name, Node value) {
        @Override
        public String toString() {
            return name.map(given -> given + " = ").orElse("") + value;
        }
    }

    /** Two parts and what is between them. */
    record Operation(String operator, Node left, Node right, int at) implements Node {
        @Override
        public String toString() {
            boolean tight = operator.equals("^") || operator.equals(":") || operator.equals("/");
            return left + (tight ? operator : " " + operator + " ") + right;
        }
    }

    /** A part with a sign before it. */
    record Sign(String operator, Node operand, int at) implements Node {
        @Override
        public String toString() {
            return operator + operand;
        }
    }

    /** A part in parentheses. */
    record Parentheses(Node inside, int at) implements Node {
        @Override
        public String toString() {
            return "(" + inside + ")";
        }
    }
}
