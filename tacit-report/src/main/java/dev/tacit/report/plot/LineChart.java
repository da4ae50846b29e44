package dev.tacit.report.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Lines over two axes as SVG elements: frame, grid, ticks, lines with their names at the end, one marked point.
 *
 * @param title what the chart shows
 * @param description the same for a reader who cannot see it
 * @param marked the point to point out, or null
 * @param frame where it is drawn; a narrow frame has no room for the title and for names
 */
public record LineChart(
        String title,
        String description,
        Axis horizontal,
        Axis vertical,
        List<Series> series,
        Marked marked,
        Frame frame)
        implements Chart {
    private static final int LABEL_HEIGHT = 16;
    private static final int LETTERS_BESIDE_AXIS = 7;

    /** A point with a sentence. */
    public record Marked(double x, double y, String text) {}

    public LineChart {
        series = List.copyOf(series);
    }

    /** A chart with room for the names of its lines. */
    public LineChart(String title, Axis horizontal, Axis vertical, List<Series> series, Marked marked) {
        this(title, title, horizontal, vertical, series, marked, Frame.WIDE);
    }

    @Override
    public String elements(String id) {
        Svg svg = new Svg();
        boolean named = frame.right() < frame.width() - 100;
        if (named) {
            svg.text("title", frame.left(), frame.top() - 28.0, "start", title);
        }
        frame.draw(svg, horizontal, vertical);
        boolean beside = named && vertical.title().length() <= LETTERS_BESIDE_AXIS;
        svg.text(
                "",
                beside ? frame.left() - 8.0 : 4,
                frame.top() - (named ? 10.0 : 20.0),
                beside ? "end" : "start",
                vertical.title());
        svg.raw("<clipPath id=\"" + id + "\">");
        svg.rectangle(
                "", frame.left(), frame.top() - 2.0, frame.right() - frame.left(), frame.bottom() - frame.top() + 2.0);
        svg.raw("</clipPath>\n<g clip-path=\"url(#" + id + ")\">\n");
        for (int i = series.size() - 1; i >= 0; i--) {
            line(svg, series.get(i));
        }
        svg.raw("</g>\n");
        series.forEach(line -> ring(svg, line));
        if (named) {
            labels(svg);
        }
        mark(svg);
        return svg.toString();
    }

    private void line(Svg svg, Series line) {
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (Series.Point point : line.points()) {
            if (point.visible()) {
                // Far above the frame is as good as just above it, and keeps the coordinates short.
                double y = Math.max(y(point.y()), frame.top() - 20.0 * frame.height());
                path.append(pen ? 'L' : 'M')
                        .append(Svg.number(x(point.x())))
                        .append(' ')
                        .append(Svg.number(y));
            }
            pen = point.visible();
        }
        svg.path(style(line), path);
        for (Series.Point point : line.points()) {
            if (point.visible() && point.halfWidth() > 0) {
                svg.segment(
                        "leader s" + line.style(),
                        x(point.x()),
                        y(point.y() - point.halfWidth()),
                        x(point.x()),
                        y(point.y() + point.halfWidth()));
            }
        }
    }

    /** A line of one point is a ring, whole even at the edge of the frame. */
    private void ring(Svg svg, Series line) {
        List<Series.Point> seen =
                line.points().stream().filter(Series.Point::visible).toList();
        if (seen.size() == 1
                && inside(horizontal, seen.get(0).x())
                && inside(vertical, seen.get(0).y())) {
            svg.circle(style(line), x(seen.get(0).x()), y(seen.get(0).y()), 4);
        }
    }

    private static boolean inside(Axis axis, double value) {
        double position = axis.position(value);
        return position >= 0 && position <= 1;
    }

    private static String style(Series line) {
        return "line s" + line.style() + (line.dashed() ? " dashed" : "");
    }

    /** Every line is named at its right end; names that would overlap are pushed apart and tied to their line. */
    private void labels(Svg svg) {
        List<Series> named = new ArrayList<>(series);
        named.removeIf(line -> Double.isNaN(line.last()) || line.label().isEmpty());
        named.sort(Comparator.comparingDouble(line -> y(line.last())));
        double[] places = new double[named.size()];
        for (int i = 0; i < places.length; i++) {
            double wanted = Math.max(
                    frame.top(), Math.min(frame.bottom(), y(named.get(i).last())));
            places[i] = i == 0 ? wanted : Math.max(wanted, places[i - 1] + LABEL_HEIGHT);
        }
        for (int i = places.length - 1; i >= 0; i--) {
            double most = i == places.length - 1 ? frame.bottom() - 2 : places[i + 1] - LABEL_HEIGHT;
            places[i] = Math.min(places[i], most);
        }
        for (int i = 0; i < places.length; i++) {
            Series line = named.get(i);
            double end = y(line.last());
            if (end >= frame.top() - 2) {
                svg.segment("leader s" + line.style(), frame.right() + 2, end, frame.right() + 12, places[i]);
            }
            svg.text(
                    "t" + line.style(),
                    frame.right() + 16,
                    places[i] + 4,
                    "start",
                    line.label() + (end < frame.top() - 2 ? " \u2191" : ""));
        }
    }

    private void mark(Svg svg) {
        if (marked == null) {
            return;
        }
        double x = x(marked.x());
        double y = y(marked.y());
        svg.circle("mark", x, y, 5);
        // Lines rise to the right, so the room is below and to the right; near an edge it is above and to the left.
        boolean below = y + 30 < frame.bottom() && x < frame.left() + 0.6 * (frame.right() - frame.left());
        svg.text("halo", x + (below ? 0 : 5), below ? y + 26 : y - 14, below ? "start" : "end", marked.text());
    }

    private double x(double value) {
        return frame.x(horizontal, value);
    }

    private double y(double value) {
        return frame.y(vertical, value);
    }
}
