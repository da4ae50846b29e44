package dev.tacit.report;

import dev.tacit.report.section.Section;
import java.util.List;
import java.util.Objects;

/**
 * Everything on the page about one fit; all of it may be seen by whoever may see the fit.
 *
 * @param title what the fit is about
 * @param model its name
 * @param method its name
 * @param privacy who is protected and how well
 * @param sections what was learned and what it cost, in reading order; see the {@code *Section} classes
 * @param configuration every setting, in order
 * @param ledger lines that show the ledger, possibly none
 * @param versions of the program, of Java, the time; shown at the end
 */
public record FitReport(
        String title,
        String model,
        String method,
        StatementFacts privacy,
        List<Section> sections,
        List<Fact> configuration,
        List<String> ledger,
        List<Fact> versions) {
    public FitReport {
        Objects.requireNonNull(title, "title");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(privacy, "privacy");
        sections = List.copyOf(sections);
        configuration = List.copyOf(configuration);
        ledger = List.copyOf(ledger);
        versions = List.copyOf(versions);
    }

    /** The page: one file of HTML that is also well-formed XML and loads nothing. */
    public String html() {
        return new ReportPage(this).html();
    }
}
