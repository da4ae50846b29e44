package dev.tacit.experiments.ep;

import java.util.Locale;

/**
 * Records of a mixture in the two columns that tell its components apart best and, panel after panel, where a method puts the components:
 * a cross at each mean, an ellipse that holds nine tenths of the component's records if the method is right, and a dot where the labels
 * put the mean.
 *
 * <p>Vinaroz, Park 2022, Figure 1, which shows the same for one data set.
 */
final class MixtureFigure {
    private static final int PANEL = 250;
    private static final int GAP = 24;
    private static final int TITLE = 24;
    private static final int IN_A_ROW = 3;
    private static final int EVERY = 2;
    private static final int CORNERS = 60;
    private static final double MARGIN = 1.2;
    private static final double FAR = 100;
    private static final double NINE_TENTHS = 4.605;
    private static final String[] COLOURS = {"#1f5fbf", "#b84a05", "#14795a", "#8b3fc4"};

    private final MixtureTask task;
    private final int across;
    private final int up;
    private final double[] centre;
    private final double halfWidth;
    private final StringBuilder panels = new StringBuilder();
    private int count;

    MixtureFigure(MixtureTask task) {
        this.task = task;
        int d = MixtureTask.COLUMNS;
        double[] spread = new double[d];
        for (int j = 0; j < d; j++) {
            for (int k = 0; k < MixtureTask.COMPONENTS; k++) {
                for (int other = 0; other < k; other++) {
                    double distance = task.truthMeans()[k * d + j] - task.truthMeans()[other * d + j];
                    spread[j] += distance * distance;
                }
            }
        }
        this.across = largest(spread);
        spread[across] = -1;
        this.up = largest(spread);
        int[] shown = {across, up};
        this.centre = new double[2];
        double widest = 0;
        for (int axis = 0; axis < 2; axis++) {
            double least = Double.POSITIVE_INFINITY;
            double most = Double.NEGATIVE_INFINITY;
            for (int row = 0; row < task.block().rows(); row++) {
                least = Math.min(least, task.block().values()[row * d + shown[axis]]);
                most = Math.max(most, task.block().values()[row * d + shown[axis]]);
            }
            centre[axis] = (least + most) / 2;
            widest = Math.max(widest, (most - least) / 2);
        }
        this.halfWidth = MARGIN * widest;
    }

    private static int largest(double[] numbers) {
        int best = 0;
        for (int i = 1; i < numbers.length; i++) {
            best = numbers[i] > numbers[best] ? i : best;
        }
        return best;
    }

    /** One more panel: means and covariances of the components' means, component after component. */
    void add(String title, double[] means, double[] covariances) {
        int left = GAP + count % IN_A_ROW * (PANEL + GAP);
        int top = GAP + count / IN_A_ROW * (PANEL + TITLE + GAP);
        append("<g transform=\"translate(%d %d)\">%n<text y=\"14\">%s</text>%n", left, top, title);
        append("<svg y=\"%d\" width=\"%d\" height=\"%d\">%n", TITLE, PANEL, PANEL);
        append("<rect width=\"%d\" height=\"%d\" fill=\"#f6f7f9\"/>%n", PANEL, PANEL);
        for (int row = 0; row < task.block().rows(); row += EVERY) {
            double x = task.block().values()[row * MixtureTask.COLUMNS + across];
            double y = task.block().values()[row * MixtureTask.COLUMNS + up];
            append("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\" fill=\"#9aa5b8\"/>%n", x(x), y(y));
        }
        for (int k = 0; k < MixtureTask.COMPONENTS; k++) {
            component(k, means, covariances);
        }
        panels.append("</svg>\n</g>\n");
        count++;
    }

    private void component(int k, double[] means, double[] covariances) {
        int d = MixtureTask.COLUMNS;
        double variance = MixtureTask.DEVIATION * MixtureTask.DEVIATION;
        double xx = covariances[(k * d + across) * d + across] + variance;
        double xy = covariances[(k * d + across) * d + up];
        double yy = covariances[(k * d + up) * d + up] + variance;
        double width = Math.sqrt(xx);
        double height = Math.sqrt(Math.max(0, yy - xy * xy / xx));
        double meanX = means[k * d + across];
        double meanY = means[k * d + up];
        StringBuilder path = new StringBuilder();
        for (int corner = 0; corner < CORNERS; corner++) {
            double angle = 2 * Math.PI * corner / CORNERS;
            double u = Math.sqrt(NINE_TENTHS) * Math.cos(angle);
            double v = Math.sqrt(NINE_TENTHS) * Math.sin(angle);
            path.append(String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    corner == 0 ? "M" : "L",
                    x(meanX + width * u),
                    y(meanY + xy / width * u + height * v)));
        }
        append("<path d=\"%sZ\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>%n", path, COLOURS[k]);
        double x = x(meanX);
        double y = y(meanY);
        append(
                "<path d=\"M%.1f %.1fh10M%.1f %.1fv10\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                x - 5, y, x, y - 5, COLOURS[k]);
        append(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1c2330\"/>%n",
                x(task.truthMeans()[k * d + across]), y(task.truthMeans()[k * d + up]));
    }

    private double x(double value) {
        return PANEL * (1 + limited((value - centre[0]) / halfWidth)) / 2;
    }

    private double y(double value) {
        return PANEL * (1 - limited((value - centre[1]) / halfWidth)) / 2;
    }

    /** Far outside is as good as just outside. */
    private static double limited(double value) {
        return Math.max(-FAR, Math.min(FAR, value));
    }

    private void append(String format, Object... values) {
        panels.append(String.format(Locale.ROOT, format, values));
    }

    /** The whole picture. */
    String svg() {
        int width = GAP + IN_A_ROW * (PANEL + GAP);
        int height = 2 * GAP + (count + IN_A_ROW - 1) / IN_A_ROW * (PANEL + TITLE + GAP);
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                                + " font-size=\"12\" fill=\"#1c2330\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
                        width,
                        height,
                        width,
                        height)
                + panels
                + "<text x=\"%d\" y=\"%d\">%s</text>\n"
                        .formatted(
                                GAP,
                                height - GAP,
                                "cross: posterior mean; ellipse: nine tenths of its records; dot: mean given the labels;"
                                        + " columns " + (across + 1) + " and " + (up + 1) + " of "
                                        + MixtureTask.COLUMNS)
                + "</svg>\n";
    }
}
