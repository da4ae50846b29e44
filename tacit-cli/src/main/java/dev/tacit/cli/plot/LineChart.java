package dev.tacit.cli.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Lines over two axes as SVG elements: frame, grid, ticks, lines with their names at the end, one marked point.
 *
 * @param title what the chart shows
 * @param marked the point to point out, or null
 */
public record LineChart(String title, Axis horizontal, Axis vertical, List<Series> series, Marked marked) {
    public static final int WIDTH = 580;
    public static final int HEIGHT = 420;

    private static final int LEFT = 62;
    private static final int RIGHT = 404;
    private static final int TOP = 52;
    private static final int BOTTOM = 364;
    private static final int LABEL_HEIGHT = 16;

    /** A point with a sentence. */
    public record Marked(double x, double y, String text) {}

    /** The rules that both charts and pages need; they follow the reader's light or dark setting. */
    public static String stylesheet() {
        return """
                .tacit { --ink: #1c2330; --soft: #5d6778; --grid: #e3e7ee; --paper: #ffffff; --mark: #1c2330;
                  --c0: #1f5fbf; --c1: #c2510a; --c2: #14795a; --c3: #8b3fc4; --c4: #8a6d1a; --c5: #b3266f; }
                @media (prefers-color-scheme: dark) {
                  .tacit { --ink: #e8ecf3; --soft: #9aa5b8; --grid: #2b3342; --paper: #141922; --mark: #ffffff;
                    --c0: #7fb2ff; --c1: #ffa45c; --c2: #55cfa0; --c3: #cfa3ff; --c4: #dcc26a; --c5: #ff8fc4; } }
                .tacit .paper { fill: var(--paper); }
                .tacit text { fill: var(--ink);
                  font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
                .tacit text.title { font-size: 15px; font-weight: 600; }
                .tacit text.soft { fill: var(--soft); }
                .tacit .grid { stroke: var(--grid); stroke-width: 1; }
                .tacit .axis { stroke: var(--soft); stroke-width: 1; }
                .tacit .line { fill: none; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
                .tacit .dashed { stroke-dasharray: 2 5; }
                .tacit .leader { stroke-width: 1; opacity: 0.5; }
                .tacit .halo { stroke: var(--paper); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
                .tacit .mark { fill: var(--mark); stroke: var(--paper); stroke-width: 2; }
                .tacit .s0 { stroke: var(--c0); } .tacit text.t0 { fill: var(--c0); }
                .tacit .s1 { stroke: var(--c1); } .tacit text.t1 { fill: var(--c1); }
                .tacit .s2 { stroke: var(--c2); } .tacit text.t2 { fill: var(--c2); }
                .tacit .s3 { stroke: var(--c3); } .tacit text.t3 { fill: var(--c3); }
                .tacit .s4 { stroke: var(--c4); } .tacit text.t4 { fill: var(--c4); }
                .tacit .s5 { stroke: var(--c5); } .tacit text.t5 { fill: var(--c5); }
                """;
    }

    /** The chart's elements, to be put into an {@code svg} element; {@code id} tells several charts of a page apart. */
    public String elements(String id) {
        StringBuilder svg = new StringBuilder();
        text(svg, "title", LEFT, 24, "start", title);
        frame(svg);
        svg.append("<clipPath id=\"")
                .append(id)
                .append("\"><rect x=\"")
                .append(LEFT)
                .append("\" y=\"")
                .append(TOP - 2);
        svg.append("\" width=\"")
                .append(RIGHT - LEFT)
                .append("\" height=\"")
                .append(BOTTOM - TOP + 2)
                .append("\"/></clipPath>\n");
        svg.append("<g clip-path=\"url(#").append(id).append(")\">\n");
        for (int i = series.size() - 1; i >= 0; i--) {
            line(svg, series.get(i));
        }
        svg.append("</g>\n");
        labels(svg);
        mark(svg);
        return svg.toString();
    }

