package dev.tacit.experiments;

import java.util.Locale;

/**
 * Records of a mixture in their first two columns and, panel after panel, where a method puts the components: a cross at each mean, an
 * ellipse that holds nine tenths of the component's records if the method is right, and a dot where the labels put the mean.
 *
 * <p>Vinaroz, Park 2022, Figure 1, which shows the same for one data set.
 */
final class MixtureFigure {
    private static final int PANEL = 230;
    private static final int GAP = 24;
    private static final int TITLE = 24;
    private static final int IN_A_ROW = 4;
    private static final int EVERY = 2;
    private static final int CORNERS = 60;
    private static final double RANGE = 5;
    private static final double NINE_TENTHS = 4.605;
    private static final String[] COLOURS = {"#1f5fbf", "#b84a05", "#14795a", "#8b3fc4"};

    private final MixtureTask task;
    private final StringBuilder panels = new StringBuilder();
    private int count;

    MixtureFigure(MixtureTask task) {
        this.task = task;
    }

    /** One more panel: means and covariances of the components' means, component after component. */
    void add(String title, double[] means, double[] covariances) {
        int left = GAP + count % IN_A_ROW * (PANEL + GAP);
        int top = GAP + count / IN_A_ROW * (PANEL + TITLE + GAP);
        append("<g transform=\"translate(%d %d)\">%n<text y=\"14\">%s</text>%n", left, top, title);
        append("<svg y=\"%d\" width=\"%d\" height=\"%d\">%n", TITLE, PANEL, PANEL);
        append("<rect width=\"%d\" height=\"%d\" fill=\"#f6f7f9\"/>%n", PANEL, PANEL);
        for (int row = 0; row < task.block().rows(); row += EVERY) {
            double x = task.block().values()[row * MixtureTask.COLUMNS];
            double y = task.block().values()[row * MixtureTask.COLUMNS + 1];
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
        double xx = covariances[k * d * d] + variance;
        double xy = covariances[k * d * d + 1];
        double yy = covariances[k * d * d + d + 1] + variance;
        double across = Math.sqrt(xx);
        double up = Math.sqrt(Math.max(0, yy - xy * xy / xx));
        StringBuilder path = new StringBuilder();
        for (int corner = 0; corner < CORNERS; corner++) {
            double angle = 2 * Math.PI * corner / CORNERS;
            double u = Math.sqrt(NINE_TENTHS) * Math.cos(angle);
            double v = Math.sqrt(NINE_TENTHS) * Math.sin(angle);
            path.append(String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    corner == 0 ? "M" : "L",
                    x(means[k * d] + across * u),
                    y(means[k * d + 1] + xy / across * u + up * v)));
        }
        append("<path d=\"%sZ\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>%n", path, COLOURS[k]);
        double x = x(means[k * d]);
        double y = y(means[k * d + 1]);
        append(
                "<path d=\"M%.1f %.1fh10M%.1f %.1fv10\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                x - 5, y, x, y - 5, COLOURS[k]);
        append(
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#1c2330\"/>%n",
                x(task.truthMeans()[k * d]), y(task.truthMeans()[k * d + 1]));
    }

    /** Far outside is as good as just outside. */
    private static double x(double value) {
        return PANEL * (Math.max(-20, Math.min(20, value)) + RANGE) / (2 * RANGE);
    }

    private static double y(double value) {
        return PANEL - x(value);
    }

    private void append(String format, Object... values) {
        panels.append(String.format(Locale.ROOT, format, values));
    }

    /** The whole picture. */
    String svg() {
        int width = GAP + IN_A_ROW * (PANEL + GAP);
        int height = GAP + (count + IN_A_ROW - 1) / IN_A_ROW * (PANEL + TITLE + GAP);
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                                + " font-size=\"12\" fill=\"#1c2330\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n",
                        width,
                        height,
                        width,
                        height)
                + panels
                + "</svg>\n";
    }
}
