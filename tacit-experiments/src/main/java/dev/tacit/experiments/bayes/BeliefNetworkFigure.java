package dev.tacit.experiments.bayes;

import dev.tacit.experiments.harness.ResultRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A bar for each method: how many pixels of test images are reconstructed, beside the best constant. */
final class BeliefNetworkFigure {
    private static final int WIDTH = 860;
    private static final int BAR = 26;
    private static final int LEFT = 330;
    private static final double FROM = 0.84;
    private static final double TO = 0.98;

    private BeliefNetworkFigure() {}

    /** The picture by the name of its file; none if nothing was fitted. */
    static Map<String, String> files(List<ResultRow> rows) {
        Map<String, Double> bars = new LinkedHashMap<>();
        for (ResultRow row : rows) {
            if (row.metric().equals("constantReconstructionAccuracy")) {
                bars.putIfAbsent("best constant", row.ours());
            }
        }
        for (ResultRow row : rows) {
            if (row.metric().equals("reconstructionAccuracy")) {
                bars.put(row.method() + ", " + row.setting(), row.ours());
            }
        }
        return bars.isEmpty() ? Map.of() : Map.of("figure.svg", svg(bars));
    }

    private static String svg(Map<String, Double> bars) {
        int height = 70 + BAR * bars.size();
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
                        + " font-size=\"13\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n"
                        + "<text x=\"12\" y=\"26\" font-size=\"15\">Pixels of MNIST test images reconstructed from hidden"
                        + " units</text>%n",
                WIDTH,
                height,
                WIDTH,
                height));
        int y = 44;
        for (Map.Entry<String, Double> bar : bars.entrySet()) {
            double length = (WIDTH - LEFT - 90) * Math.max(0, (bar.getValue() - FROM) / (TO - FROM));
            boolean isConstant = bar.getKey().equals("best constant");
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n"
                            + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n"
                            + "<text x=\"%.1f\" y=\"%d\">%.4f</text>%n",
                    LEFT - 8,
                    y + 14,
                    bar.getKey(),
                    LEFT,
                    y,
                    length,
                    BAR - 8,
                    isConstant ? "#999999" : "#2f6f8f",
                    LEFT + length + 6,
                    y + 14,
                    bar.getValue()));
            y += BAR;
        }
        return svg.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\" fill=\"#555555\">bars begin at %.2f</text>%n</svg>%n",
                        LEFT,
                        y + 14,
                        FROM))
                .toString();
    }
}
