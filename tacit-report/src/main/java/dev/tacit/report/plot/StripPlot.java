package dev.tacit.report.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Named rows over one axis, with the numbers beside each: a plot that is a table, so that names never overlap, rows
 * break across pages, and a narrow screen puts the name above the drawing.
 *
 * @param title what it shows
 * @param caption how to read it
 * @param nameHeader what the names are
 * @param axis the common axis, not logarithmic
 * @param reference a value to draw a line at, or NaN
 * @param valueHeaders what the numbers of a row are
 * @param keys what the marks mean
 */
public record StripPlot(
        String title,
        String caption,
        String nameHeader,
        Axis axis,
        double reference,
        List<String> valueHeaders,
        List<Key> keys,
        List<Row> rows)
        implements Exhibit {
    private static final int HEIGHT = 26;
    private static final int AXIS_HEIGHT = 34;
    private static final int LONGEST_NAME = 120;

    /** How a mark is drawn. */
    public enum Shape {
        /** A thin line with ends. */
        RANGE,
        /** A thick line inside a thin one. */
        CORE,
        /** A point. */
        DOT,
        /** A bar that starts at the left value. */
        BAR
    }

    /**
     * Something drawn in a row.
     *
     * @param from left end in units of the axis, or the place of a dot
     * @param to right end
     * @param colour which of the palette's colours
     * @param lane 0 in the middle, -1 above it, 1 below it
     */
    public record Mark(Shape shape, double from, double to, int colour, int lane) {
        boolean visible() {
            return Double.isFinite(from) && Double.isFinite(to);
        }
    }

    /** What a mark means. */
    public record Key(Shape shape, int colour, String text) {}

    /**
     * One row.
     *
     * @param hint the row in words
     */
    public record Row(String name, String hint, List<Mark> marks, List<String> values) {
        public Row {
            marks = List.copyOf(marks);
            values = List.copyOf(values);
        }
    }

    public StripPlot {
        valueHeaders = List.copyOf(valueHeaders);
        keys = List.copyOf(keys);
        rows = List.copyOf(rows);
    }

    @Override
    public String html(String id) {
        StringBuilder html = new StringBuilder();
        html.append(valueHeaders.size() > 1 ? "<figure class=\"strips\" id=\"" : "<figure class=\"strips one\" id=\"")
                .append(id)
                .append("\">\n<figcaption><b id=\"");
        html.append(id)
                .append("-t\">")
                .append(Markup.escape(title))
                .append("</b> ")
                .append(Markup.escape(caption));
        html.append("</figcaption>\n");
        keys.stream()
                .map(StripPlot::key)
                .reduce(String::concat)
                .ifPresent(legend ->
                        html.append("<p class=\"keys\">").append(legend).append("</p>\n"));
        html.append("<table role=\"table\" aria-labelledby=\"").append(id).append("-t\">\n<thead>\n<tr role=\"row\">");
        html.append(header("name", nameHeader)).append(header("strip", axis.title()));
        valueHeaders.forEach(header -> html.append(header("number", header)));
        html.append("</tr>\n</thead>\n<tbody>\n");
        rows.forEach(row -> append(html, row));
        html.append("</tbody>\n<tfoot aria-hidden=\"true\">\n<tr><td class=\"name\"></td><td class=\"strip\">")
                .append(axisStrip());
        html.append("</td>")
                .append("<td class=\"number\"></td>".repeat(valueHeaders.size()))
                .append("</tr>\n</tfoot>\n</table>\n</figure>\n");
        return html.toString();
    }

    private static String header(String style, String text) {
        return "<th class=\"" + style + "\" role=\"columnheader\" scope=\"col\">" + Markup.escape(text) + "</th>";
    }

    private void append(StringBuilder html, Row row) {
        html.append("<tr role=\"row\"><th class=\"name\" role=\"rowheader\" scope=\"row\">");
        html.append(Markup.escape(Markup.shortened(row.name(), LONGEST_NAME)));
        html.append("</th><td class=\"strip\" role=\"cell\">")
                .append(strip(row))
                .append("</td>");
        for (int i = 0; i < row.values().size(); i++) {
            html.append("<td class=\"number\" role=\"cell\" data-name=\"")
                    .append(Markup.escape(valueHeaders.get(i)))
                    .append("\">");
            html.append(Markup.escape(row.values().get(i))).append("</td>");
        }
        html.append("</tr>\n");
    }

    private String strip(Row row) {
        Svg svg = new Svg();
        svg.raw("<svg width=\"100%\" height=\"" + HEIGHT + "\" role=\"img\">\n<title>");
        svg.raw(Markup.escape(Markup.shortened(row.hint(), 2 * LONGEST_NAME))).raw("</title>\n");
        for (Axis.Tick tick : axis.ticks()) {
            String x = x(tick.value());
            svg.segment("grid", x, 0, x, HEIGHT);
        }
        if (inside(reference)) {
            svg.segment("reference", x(reference), 0, x(reference), HEIGHT);
        }
        row.marks().stream().filter(Mark::visible).forEach(mark -> draw(svg, mark));
        return svg.raw("</svg>").toString();
    }

    private void draw(Svg svg, Mark mark) {
        double y = HEIGHT / 2.0 + 5.5 * mark.lane();
        int colour = Palette.colour(mark.colour());
        boolean outside = mark.from() > axis.high() || mark.to() < axis.low();
        if (outside && mark.shape() != Shape.BAR) {
            pointOutside(svg, colour, y, mark.from() > axis.high());
            return;
        }
        String from = x(mark.from());
        String to = x(mark.to());
        switch (mark.shape()) {
            case RANGE -> {
                svg.segment("thin s" + colour, from, y, to, y);
                end(svg, colour, y, mark.from(), false);
                end(svg, colour, y, mark.to(), true);
            }
            case CORE -> svg.segment("thick s" + colour, from, y, to, y);
            case DOT -> svg.circle("dot t" + colour, from, y, mark.lane() == 0 ? 4.5 : 3.6);
            case BAR -> {
                String width = Svg.percent(Math.max(0, position(mark.to()) - position(mark.from())));
                svg.rectangle("t" + colour, from, y - 6.5, width, 13);
                if (mark.to() > axis.high()) {
                    svg.text("onbar", Svg.percent(position(axis.high()) - 0.01), y + 4.5, "end", "\u2192");
                }
            }
        }
    }

    /** The end of a range: a stroke, or an arrow if the range goes on outside. */
    private void end(Svg svg, int colour, double y, double value, boolean right) {
        if (inside(value)) {
            svg.segment("thin s" + colour, x(value), y - 4, x(value), y + 4);
        } else {
            pointOutside(svg, colour, y, right);
        }
    }

    private static void pointOutside(Svg svg, int colour, double y, boolean right) {
        svg.text("t" + colour, right ? "100%" : "0%", y + 4, right ? "end" : "start", right ? "\u25B6" : "\u25C0");
    }

    private String axisStrip() {
        Svg svg = new Svg();
        svg.raw("<svg width=\"100%\" height=\"" + AXIS_HEIGHT + "\" overflow=\"visible\">\n");
        for (Axis.Tick tick : axis.ticks()) {
            String x = x(tick.value());
            svg.segment("axis", x, 0, x, 5);
            svg.text("soft", x, 19, "middle", tick.label().replace('-', '\u2212'));
        }
        svg.segment("axis", "0%", 0, "100%", 0);
        return svg.raw("</svg>").toString();
    }

    private boolean inside(double value) {
        return value >= axis.low() && value <= axis.high();
    }

    private double position(double value) {
        return Math.max(0, Math.min(1, axis.position(value)));
    }

    private String x(double value) {
        return Svg.percent(position(value));
    }

    private static String key(Key key) {
        Svg svg = new Svg();
        svg.raw("<span class=\"key\"><svg width=\"30\" height=\"14\" aria-hidden=\"true\">");
        int colour = Palette.colour(key.colour());
        List<String> ends = new ArrayList<>(List.of("1", "29"));
        switch (key.shape()) {
            case RANGE -> {
                svg.segment("thin s" + colour, ends.get(0), 7, ends.get(1), 7);
                ends.forEach(x -> svg.segment("thin s" + colour, x, 3, x, 11));
            }
            case CORE -> svg.segment("thick s" + colour, "3", 7, "27", 7);
            case DOT -> svg.circle("dot t" + colour, "15", 7, 4.5);
            case BAR -> svg.rectangle("t" + colour, "2", 2, "26", 10);
        }
        return svg.raw("</svg>")
                .raw(Markup.escape(Markup.shortened(key.text(), LONGEST_NAME)))
                .raw("</span> ")
                .toString();
    }
}
