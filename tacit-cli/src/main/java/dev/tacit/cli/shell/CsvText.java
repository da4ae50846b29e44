package dev.tacit.cli.shell;

import java.util.List;
import java.util.stream.Collectors;

/** A line of CSV as RFC 4180 has it. */
public final class CsvText {
    private CsvText() {}

    public static String line(List<String> cells) {
        return cells.stream().map(CsvText::cell).collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
