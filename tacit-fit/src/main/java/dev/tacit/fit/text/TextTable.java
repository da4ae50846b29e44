package dev.tacit.fit.text;

import java.util.ArrayList;
import java.util.List;

/** Lines of text in aligned columns. */
public final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();
    private final List<Boolean> rightAligned;

    /** A table whose columns are flush left, or flush right where {@code rightAligned} says so. */
    public TextTable(List<Boolean> rightAligned) {
        this.rightAligned = List.copyOf(rightAligned);
    }

    public void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** The lines, indented by two spaces, without trailing blanks. */
    public List<String> lines() {
        int[] widths = new int[rightAligned.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String padding = " ".repeat(widths[i] - row.get(i).length());
                line.append("  ").append(rightAligned.get(i) ? padding + row.get(i) : row.get(i) + padding);
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
