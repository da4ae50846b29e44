package dev.tacit.data.formula;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words, numbers and signs of a formula. */
final class FormulaTokens {
    /** The longest formula that is read. */
    static final int MOST_CHARACTERS = 20_000;

    private static final Pattern NUMBER = Pattern.compile("(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?");
    private static final Pattern WORD = Pattern.compile("(?:[\\p{L}_]|\\.(?![0-9]))[\\p{L}\\p{Nd}._]*");
    private static final String SIGNS = "~+-*/^:(),=|";

    /** What a token is. */
    enum Kind {
        /** A column or a function. */
        NAME,
        /** A number. */
        NUMBER,
        /** A text in quotes. */
        TEXT,
        /** An operator, a parenthesis or a comma. */
        SIGN,
        /** After the last one. */
        END
    }

    /** One token; texts and names in backquotes come without their quotes. */
    record Token(Kind kind, String text, int at) {
        boolean is(String sign) {
            return kind == Kind.SIGN && text.equals(sign);
        }
    }

    private FormulaTokens() {}

    /** Whether a name can stand in a formula without backquotes. */
    static boolean isPlain(String name) {
        return WORD.matcher(name).matches();
    }

    static List<Token> of(String formula) {
        if (formula.length() > MOST_CHARACTERS) {
            throw new FormulaException(
                    "the formula is longer than " + MOST_CHARACTERS + " characters", formula.substring(0, 60), 59);
        }
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < formula.length()) {
            char c = formula.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
                continue;
            }
            Token token = next(formula, at, c);
            tokens.add(token);
            boolean quoted = c == '`' || c == '"' || c == '\'';
            at += token.text().length() + (quoted ? 2 : 0);
        }
        tokens.add(new Token(Kind.END, "", formula.length()));
        return tokens;
    }

    private static Token next(String formula, int at, char c) {
        if (c == '`' || c == '"' || c == '\'') {
            int end = formula.indexOf(c, at + 1);
            if (end < 0) {
                throw new FormulaException("the quote that begins here has no end", formula, at);
            }
            return new Token(c == '`' ? Kind.NAME : Kind.TEXT, formula.substring(at + 1, end), at);
        }
        Matcher number = NUMBER.matcher(formula).region(at, formula.length());
        if (number.lookingAt()) {
            return new Token(Kind.NUMBER, number.group(), at);
        }
        Matcher word = WORD.matcher(formula).region(at, formula.length());
        if (word.lookingAt()) {
            return new Token(Kind.NAME, word.group(), at);
        }
        if (formula.startsWith("||", at)) {
            return new Token(Kind.SIGN, "||", at);
        }
        if (formula.startsWith("**", at)) {
            return new Token(Kind.SIGN, "**", at);
        }
        if (SIGNS.indexOf(c) >= 0) {
            return new Token(Kind.SIGN, String.valueOf(c), at);
        }
        throw new FormulaException(
                "a formula has no sign like this one; names with unusual characters stand in `backquotes`",
                formula,
                at);
    }
}