    private void frame(StringBuilder svg) {
        for (Axis.Tick tick : vertical.ticks()) {
            double y = y(tick.value());
            segment(svg, "grid", LEFT, y, RIGHT, y);
            text(svg, "soft", LEFT - 8, y + 4, "end", tick.label());
        }
        for (Axis.Tick tick : horizontal.ticks()) {
            double x = x(tick.value());
            segment(svg, "axis", x, BOTTOM, x, BOTTOM + 5);
            text(svg, "soft", x, BOTTOM + 19, "middle", tick.label());
        }
        segment(svg, "axis", LEFT, BOTTOM, RIGHT, BOTTOM);
        text(svg, "", (LEFT + RIGHT) / 2.0, BOTTOM + 42, "middle", horizontal.title());
        text(svg, "", LEFT - 8, TOP - 10, "end", vertical.title());
    }

    private void line(StringBuilder svg, Series line) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (Series.Point point : line.points()) {
            if (point.visible()) {
                // Far above the frame is as good as just above it, and keeps the coordinates short.
                double y = Math.max(y(point.y()), TOP - 20.0 * HEIGHT);
                path.append(pen ? 'L' : 'M')
                        .append(number(x(point.x())))
                        .append(' ')
                        .append(number(y));
            }
            pen = point.visible();
        }
        svg.append("<path class=\"line s")
                .append(line.style())
                .append(line.dashed() ? " dashed" : "")
                .append("\" d=\"");
        svg.append(path).append("\"/>\n");
    }

    /** Every line is named at its right end; names that would overlap are pushed apart and tied to their line. */
    private void labels(StringBuilder svg) {
        List<Series> named = new ArrayList<>(series);
        named.removeIf(line -> Double.isNaN(line.last()));
        named.sort(Comparator.comparingDouble(line -> y(line.last())));
        double[] places = new double[named.size()];
        for (int i = 0; i < places.length; i++) {
            double wanted = Math.max(TOP, Math.min(BOTTOM, y(named.get(i).last())));
            places[i] = i == 0 ? wanted : Math.max(wanted, places[i - 1] + LABEL_HEIGHT);
        }
        for (int i = places.length - 1; i >= 0; i--) {
            double most = i == places.length - 1 ? BOTTOM - 2 : places[i + 1] - LABEL_HEIGHT;
            places[i] = Math.min(places[i], most);
        }
        for (int i = 0; i < places.length; i++) {
            Series line = named.get(i);
            double end = y(line.last());
            if (end >= TOP - 2) {
                segment(svg, "leader s" + line.style(), RIGHT + 2, end, RIGHT + 12, places[i]);
            }
            text(
                    svg,
                    "t" + line.style(),
                    RIGHT + 16,
                    places[i] + 4,
                    "start",
                    line.label() + (end < TOP - 2 ? " \u2191" : ""));
        }
    }

    private void mark(StringBuilder svg) {
        if (marked == null) {
            return;
        }
        double x = x(marked.x());
        double y = y(marked.y());
        svg.append("<circle class=\"mark\" cx=\"")
                .append(number(x))
                .append("\" cy=\"")
                .append(number(y))
                .append("\" r=\"5\"/>\n");
        // Lines rise to the right, so the room is below and to the right; at the bottom it is above and to the left.
        boolean below = y + 30 < BOTTOM;
        text(svg, "halo", x, below ? y + 26 : y - 14, below ? "start" : "end", marked.text());
    }

    private double x(double value) {
        return LEFT + horizontal.position(value) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return BOTTOM - vertical.position(value) * (BOTTOM - TOP);
    }

    private static void segment(StringBuilder svg, String style, double x1, double y1, double x2, double y2) {
        svg.append("<line class=\"")
                .append(style)
                .append("\" x1=\"")
                .append(number(x1))
                .append("\" y1=\"")
                .append(number(y1));
        svg.append("\" x2=\"")
                .append(number(x2))
                .append("\" y2=\"")
                .append(number(y2))
                .append("\"/>\n");
    }

    private static void text(StringBuilder svg, String style, double x, double y, String anchor, String text) {
        svg.append("<text class=\"")
                .append(style)
                .append("\" x=\"")
                .append(number(x))
                .append("\" y=\"")
                .append(number(y));
        svg.append("\" text-anchor=\"")
                .append(anchor)
                .append("\">")
                .append(Markup.escape(text))
                .append("</text>\n");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
