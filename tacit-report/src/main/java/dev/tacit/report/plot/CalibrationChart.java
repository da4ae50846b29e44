package dev.tacit.report.plot;

import dev.tacit.report.text.Rounding;
import java.util.List;

/**
 * Predicted probabilities against observed frequencies, with the diagonal of perfect calibration, an error bar for each
 * bin, and how many predictions fell into it.
 *
 * <p>The bars are Wilson's score intervals (Wilson 1927) at 95%:
 *
 * <pre>
 *   (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n),   z = 1.96, p the observed fraction of n
 * </pre>
 */
public record CalibrationChart(String title, List<Bin> bins) implements Chart {
    private static final Frame FRAME = new Frame(400, 402, 46, 388, 36, 288);
    private static final int COUNTS_TOP = 302;
    private static final int COUNTS_BOTTOM = 348;
    private static final double NORMAL_QUANTILE = 1.959964;

    /** The predictions of similar size: their mean, how often the event happened, and how many there were. */
    public record Bin(double meanPredicted, double observedFraction, long count) {
        boolean visible() {
            return count > 0
                    && meanPredicted >= 0
                    && meanPredicted <= 1
                    && observedFraction >= 0
                    && observedFraction <= 1;
        }

        /** The lower end of the error bar. */
        public double lower() {
            return Math.max(0, centre() - halfWidth());
        }

        /** The upper end of the error bar. */
        public double upper() {
            return Math.min(1, centre() + halfWidth());
        }

        private double square() {
            return NORMAL_QUANTILE * NORMAL_QUANTILE / count;
        }

        private double centre() {
            return (observedFraction + square() / 2) / (1 + square());
        }

        private double halfWidth() {
            double ofOne = observedFraction * (1 - observedFraction);
            return Math.sqrt(square() * (ofOne + square() / 4)) / (1 + square());
        }
    }

    public CalibrationChart {
        bins = List.copyOf(bins);
    }

    @Override
    public Frame frame() {
        return FRAME;
    }

    @Override
    public String description() {
        StringBuilder text = new StringBuilder("Observed against predicted probability.");
        for (Bin bin : bins) {
            if (bin.visible()) {
                text.append(' ').append(words(bin)).append('.');
            }
        }
        return text.toString();
    }

    @Override
    public String elements(String id) {
        Axis horizontal = new Axis("predicted probability", 0, 1, false);
        Axis vertical = new Axis("observed fraction", 0, 1, false);
        Svg svg = new Svg();
        for (Axis.Tick tick : vertical.ticks()) {
            double y = FRAME.y(vertical, tick.value());
            double x = FRAME.x(horizontal, tick.value());
            svg.segment("grid", FRAME.left(), y, FRAME.right(), y);
            svg.text("soft", FRAME.left() - 8.0, y + 4, "end", tick.label());
            svg.segment("axis", x, COUNTS_BOTTOM, x, COUNTS_BOTTOM + 5.0);
            svg.text("soft", x, COUNTS_BOTTOM + 18.0, "middle", tick.label());
        }
        svg.segment("axis", FRAME.left(), COUNTS_BOTTOM, FRAME.right(), COUNTS_BOTTOM);
        svg.text("", 4, FRAME.top() - 20.0, "start", vertical.title());
        svg.text("", (FRAME.left() + FRAME.right()) / 2.0, COUNTS_BOTTOM + 40.0, "middle", horizontal.title());
        svg.text("soft", FRAME.left() - 8.0, COUNTS_BOTTOM - 2.0, "end", "count");
        svg.segment("reference", FRAME.left(), FRAME.bottom(), FRAME.right(), FRAME.top());
        long most = bins.stream().mapToLong(Bin::count).max().orElse(1);
        for (Bin bin : bins) {
            if (bin.visible()) {
                draw(svg, bin, FRAME.x(horizontal, bin.meanPredicted()), vertical, most);
            }
        }
        return svg.toString();
    }

    private static void draw(Svg svg, Bin bin, double x, Axis vertical, long most) {
        svg.group(words(bin));
        double lower = FRAME.y(vertical, bin.lower());
        double upper = FRAME.y(vertical, bin.upper());
        svg.segment("thin s0", x, lower, x, upper);
        svg.segment("thin s0", x - 4, lower, x + 4, lower);
        svg.segment("thin s0", x - 4, upper, x + 4, upper);
        svg.circle("dot t0", x, FRAME.y(vertical, bin.observedFraction()), 5);
        double height = Math.max(1.0, (COUNTS_BOTTOM - COUNTS_TOP) * ((double) bin.count() / most));
        svg.rectangle("t0 faint", x - 6, COUNTS_BOTTOM - height, 12, height);
        svg.endGroup();
    }

    private static String words(Bin bin) {
        return "predicted " + Rounding.nearest(bin.meanPredicted(), 3) + ", observed "
                + Rounding.nearest(bin.observedFraction(), 3) + " of " + Rounding.count(bin.count())
                + " (95% from " + Rounding.nearest(bin.lower(), 3) + " to " + Rounding.nearest(bin.upper(), 3) + ")";
    }
}
