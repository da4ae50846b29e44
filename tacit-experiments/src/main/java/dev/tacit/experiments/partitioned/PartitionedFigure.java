package dev.tacit.experiments.partitioned;

import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.partitioned.ComparedMethods.Method;
import dev.tacit.experiments.partitioned.PartitionedTask.Point;
import dev.tacit.experiments.partitioned.PartitionedTask.Run;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/** Runs methods over seeds, on several threads, and turns them into rows and curves. */
final class PartitionedFigure {
    private static final long FIRST_SEED = 11;

    private final int seeds;
    private final double epsilon;
    private final ExperimentListener listener;
    private final ExecutorService threads;
    private final List<ResultRow> rows = new ArrayList<>();
    private final Map<String, Map<String, List<Run>>> runs = new LinkedHashMap<>();

    PartitionedFigure(int seeds, double epsilon, int threads, ExperimentListener listener) {
        this.seeds = seeds;
        this.epsilon = epsilon;
        this.listener = listener;
        this.threads = Executors.newFixedThreadPool(threads);
    }

    /** Runs methods on one split of the records. */
    void run(String split, List<Method> methods) {
        for (Method method : methods) {
            run(split, method);
        }
    }

    private void run(String split, Method method) {
        List<Future<Run>> pending = new ArrayList<>();
        for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds; seed++) {
            long own = seed;
            pending.add(threads.submit(() -> method.run().apply(own)));
        }
        List<Run> done = new ArrayList<>();
        for (Future<Run> future : pending) {
            try {
                done.add(future.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
            listener.partDone();
        }
        runs.computeIfAbsent(split, unused -> new LinkedHashMap<>()).put(method.label(), done);
        addRows(split, method.label(), done);
    }

    private void addRows(String split, String method, List<Run> done) {
        int communications = done.get(0).last().communications();
        String setting = split + ", " + communications + " messages of each party";
        addRow(
                method,
                setting,
                "accuracy",
                PublishedPvi.accuracy(split, method),
                done,
                run -> run.last().accuracy());
        addRow(
                method,
                setting,
                "logLikelihood",
                PublishedPvi.logLikelihood(split, method),
                done,
                run -> run.last().logLikelihood());
        addRow(
                method,
                setting,
                "auc",
                OptionalDouble.empty(),
                done,
                run -> run.last().auc());
        if (done.get(0).bytesPerRound().isPresent()) {
            addRow(
                    method,
                    setting,
                    "bytes of a round",
                    OptionalDouble.empty(),
                    done,
                    run -> run.bytesPerRound().getAsDouble());
        }
    }

    private void addRow(
            String method,
            String setting,
            String metric,
            OptionalDouble paper,
            List<Run> done,
            ToDoubleFunction<Run> value) {
        double[] values = done.stream().mapToDouble(value).toArray();
        double mean = mean(values);
        double deviation = deviation(values);
        double holds = done.stream().mapToDouble(Run::epsilon).max().orElseThrow();
        rows.add(new ResultRow(method, setting, metric, paper, mean, deviation, values.length, epsilon, holds));
    }

    private static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        double squares = 0;
        for (double each : values) {
            squares += (each - mean) * (each - mean);
        }
        return values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0;
    }

    /** The table and, for each split, charts of means with their standard errors. */
    ExperimentResult result(String name, List<String> remarks, long startNanos) {
        threads.shutdown();
        List<LineChart> charts = new ArrayList<>();
        runs.forEach((split, methods) -> {
            for (boolean trusted : new boolean[] {true, false}) {
                Map<String, List<Run>> shown = new LinkedHashMap<>(methods);
                shown.keySet().removeIf(method -> trusts(method) != trusted);
                if (!shown.isEmpty()) {
                    charts.add(chart(split, trusted, "accuracy", shown, Point::accuracy));
                    charts.add(chart(split, trusted, "log-likelihood", shown, Point::logLikelihood));
                }
            }
        });
        return new ExperimentResult(name, rows, remarks, charts, (System.nanoTime() - startNanos) * 1e-9);
    }

    /** Whether a method needs somebody whom all parties trust. */
    private static boolean trusts(String method) {
        return method.contains("aggregator") || method.contains("curator");
    }

    private static LineChart chart(
            String split,
            boolean trusted,
            String metric,
            Map<String, List<Run>> methods,
            ToDoubleFunction<Point> value) {
        List<Series> series = new ArrayList<>();
        Map<String, Integer> colours = new HashMap<>();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        double longest = 2;
        for (Map.Entry<String, List<Run>> method : methods.entrySet()) {
            List<Series.Point> points = points(method.getValue(), value);
            colours.put(method.getKey(), series.size() % Palette.COLOURS);
            series.add(new Series(method.getKey(), series.size() % Palette.COLOURS, false, points));
            double end = points.get(points.size() - 1).y();
            low = Math.min(low, end);
            high = Math.max(high, end);
            longest = Math.max(longest, points.get(points.size() - 1).x());
        }
        for (Map.Entry<String, List<Series.Point>> published :
                PublishedPvi.curves(split, metric.equals("accuracy")).entrySet()) {
            Integer colour = colours.get(published.getKey());
            if (colour != null) {
                List<Series.Point> points = published.getValue();
                series.add(new Series(published.getKey() + " (published)", colour, true, points));
                low = Math.min(low, points.get(points.size() - 1).y());
                high = Math.max(high, points.get(points.size() - 1).y());
            }
        }
        return new LineChart(
                split + ", " + (trusted ? "somebody is trusted" : "nobody is trusted") + ": " + metric,
                new Axis("communications of each party", 0.9, longest, true),
                Axis.around(metric, low - (high - low), high),
                series,
                null);
    }

    private static List<Series.Point> points(List<Run> done, ToDoubleFunction<Point> value) {
        Map<Integer, List<Double>> values = new TreeMap<>();
        for (Run run : done) {
            for (Point point : run.curve()) {
                values.computeIfAbsent(point.communications(), unused -> new ArrayList<>())
                        .add(value.applyAsDouble(point));
            }
        }
        List<Series.Point> points = new ArrayList<>();
        values.forEach((x, all) -> {
            double[] numbers = all.stream().mapToDouble(Double::doubleValue).toArray();
            points.add(new Series.Point(x, mean(numbers), deviation(numbers) / Math.sqrt(numbers.length)));
        });
        return points;
    }
}
