package dev.tacit.data.formula;

import dev.tacit.data.formula.FormulaTokens.Kind;
import dev.tacit.data.formula.FormulaTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * From text to a tree, with R's precedence: {@code ^}, then a sign, {@code :}, {@code * /}, {@code + -}, {@code | ||},
 * {@code ~}; operators of one rank are taken from the left, {@code ^} from the right.
 */
final class FormulaParser {
    private static final int MOST_DEPTH = 200;

    private final String text;
    private final List<Token> tokens;
    private int next;
    private int depth;

    private FormulaParser(String text) {
        this.text = text;
        this.tokens = FormulaTokens.of(text);
    }

    /** The two sides of a formula. */
    record Sides(Node response, Node terms) {}

    static Sides parse(String text) {
        FormulaParser parser = new FormulaParser(text);
        if (parser.peek().kind() == Kind.END) {
            throw new FormulaException("the formula is empty; write it as response ~ terms", text, 0);
        }
        if (parser.peek().is("~")) {
            throw parser.problem(
                    "the formula has no response; write the column to be predicted before ~", parser.peek());
        }
        Node response = parser.bar();
        if (!parser.peek().is("~")) {
            throw parser.unexpected(
                    parser.peek(), "after the response comes ~ and then the terms, as in died ~ age + sex");
        }
        parser.next++;
        Node terms = parser.bar();
        if (parser.peek().kind() != Kind.END) {
            throw parser.unexpected(parser.peek(), "between two terms stands + or another operator");
        }
        return new Sides(response, terms);
    }

    private Token peek() {
        return tokens.get(next);
    }

    private FormulaException problem(String sentence, Token token) {
        return new FormulaException(sentence, text, token.at());
    }

    private FormulaException unexpected(Token token, String otherwise) {
        if (token.is(")")) {
            return problem("this parenthesis closes nothing", token);
        }
        if (token.is("~")) {
            return problem("a formula has one ~ only", token);
        }
        return problem(otherwise, token);
    }

    private Node bar() {
        return leftward(List.of("|", "||"), this::sum);
    }

    private Node sum() {
        return leftward(List.of("+", "-"), this::product);
    }

    private Node product() {
        return leftward(List.of("*", "/"), this::interaction);
    }

    private Node interaction() {
        return leftward(List.of(":"), this::signed);
    }

    /** A rank of operators. */
    private interface Rank {
        Node parse();
    }

    private Node leftward(List<String> operators, Rank higher) {
        Node left = higher.parse();
        while (peek().kind() == Kind.SIGN && operators.contains(peek().text())) {
            Token operator = tokens.get(next++);
            Node right = higher.parse();
            left = new Node.Operation(operator.text(), left, right, operator.at());
        }
        return left;
    }

    private Node signed() {
        if (peek().is("-") || peek().is("+")) {
            Token sign = tokens.get(next++);
            enter(sign);
            Node operand = signed();
            depth--;
            return new Node.Sign(sign.text(), operand, sign.at());
        }
        return power();
    }

    private Node power() {
        Node base = atom();
        if (peek().is("^") || peek().is("**")) {
            Token operator = tokens.get(next++);
            enter(operator);
            Node exponent = signed();
            depth--;
            return new Node.Operation("^", base, exponent, operator.at());
        }
        return base;
    }

    private void enter(Token token) {
        depth++;
        if (depth > MOST_DEPTH) {
            throw problem("the formula is nested deeper than " + MOST_DEPTH + " levels", token);
        }
    }

    private Node atom() {
        Token token = tokens.get(next);
        next++;
        return switch (token.kind()) {
            case NUMBER -> new Node.Literal(Double.parseDouble(token.text()), token.at());
            case TEXT -> new Node.Word(token.text(), token.at());
            case NAME -> name(token);
            case SIGN -> {
                if (!token.is("(")) {
                    throw unexpected(token, "here a column, a function or a number is missing");
                }
                enter(token);
                Node inside = bar();
                close(token);
                depth--;
                yield new Node.Parentheses(inside, token.at());
            }
            case END -> throw problem("the formula ends where a column, a function or a number is missing", token);
        };
    }

    private Node name(Token token) {
        boolean quoted = text.charAt(token.at()) == '`';
        if (peek().is("(") && !quoted) {
            Token open = tokens.get(next++);
            enter(open);
            List<Node.Argument> arguments = new ArrayList<>();
            while (!peek().is(")")) {
                if (!arguments.isEmpty()) {
                    if (!peek().is(",")) {
                        throw peek().kind() == Kind.END
                                ? problem("this parenthesis is not closed", open)
                                : unexpected(peek(), "between two arguments stands a comma");
                    }
                    next++;
                }
                arguments.add(argument());
            }
            close(open);
            depth--;
            return new Node.Call(token.text(), List.copyOf(arguments), token.at());
        }
        if (!quoted && List.of("TRUE", "FALSE").contains(token.text())) {
            return new Node.Word(token.text(), token.at());
        }
        return new Node.Name(token.text(), token.at());
    }

    private Node.Argument argument() {
        Token token = peek();
        if (token.kind() == Kind.NAME && tokens.get(next + 1).is("=")) {
            next += 2;
            return new Node.Argument(Optional.of(token.text()), bar());
        }
        return new Node.Argument(Optional.empty(), bar());
    }

    private void close(Token open) {
        if (!peek().is(")")) {
            throw peek().kind() == Kind.END
                    ? problem("this parenthesis is not closed", open)
                    : unexpected(peek(), "between two terms stands + or another operator");
        }
        next++;
    }
}
