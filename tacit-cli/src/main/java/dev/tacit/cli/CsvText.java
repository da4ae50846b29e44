package dev.tacit.cli;

import java.util.List;
import java.util.stream.Collectors;

/** A line of CSV as RFC 4180 has it. */
final class CsvText {
    private CsvText() {}

    static String line(List<String> cells) {
        return cells.stream().map(CsvText::cell).collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
