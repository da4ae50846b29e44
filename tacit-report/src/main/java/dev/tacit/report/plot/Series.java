package dev.tacit.report.plot;

import java.util.List;

/**
 * One line of a chart.
 *
 * @param label what it says at the end of the line
 * @param style which of the colours of {@link Palette}
 * @param dashed true for what is only an estimate
 * @param points from left to right; the line is broken where {@code y} is not finite
 */
public record Series(String label, int style, boolean dashed, List<Point> points) {
    /**
     * One point in the units of the axes.
     *
     * @param halfWidth of a vertical bar that says how uncertain it is; 0 for none
     */
    public record Point(double x, double y, double halfWidth) {
        /** A point without a bar. */
        public Point(double x, double y) {
            this(x, y, 0);
        }

        boolean visible() {
            return Double.isFinite(y);
        }
    }

    public Series {
        points = List.copyOf(points);
    }

    /** The largest finite value, or 0 if there is none. */
    public double largest() {
        return points.stream()
                .filter(Point::visible)
                .mapToDouble(Point::y)
                .max()
                .orElse(0);
    }

    /** The last finite value, or NaN if there is none. */
    double last() {
        return points.stream()
                .filter(Point::visible)
                .mapToDouble(Point::y)
                .reduce(Double.NaN, (before, value) -> value);
    }
}
