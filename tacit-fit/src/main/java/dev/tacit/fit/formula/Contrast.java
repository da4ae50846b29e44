package dev.tacit.fit.formula;

import dev.tacit.fit.base.FitException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A weighted sum of terms: {@code bun + creatinine}, {@code icu[surgery] - icu[medical]}, {@code 10 * age}.
 *
 * @param text as it was given
 * @param weights one for each parameter
 */
record Contrast(String text, double[] weights) {
    private static final Pattern FACTOR =
            Pattern.compile("\\s*((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?)\\s*\\*\\s*");

    /**
     * Reads a contrast.
     *
     * @param places of terms among the parameters; −1 for a reference level, whose effect is 0
     */
    static Contrast parse(String text, Map<String, Integer> places, int parameters) {
        double[] weights = new double[parameters];
        List<String> longestFirst = new ArrayList<>(places.keySet());
        longestFirst.sort(Comparator.comparingInt(String::length).reversed());
        int at = 0;
        boolean first = true;
        while (at < text.length() || first) {
            double weight = 1;
            at = skip(text, at);
            if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
                weight = text.charAt(at) == '-' ? -1 : 1;
                at = skip(text, at + 1);
            } else if (!first) {
                throw problem("between two terms stands + or -", text, at);
            }
            Matcher factor = FACTOR.matcher(text).region(at, text.length());
            if (factor.lookingAt()) {
                weight *= Double.parseDouble(factor.group(1));
                at = factor.end();
            }
            String term = term(text, at, longestFirst);
            if (places.get(term) >= 0) {
                weights[places.get(term)] += weight;
            }
            at = skip(text, at + term.length());
            first = false;
        }
        return new Contrast(text.strip(), weights);
    }

    private static String term(String text, int at, List<String> longestFirst) {
        for (String name : longestFirst) {
            if (text.startsWith(name, at)) {
                return name;
            }
        }
        throw problem(
                "here a term of the summary is missing; the terms are "
                        + String.join(", ", longestFirst.stream().sorted().toList()),
                text,
                at);
    }

    private static int skip(String text, int at) {
        int next = at;
        while (next < text.length() && text.charAt(next) == ' ') {
            next++;
        }
        return next;
    }

    private static FitException problem(String sentence, String text, int at) {
        return FitException.pointing("--contrast: " + sentence + ".", text, at);
    }
}
