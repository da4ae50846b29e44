package dev.tacit.fit.text;

import java.util.ArrayList;
import java.util.List;

/** A sentence or two under a heading of one word. */
public record Remark(String heading, String text) {
    private static final int WIDTH = 110;
    private static final int INDENT = 12;

    /** The heading, and the text beside it, wrapped. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("  " + heading);
        line.append(" ".repeat(Math.max(1, INDENT - line.length())));
        boolean empty = true;
        for (String word : text.split(" ", -1)) {
            if (!empty && line.length() + word.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(INDENT));
            }
            line.append(word).append(' ');
            empty = false;
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }
}
