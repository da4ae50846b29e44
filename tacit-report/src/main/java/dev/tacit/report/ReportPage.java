package dev.tacit.report;

import dev.tacit.door.unit.Neighbours;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.SizeLimit;
import dev.tacit.report.text.Rounding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays a report out as one page without scripts; the page forbids itself to load anything. */
final class ReportPage {
    private static final int LONGEST_TITLE = 160;
    private static final int LONGEST_VALUE = 600;
    private static final int MOST_BYTES_OF_A_LIST = 300_000;

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
        html.append("""
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
                img-src data:"/>
                <meta name="referrer" content="no-referrer"/>
                <link rel="icon" href="data:,"/>
                """);
        html.append("<title>").append(title()).append("</title>\n<style>\n");
        html.append(Palette.stylesheet())
                .append(pageStylesheet())
                .append("</style>\n</head>\n<body class=\"tacit\">\n");
        html.append(stamp())
                .append(weaknesses())
                .append("<main>\n")
                .append(header())
                .append(headline())
                .append(navigation());
        html.append(body).append("</main>\n").append(footer()).append("</body>\n</html>\n");
        return html.toString();
    }

    private String title() {
        return text(report.title().isBlank() ? "Untitled fit" : report.title(), LONGEST_TITLE);
    }

    /** Stays in sight while scrolling and on every printed page. */
    private String stamp() {
        String warning = PrivacyStatement.of(report.privacy()).warning();
        if (warning.isEmpty()) {
            return "";
        }
        String label = report.privacy().provenance().label();
        String stamp = "<b>" + text(label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1), LONGEST_VALUE)
                + "</b>";
        return "<div class=\"stamp\" role=\"note\">" + stamp + "</div>\n<div class=\"warning\"><p>" + stamp + " "
                + text(warning, LONGEST_VALUE) + "</p></div>\n";
    }

    private String weaknesses() {
        List<String> weaknesses = PrivacyStatement.of(report.privacy()).weaknesses();
        return weaknesses.isEmpty()
                ? ""
                : "<div class=\"warning\"><p><strong>Warning.</strong> "
                        + text(String.join(" ", weaknesses), 3 * LONGEST_VALUE) + "</p></div>\n";
    }

    private String header() {
        return "<header>\n<p class=\"brand\">Tacit <span>fit report</span></p>\n<h1>" + title()
                + "</h1>\n<p class=\"lead\">"
                + text(report.model(), LONGEST_TITLE) + " <span class=\"soft\">by</span> "
                + text(report.method(), LONGEST_TITLE) + "</p>\n</header>\n";
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
                .append(text(heading, 60));
        cards.append("</p><p class=\"value\">").append(text(value, 80)).append("</p><p class=\"soft\">");
        cards.append(text(note, 160)).append("</p></div>\n");
    }

    private String navigation() {
        return "<nav aria-label=\"Sections\">" + String.join(" ", contents) + "</nav>\n";
    }

    private String heading(String title, String id) {
        contents.add("<a href=\"#" + id + "\">" + text(title, 60) + "</a>");
        return "<section id=\"" + id + "\">\n<h2>" + text(title, LONGEST_TITLE) + "</h2>\n";
    }

    private String section(Section section, String id) {
        StringBuilder part = new StringBuilder(heading(section.title(), id));
        section.prose().forEach(paragraph -> part.append(paragraph(paragraph)));
        List<Exhibit> exhibits = section.exhibits();
        part.append("<div class=\"exhibits\">\n");
        for (int i = 0; i < exhibits.size(); i++) {
            part.append(exhibits.get(i).html(id + "-f" + (i + 1)));
        }
        return part.append("</div>\n</section>\n").toString();
    }

    private static String paragraph(String sentences) {
        return "<p class=\"prose\">" + text(sentences, 4000) + "</p>\n";
    }

    private String statement() {
        StringBuilder part = new StringBuilder(heading("Privacy statement", "privacy"));
        part.append("<div class=\"statement\">\n");
        for (PrivacyStatement.Part about : PrivacyStatement.of(report.privacy()).parts()) {
            part.append("<h3>").append(text(about.heading(), LONGEST_TITLE)).append("</h3>\n<div>\n");
            if (!about.sentences().isEmpty()) {
                part.append(paragraph(about.sentences()));
            }
            if (!about.items().isEmpty()) {
                part.append("<ul>\n");
                about.items()
                        .forEach(item -> part.append("<li>")
                                .append(text(item, LONGEST_VALUE))
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
            int written = SizeLimit.append(part, report.configuration(), ReportPage::fact, MOST_BYTES_OF_A_LIST);
            part.append("</dl>\n").append(leftOut(report.configuration().size() - written));
        }
        if (!report.ledger().isEmpty()) {
            int lines = report.ledger().size();
            part.append("<details>\n<summary><b>Ledger, ").append(Rounding.count(lines));
            part.append(lines == 1 ? " line" : " lines").append("</b></summary>\n<pre tabindex=\"0\">");
            int written = SizeLimit.append(
                    part, report.ledger(), line -> text(line, LONGEST_VALUE) + "\n", MOST_BYTES_OF_A_LIST);
            part.append("</pre>\n").append(leftOut(lines - written)).append("</details>\n");
        }
        return part.append("</section>\n").toString();
    }

    private static String fact(Fact fact) {
        return "<dt>" + text(fact.name(), LONGEST_TITLE) + "</dt><dd>" + text(fact.value(), LONGEST_VALUE) + "</dd>\n";
    }

    private static String leftOut(int count) {
        return count == 0 ? "" : paragraph(Rounding.count(count) + " more are left out to keep this page small.");
    }

    private String footer() {
        StringBuilder footer = new StringBuilder("<footer>\n<p>");
        SizeLimit.append(
                footer,
                report.versions(),
                fact -> "<span>" + text(fact.name() + " " + fact.value(), LONGEST_VALUE) + "</span> ",
                MOST_BYTES_OF_A_LIST);
        return footer.append(
                        "<span>This page is one file: it loads nothing and runs no script.</span></p>\n</footer>\n")
                .toString();
    }

    private static String text(String text, int longest) {
        return Markup.escape(Markup.shortened(text, longest));
    }

    private static String pageStylesheet() {
        try (InputStream css = ReportPage.class.getResourceAsStream("report.css")) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
