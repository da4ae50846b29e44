package dev.tacit.report.text;

import java.util.ArrayList;
import java.util.List;

/** Plain text broken into lines. */
public final class Wrapped {
    private Wrapped() {}

    /** Lines of at most so many characters, each after an indent; a longer word gets a line of its own. */
    public static List<String> lines(String text, int width, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.strip().split("\\s+", -1)) {
            if (!line.isEmpty() && indent.length() + line.length() + 1 + word.length() > width) {
                lines.add(indent + line);
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(indent + line);
        return lines;
    }
}
