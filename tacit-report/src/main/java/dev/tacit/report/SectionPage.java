package dev.tacit.report;

import dev.tacit.report.section.Section;
import java.util.List;

/**
 * A section of a report as a page of its own, where there is no report for it to stand in.
 *
 * @param kind two words beside the name of the program
 * @param title the headline
 * @param section all that is shown
 * @param versions shown at the end
 */
public record SectionPage(String kind, String title, Section section, List<Fact> versions) {
    public SectionPage {
        versions = List.copyOf(versions);
    }

    /** The page: one file of HTML that is also well-formed XML and loads nothing. */
    public String html() {
        String escaped = PageParts.text(title, PageParts.LONGEST_TITLE);
        return PageParts.head(escaped) + "<main>\n<header>\n<p class=\"brand\">Tacit <span>"
                + PageParts.text(kind, PageParts.LONGEST_TITLE) + "</span></p>\n<h1>" + escaped + "</h1>\n</header>\n"
                + PageParts.heading(section.title(), "s1") + PageParts.content(section, "s1") + "</main>\n"
                + PageParts.end(versions);
    }
}
