package dev.tacit.report;

import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.SizeLimit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What all pages have: a head that forbids them to load anything, sections, an end. */
final class PageParts {
    static final int LONGEST_TITLE = 160;
    static final int LONGEST_VALUE = 600;
    static final int MOST_BYTES_OF_A_LIST = 300_000;

    private PageParts() {}

    /** Everything up to the content of the body. */
    static String head(String escapedTitle) {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
                img-src data:"/>
                <meta name="referrer" content="no-referrer"/>
                <link rel="icon" href="data:,"/>
                <title>""" + escapedTitle + "</title>\n<style>\n" + Palette.stylesheet() + pageStylesheet()
                + "</style>\n</head>\n<body class=\"tacit\">\n";
    }

    /** The beginning of a section. */
    static String heading(String title, String id) {
        return "<section id=\"" + id + "\">\n<h2>" + text(title, LONGEST_TITLE) + "</h2>\n";
    }

    /** The rest of a section. */
    static String content(Section section, String id) {
        StringBuilder part = new StringBuilder();
        section.prose().forEach(sentences -> part.append(paragraph(sentences)));
        List<Exhibit> exhibits = section.exhibits();
        part.append("<div class=\"exhibits\">\n");
        for (int i = 0; i < exhibits.size(); i++) {
            part.append(exhibits.get(i).html(id + "-f" + (i + 1)));
        }
        return part.append("</div>\n</section>\n").toString();
    }

    static String paragraph(String sentences) {
        return "<p class=\"prose\">" + text(sentences, 4000) + "</p>\n";
    }

    /** The footer and what closes the page. */
    static String end(List<Fact> versions) {
        StringBuilder footer = new StringBuilder("<footer>\n<p>");
        SizeLimit.append(
                footer,
                versions,
                fact -> "<span>" + text(fact.name() + " " + fact.value(), LONGEST_VALUE) + "</span> ",
                MOST_BYTES_OF_A_LIST);
        return footer.append("""
                        <span>This page is one file: it loads nothing and runs no script.</span></p>
                        </footer>
                        </body>
                        </html>
                        """).toString();
    }

    static String text(String text, int longest) {
        return Markup.escape(Markup.shortened(text, longest));
    }

    private static String pageStylesheet() {
        try (InputStream css = PageParts.class.getResourceAsStream("report.css")) {
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
