package dev.tacit.report.section;

import dev.tacit.report.plot.Exhibit;
import java.util.List;
import java.util.Objects;

/**
 * A part of a report.
 *
 * @param title a few words
 * @param prose paragraphs of plain text
 * @param exhibits figures and tables, in order
 */
public record Section(String title, List<String> prose, List<Exhibit> exhibits) {
    public Section {
        Objects.requireNonNull(title, "title");
        prose = List.copyOf(prose);
        exhibits = List.copyOf(exhibits);
    }
}
