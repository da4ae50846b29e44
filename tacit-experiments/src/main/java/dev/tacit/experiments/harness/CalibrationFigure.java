package dev.tacit.experiments.harness;

import dev.tacit.diagnostics.CalibrationCurve;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far observed frequencies are from predicted probabilities: a chart for each setting, a line for each method, the
 * mean over seeds with its standard error (Alrawajfeh, Jälkö, Honkela 2025, Figure 4, which draws predictions over
 * frequencies; their difference shows more).
 */
public final class CalibrationFigure {
    private final Map<String, Map<String, List<CalibrationCurve>>> settings = new LinkedHashMap<>();

    public void add(String method, String setting, CalibrationCurve curve) {
        settings.computeIfAbsent(setting, unused -> new LinkedHashMap<>())
                .computeIfAbsent(method, unused -> new ArrayList<>())
                .add(curve);
    }

    /**
     * The charts of settings under which several methods were fitted.
     *
     * @param apart beginnings of names of methods that get charts of their own
     */
    public List<LineChart> charts(List<String> apart) {
        List<LineChart> charts = new ArrayList<>();
        settings.forEach((setting, methods) -> {
            if (methods.size() > 1) {
                Map<String, List<Series>> lines = new LinkedHashMap<>();
                methods.forEach((method, curves) -> {
                    String group = apart.stream()
                            .filter(method::startsWith)
                            .findFirst()
                            .orElse("");
                    List<Series> of = lines.computeIfAbsent(group, unused -> new ArrayList<>());
                    of.add(new Series(method.substring(group.length()), of.size(), false, points(curves)));
                });
                lines.forEach((group, of) -> charts.add(chart(group + setting, of)));
            }
        });
        return charts;
    }

    private static LineChart chart(String title, List<Series> lines) {
        double reach = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(point -> Math.abs(point.y()) + point.halfWidth())
                .max()
                .orElse(0);
        return new LineChart(
                title,
                Axis.fromZero("predicted probability", 1),
                Axis.around("observed share less predicted probability", -reach, reach),
                lines,
                null);
    }

    private static List<Series.Point> points(List<CalibrationCurve> curves) {
        List<Series.Point> points = new ArrayList<>();
        int bins = curves.get(0).meanPredictions().length;
        int seeds = curves.size();
        for (int b = 0; b < bins; b++) {
            double prediction = 0;
            double gap = 0;
            double squares = 0;
            for (CalibrationCurve curve : curves) {
                double one = curve.positiveShares()[b] - curve.meanPredictions()[b];
                prediction += curve.meanPredictions()[b] / seeds;
                gap += one / seeds;
                squares += one * one / seeds;
            }
            double error = seeds < 2 ? 0 : Math.sqrt(Math.max(0, squares - gap * gap) / (seeds - 1));
            points.add(new Series.Point(prediction, gap, error));
        }
        return points;
    }
}
