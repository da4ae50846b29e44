package dev.tacit.cli.terminal;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Colours for people (ECMA-48, 8.3.117): headings are bold, warnings yellow, errors red. */
public final class Paint {
    private static final String END = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[1;31m";
    private static final String YELLOW = "\u001b[1;33m";

    /** The heading of a remark: one word after two blanks, before its text. */
    private static final Pattern HEADING = Pattern.compile("  ([a-z]+)( +)(\\S.*)");

    /** The place at which the text of a remark begins, unless its heading is too long. */
    private static final int TEXT = 12;

    /** What says that a number should not be taken as it stands. */
    private static final Set<String> WARNINGS = Set.of("warning", "stamp", "simulated");

    /** The words that remarks begin with; a row of a table that begins with another word is left alone. */
    private static final Set<String> HEADINGS = Set.of(
            "assumed",
            "assumes",
            "attacks",
            "bought",
            "charged",
            "checked",
            "counted",
            "coverage",
            "holds",
            "intervals",
            "kept",
            "ledger",
            "means",
            "measured",
            "method",
            "model",
            "next",
            "noise",
            "note",
            "parties",
            "plan",
            "predicts",
            "prior",
            "protects",
            "resumes",
            "together",
            "took",
            "wrote");

    private Paint() {}

    /** A line for people with its heading painted, if it has one. */
    public static String line(String text) {
        Matcher matcher = HEADING.matcher(text);
        if (!matcher.matches() || matcher.start(3) != Math.max(TEXT, matcher.end(1) + 1)) {
            return text;
        }
        String heading = matcher.group(1);
        if (WARNINGS.contains(heading)) {
            return "  " + YELLOW + heading + END + matcher.group(2) + matcher.group(3);
        }
        return HEADINGS.contains(heading) ? "  " + BOLD + heading + END + matcher.group(2) + matcher.group(3) : text;
    }

    /** The name that precedes an error. */
    public static String error(String name) {
        return RED + name + END;
    }
}
