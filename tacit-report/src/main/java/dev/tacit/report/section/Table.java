package dev.tacit.report.section;

import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.text.Rounding;
import java.util.List;

/**
 * A table of text that is already rounded.
 *
 * @param title what it shows, or empty
 * @param columns their headings
 * @param rows each as long as there are columns
 * @param collapsed true if the reader has to open it
 */
public record Table(String title, List<Column> columns, List<List<String>> rows, boolean collapsed) implements Exhibit {
    /** Long tables stop here, so that a report stays small enough to send. */
    private static final int MOST_BYTES = 1_000_000;

    private static final int LONGEST_CELL = 480;

    /**
     * A column.
     *
     * @param numeric true if its cells are aligned as numbers
     */
    public record Column(String heading, boolean numeric) {
        /** A column of words. */
        public static Column text(String heading) {
            return new Column(heading, false);
        }

        /** A column of numbers. */
        public static Column number(String heading) {
            return new Column(heading, true);
        }
    }

    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("every row of a table has one cell for each column");
            }
        }
    }

    /** A table that is open. */
    public static Table of(String title, List<Column> columns, List<List<String>> rows) {
        return new Table(title, columns, rows, false);
    }

    @Override
    public String html(String id) {
        String heading = title.isEmpty()
                ? ""
                : "<b id=\"" + id + "-t\">" + Markup.escape(Markup.shortened(title, LONGEST_CELL)) + "</b>";
        String label = title.isEmpty() ? "aria-label=\"table\"" : "aria-labelledby=\"" + id + "-t\"";
        StringBuilder html = new StringBuilder();
        html.append(
                collapsed
                        ? "<details>\n<summary>" + heading + "</summary>\n"
                        : columns.size() > 2 ? "<figure>\n" : "<figure class=\"narrow\">\n");
        if (!collapsed && !heading.isEmpty()) {
            html.append("<figcaption>").append(heading).append("</figcaption>\n");
        }
        html.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" ")
                .append(label)
                .append(">\n");
        html.append("<table>\n<thead><tr>");
        for (Column column : columns) {
            html.append(column.numeric() ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
            html.append(Markup.escape(Markup.shortened(column.heading(), LONGEST_CELL)))
                    .append("</th>");
        }
        html.append("</tr></thead>\n<tbody>\n");
        int written = SizeLimit.append(html, rows, this::row, MOST_BYTES);
        html.append("</tbody>\n</table>\n</div>\n");
        if (written < rows.size()) {
            html.append("<p class=\"soft\">The first ")
                    .append(Rounding.count(written))
                    .append(" of ")
                    .append(Rounding.count(rows.size()))
                    .append(" rows; the others are left out to keep this page small.</p>\n");
        }
        return html.append(collapsed ? "</details>\n" : "</figure>\n").toString();
    }

    private String row(List<String> cells) {
        StringBuilder html = new StringBuilder("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            html.append(columns.get(i).numeric() ? "<td class=\"number\">" : "<td>");
            html.append(Markup.escape(Markup.shortened(cells.get(i), LONGEST_CELL)));
            html.append("</td>");
        }
        return html.append("</tr>\n").toString();
    }
}
