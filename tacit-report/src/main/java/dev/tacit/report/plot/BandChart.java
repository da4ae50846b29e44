package dev.tacit.report.plot;

import java.util.List;

/**
 * One line with a band around it, small enough to stand beside others.
 *
 * @param title what the chart shows
 * @param description the same for a reader who cannot see it
 * @param points from left to right
 */
public record BandChart(String title, String description, Axis horizontal, Axis vertical, List<Point> points)
        implements Chart {
    private static final Frame PANEL = new Frame(300, 226, 46, 290, 14, 172);

    /** A value with the ends of its band. */
    public record Point(double x, double lower, double value, double upper) {}

    public BandChart {
        points = List.copyOf(points);
    }

    @Override
    public Frame frame() {
        return PANEL;
    }

    @Override
    public String elements(String id) {
        Svg svg = new Svg();
        PANEL.draw(svg, horizontal, vertical);
        StringBuilder band = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (Point point : points) {
            append(band, point.x, point.upper);
            append(line, point.x, point.value);
        }
        for (int i = points.size() - 1; i >= 0; i--) {
            append(band, points.get(i).x, points.get(i).lower);
        }
        svg.path("band t0", band.append('Z'));
        svg.path("line s0", line);
        return svg.toString();
    }

    private void append(StringBuilder path, double x, double y) {
        path.append(path.length() == 0 ? 'M' : 'L')
                .append(Svg.number(PANEL.x(horizontal, x)))
                .append(' ')
                .append(Svg.number(PANEL.y(vertical, y)));
    }
}
