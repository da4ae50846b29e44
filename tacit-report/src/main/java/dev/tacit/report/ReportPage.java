package dev.tacit.report;

import dev.tacit.door.unit.Neighbours;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.SizeLimit;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays a report out as one page without scripts; the page forbids itself to load anything. */
final class ReportPage {
    private final FitReport report;
    private final StringBuilder html = new StringBuilder();
    private final List<String> contents = new ArrayList<>();

    ReportPage(FitReport report) {
        this.report = report;
    }

    String html() {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < report.sections().size(); i++) {
            body.append(section(report.sections().get(i), "s" + (i + 1)));
        }
        body.append(statement());
        body.append(configuration());
        html.append(PageParts.head(title()));
        html.append(stamp())
                .append(weaknesses())
                .append("<main>\n")
                .append(header())
                .append(headline())
                .append(navigation());
        html.append(body).append("</main>\n").append(PageParts.end(report.versions()));
        return html.toString();
    }

    private String title() {
        return PageParts.text(report.title().isBlank() ? "Untitled fit" : report.title(), PageParts.LONGEST_TITLE);
    }

    /** Stays in sight while scrolling and on every printed page. */
    private String stamp() {
        String warning = PrivacyStatement.of(report.privacy()).warning();
        if (warning.isEmpty()) {
            return "";
        }
        String label = report.privacy().provenance().label();
        String stamp = "<b>"
                + PageParts.text(
                        label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1), PageParts.LONGEST_VALUE)
                + "</b>";
        return "<div class=\"stamp\" role=\"note\">" + stamp + "</div>\n<div class=\"warning\"><p>" + stamp + " "
                + PageParts.text(warning, PageParts.LONGEST_VALUE) + "</p></div>\n";
    }

    private String weaknesses() {
        List<String> weaknesses = PrivacyStatement.of(report.privacy()).weaknesses();
        return weaknesses.isEmpty()
                ? ""
                : "<div class=\"warning\"><p><strong>Warning.</strong> "
                        + PageParts.text(String.join(" ", weaknesses), 3 * PageParts.LONGEST_VALUE) + "</p></div>\n";
    }

    private String header() {
        return "<header>\n<p class=\"brand\">Tacit <span>fit report</span></p>\n<h1>" + title()
                + "</h1>\n<p class=\"lead\">"
                + PageParts.text(report.model(), PageParts.LONGEST_TITLE) + " <span class=\"soft\">by</span> "
                + PageParts.text(report.method(), PageParts.LONGEST_TITLE) + "</p>\n</header>\n";
    }

    private String headline() {
        StatementFacts privacy = report.privacy();
        StringBuilder cards = new StringBuilder("<section class=\"cards\" aria-label=\"Headline\">\n");
        String epsilon = privacy.promises() ? "\u03B5 \u2264 " + Rounding.up(privacy.epsilon(), 4) : "no \u03B5 holds";
        String how = privacy.promises()
                ? "at \u03B4 = " + Rounding.typedOrUp(privacy.delta()) + ", " + privacy.accountant() + " accountant"
                : "nothing is promised";
        card(cards, "wide", "Privacy loss", epsilon, how);
        String name = Markup.shortened(privacy.unit().name(), 60);
        int most = privacy.unit().maxRecords();
        card(
                cards,
                "",
                "Protected",
                "one " + name,
                (most == 1 ? "one record each" : "up to " + most + " records each") + ", "
                        + (privacy.unit().neighbours() == Neighbours.ADD_REMOVE ? "add or remove" : "replace one"));
        double success = privacy.attackSuccess();
        card(
                cards,
                "",
                "Membership guess",
                success >= 0.9995 ? "no limit" : "\u2264 " + Rounding.percentUp(success) + " right",
                "from even odds; 50% is blind guessing");
        privacy.ledger()
                .ifPresent(total -> card(
                        cards,
                        "",
                        "All runs together",
                        Double.isFinite(total.epsilon())
                                ? "\u03B5 \u2264 " + Rounding.up(total.epsilon(), 4)
                                : "no \u03B5 holds",
                        "at \u03B4 = " + Rounding.typedOrUp(total.delta()) + "; "
                                + (total.entries() == 1 ? "one entry" : total.entries() + " entries")
                                + " of the ledger, no others"));
        card(
                cards,
                "",
                "Data",
                Rounding.count(privacy.publicSize()),
                "units, a declared number"
                        + privacy.usableUnits()
                                .map(usable -> "; " + usable.brief())
                                .orElse(""));
        return cards.append("</section>\n").toString();
    }

    private static void card(StringBuilder cards, String style, String heading, String value, String note) {
        cards.append("<div class=\"card ")
                .append(style)
                .append("\"><p class=\"soft\">")
                .append(PageParts.text(heading, 60));
        cards.append("</p><p class=\"value\">")
                .append(PageParts.text(value, 80))
                .append("</p><p class=\"soft\">");
        cards.append(PageParts.text(note, 160)).append("</p></div>\n");
    }

    private String navigation() {
        return "<nav aria-label=\"Sections\">" + String.join(" ", contents) + "</nav>\n";
    }

    private String heading(String title, String id) {
        contents.add("<a href=\"#" + id + "\">" + PageParts.text(title, 60) + "</a>");
        return PageParts.heading(title, id);
    }

    private String section(Section section, String id) {
        return heading(section.title(), id) + PageParts.content(section, id);
    }

    private String statement() {
        StringBuilder part = new StringBuilder(heading("Privacy statement", "privacy"));
        part.append("<div class=\"statement\">\n");
        for (PrivacyStatement.Part about : PrivacyStatement.of(report.privacy()).parts()) {
            part.append("<h3>")
                    .append(PageParts.text(about.heading(), PageParts.LONGEST_TITLE))
                    .append("</h3>\n<div>\n");
            if (!about.sentences().isEmpty()) {
                part.append(PageParts.paragraph(about.sentences()));
            }
            if (!about.items().isEmpty()) {
                part.append("<ul>\n");
                about.items()
                        .forEach(item -> part.append("<li>")
                                .append(PageParts.text(item, PageParts.LONGEST_VALUE))
                                .append("</li>\n"));
                part.append("</ul>\n");
            }
            part.append("</div>\n");
        }
        return part.append("</div>\n</section>\n").toString();
    }

    private String configuration() {
        if (report.configuration().isEmpty() && report.ledger().isEmpty()) {
            return "";
        }
        StringBuilder part = new StringBuilder(heading("Configuration", "configuration"));
        if (!report.configuration().isEmpty()) {
            part.append("<dl>\n");
            int written =
                    SizeLimit.append(part, report.configuration(), ReportPage::fact, PageParts.MOST_BYTES_OF_A_LIST);
            part.append("</dl>\n").append(leftOut(report.configuration().size() - written));
        }
        if (!report.ledger().isEmpty()) {
            int lines = report.ledger().size();
            part.append("<details>\n<summary><b>Ledger, ").append(Rounding.count(lines));
            part.append(lines == 1 ? " line" : " lines").append("</b></summary>\n<pre tabindex=\"0\">");
            int written = SizeLimit.append(
                    part,
                    report.ledger(),
                    line -> PageParts.text(line, PageParts.LONGEST_VALUE) + "\n",
                    PageParts.MOST_BYTES_OF_A_LIST);
            part.append("</pre>\n").append(leftOut(lines - written)).append("</details>\n");
        }
        return part.append("</section>\n").toString();
    }

    private static String fact(Fact fact) {
        return "<dt>" + PageParts.text(fact.name(), PageParts.LONGEST_TITLE) + "</dt><dd>"
                + PageParts.text(fact.value(), PageParts.LONGEST_VALUE) + "</dd>\n";
    }

    private static String leftOut(int count) {
        return count == 0
                ? ""
                : PageParts.paragraph(Rounding.count(count) + " more are left out to keep this page small.");
    }
}
