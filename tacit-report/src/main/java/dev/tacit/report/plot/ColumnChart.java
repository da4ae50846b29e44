package dev.tacit.report.plot;

import dev.tacit.report.text.Rounding;
import java.util.List;

/**
 * Many values in a row as thin columns, with a line at a value that matters; neighbouring values share a column when
 * there are more values than room, and the column then reaches the largest.
 *
 * @param title what the chart shows
 * @param description the same for a reader who cannot see it
 * @param horizontalTitle what is counted from left to right
 * @param verticalTitle what is measured
 * @param reference where the line is
 * @param referenceText what it means
 * @param cap values above are cut off there and marked
 * @param values from left to right, the first has the number 1
 */
public record ColumnChart(
        String title,
        String description,
        String horizontalTitle,
        String verticalTitle,
        double reference,
        String referenceText,
        double cap,
        List<Double> values)
        implements Chart {
    private static final int MOST_COLUMNS = 110;

    public ColumnChart {
        values = List.copyOf(values);
    }

    @Override
    public Frame frame() {
        return Frame.NARROW;
    }

    @Override
    public String elements(String id) {
        double largest = values.stream()
                .filter(Double::isFinite)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        Axis vertical = Axis.fromZero(verticalTitle, 1.1 * Math.max(reference, Math.min(largest, cap)));
        Axis horizontal = new Axis(horizontalTitle, 0.5, Math.max(1, values.size()) + 0.5, false);
        Svg svg = new Svg();
        frame().draw(svg, horizontal, vertical);
        svg.text("", 4, frame().top() - 20.0, "start", verticalTitle);
        svg.segment(
                "reference",
                frame().right() - 152.0,
                frame().top() - 24.0,
                frame().right() - 126.0,
                frame().top() - 24.0);
        svg.text("", frame().right() - 120.0, frame().top() - 20.0, "start", referenceText);
        for (int first = 0; first < values.size(); first += perColumn()) {
            column(svg, horizontal, vertical, first, Math.min(values.size(), first + perColumn()));
        }
        double y = frame().y(vertical, reference);
        svg.segment("reference", frame().left(), y, frame().right(), y);
        return svg.toString();
    }

    /** How many values share a column. */
    public int perColumn() {
        return Math.max(1, (values.size() + MOST_COLUMNS - 1) / MOST_COLUMNS);
    }

    private void column(Svg svg, Axis horizontal, Axis vertical, int first, int end) {
        double largest = Double.NaN;
        for (int i = first; i < end; i++) {
            double value = values.get(i);
            largest = Double.isNaN(largest) || value > largest ? value : largest;
        }
        if (!(largest >= 0)) {
            return;
        }
        double left = frame().x(horizontal, first + 0.5);
        double right = frame().x(horizontal, end + 0.5);
        double gap = right - left > 4 ? 1 : 0.3;
        double top = frame().y(vertical, Math.min(largest, vertical.high()));
        String which = end - first == 1 ? Integer.toString(end) : (first + 1) + " to " + end + ", largest";
        svg.group(which + ": " + Rounding.nearest(largest, 3));
        String style = largest >= reference ? "t1" : "t0";
        svg.rectangle(style, left + gap / 2, top, right - left - gap, frame().bottom() - top);
        svg.endGroup();
    }
}
