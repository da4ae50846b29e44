package dev.tacit.report.plot;

import java.util.List;

/**
 * Where the plotting area lies in a picture, and how it is framed.
 *
 * @param width of the picture; text is 12 units high, so a narrow picture stays readable on a phone
 * @param height of the picture
 * @param left edge of the plotting area
 * @param right edge of the plotting area
 * @param top edge of the plotting area
 * @param bottom edge of the plotting area
 */
public record Frame(int width, int height, int left, int right, int top, int bottom) {
    /** Room for the names of lines at the right. */
    public static final Frame WIDE = new Frame(580, 420, 62, 404, 52, 364);

    /** For pages that must be readable on a phone: no room at the right, no title inside. */
    public static final Frame NARROW = new Frame(400, 306, 46, 388, 36, 252);

    double x(Axis axis, double value) {
        return left + axis.position(value) * (right - left);
    }

    double y(Axis axis, double value) {
        return bottom - axis.position(value) * (bottom - top);
    }

    /** Grid, ticks and titles. */
    void draw(Svg svg, Axis horizontal, Axis vertical) {
        for (Axis.Tick tick : vertical.ticks()) {
            double y = y(vertical, tick.value());
            svg.segment("grid", left, y, right, y);
            svg.text("soft", left - 8.0, y + 4, "end", tick.label());
        }
        List<Axis.Tick> ticks = horizontal.ticks();
        for (Axis.Tick tick : ticks) {
            double x = x(horizontal, tick.value());
            svg.segment("axis", x, bottom, x, bottom + 5.0);
            svg.text("soft", x, bottom + 19.0, "middle", tick.label());
        }
        svg.segment("axis", left, bottom, right, bottom);
        svg.text("", (left + right) / 2.0, bottom + 42.0, "middle", horizontal.title());
    }
}
