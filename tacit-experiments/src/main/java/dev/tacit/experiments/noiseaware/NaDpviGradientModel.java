package dev.tacit.experiments.noiseaware;

import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What the linear model of a trace says about gradients, beside the gradients: Alrawajfeh, Jälkö, Honkela 2025, Figure 1.
 *
 * <p>One published run for each conjugate pair. Drawn over the first mean parameter: the gradient that a batch is expected
 * to have, clip included; the released gradients, averaged over neighbouring points; and κ a (φ − φ*) at the posterior
 * mean of a and at the 5 % and 95 % points of φ*.
 */
public final class NaDpviGradientModel implements Experiment {
    private static final double EPSILON = 0.1;
    private static final int BINS = 16;
    private static final int GRID = 25;
    private static final int DRAW_SETS = 40;

    @Override
    public String name() {
        return "na-dpvi-gradient-model";
    }

    @Override
    public String about() {
        return "released gradients along a private run beside the linear model that the noise-aware posterior has of them";
    }

    @Override
    public boolean needsData() {
        return false;
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        listener.started(PublishedPair.values().length);
        NaDpviColumns.Noise noise = NaDpviColumns.publishedNoise(EPSILON);
        List<ResultRow> rows = new ArrayList<>();
        List<LineChart> charts = new ArrayList<>();
        for (PublishedPair pair : PublishedPair.values()) {
            RandomStream random = RandomStream.ofSeed(NoiseAwareCoverage.FIRST_SEED);
            CoverageTask.Table table = pair.task().simulate(random);
            PublishedAlgorithm.Records records = NaDpviExponentialFamilies.records(pair, table);
            PublishedAlgorithm.Setting setting = NaDpviExponentialFamilies.setting(pair);
            PublishedAlgorithm.Trace trace =
                    PublishedAlgorithm.run(records, setting, noise.multiplier(), random.fork("run"));
            NoiseAwarePosterior.Coordinate posterior =
                    new NoiseAwarePosterior(trace.statistics(), trace.noise()).coordinate(0);
            double[] range = range(trace);
            List<Series.Point> expected = expected(records, setting, trace, range, random.fork("field"));
            double slope = (expected.get(GRID).y() - expected.get(0).y()) / (range[1] - range[0]);
            String label = pair.task().label() + ", epsilon " + EPSILON + ", " + noise.label();
            rows.add(row("slope of the expected gradient over the trace", label, slope, noise));
            double modelled = PublishedAlgorithm.SAMPLING_RATE * SpecialFunctions.softplus(posterior.linkMean());
            rows.add(row("slope of the model, posterior mean", label, modelled, noise));
            rows.add(row(
                    "slope of the model, posterior sd",
                    label,
                    PublishedAlgorithm.SAMPLING_RATE * posterior.linkDeviation(),
                    noise));
            rows.add(row(
                    "noise sd of one released gradient", label, trace.noise().noiseStandardDeviations()[0], noise));
            charts.add(chart(label, trace, posterior, modelled, range, expected));
            listener.partDone();
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "the first mean parameter of one run for each model, steps 2,000 to 10,000",
                        "released: means over equally many steps with neighbouring parameters; bars are one standard"
                                + " deviation of their noise",
                        "model, 5 % and 95 %: quantiles of the gradient, given the posterior of the optimum",
                        "the model is linear in the parameter, with a slope read off the same trace"),
                charts,
                (System.nanoTime() - start) * 1e-9);
    }

    private static ResultRow row(String metric, String setting, double value, NaDpviColumns.Noise noise) {
        return new ResultRow(
                "dpvi", setting, metric, OptionalDouble.empty(), value, 0, 1, EPSILON, noise.epsilonHolds());
    }

    private static double[] range(PublishedAlgorithm.Trace trace) {
        int d = trace.last().length;
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int at = 0; at < trace.points().length; at += d) {
            low = Math.min(low, trace.points()[at]);
            high = Math.max(high, trace.points()[at]);
        }
        return new double[] {low, high};
    }

    /** κ Σ clip(∇ℓ) over the range, the other coordinates at their means, averaged over Monte Carlo draws. */
    private static List<Series.Point> expected(
            PublishedAlgorithm.Records records,
            PublishedAlgorithm.Setting setting,
            PublishedAlgorithm.Trace trace,
            double[] range,
            RandomStream random) {
        int n = records.parameters();
        double[] gradient = new double[2 * n];
        double[] draws = new double[PublishedAlgorithm.DRAWS * n];
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i <= GRID; i++) {
            double[] means = java.util.Arrays.copyOf(trace.statistics().parameterMeans(), n);
            means[0] = range[0] + (range[1] - range[0]) * i / GRID;
            double[] scales = new double[n];
            double[] slopes = new double[n];
            for (int j = 0; j < n; j++) {
                double link = trace.statistics().parameterMeans()[n + j];
                scales[j] = SpecialFunctions.softplus(link);
                slopes[j] = SpecialFunctions.sigmoid(link);
            }
            double sum = 0;
            for (int set = 0; set < DRAW_SETS; set++) {
                random.fillNormal(draws);
                records.prepare(means, scales, slopes, draws);
                for (int kind = 0; kind < records.kinds(); kind++) {
                    records.gradient(kind, gradient);
                    double squares = 0;
                    for (int j = 0; j < 2 * n; j++) {
                        double weighted = gradient[j] * (j < n ? 1 : setting.linkWeight());
                        squares += weighted * weighted;
                    }
                    sum += records.count(kind)
                            * gradient[0]
                            * Math.min(1, setting.l2Bound() / Math.sqrt(squares))
                            / DRAW_SETS;
                }
            }
            points.add(new Series.Point(means[0], PublishedAlgorithm.SAMPLING_RATE * sum));
        }
        return points;
    }

    private static List<Series.Point> released(PublishedAlgorithm.Trace trace) {
        int d = trace.last().length;
        int steps = trace.points().length / d;
        List<Integer> order = IntStream.range(0, steps)
                .boxed()
                .sorted(Comparator.comparingDouble(t -> trace.points()[t * d]))
                .toList();
        List<Series.Point> points = new ArrayList<>();
        for (int bin = 0; bin < BINS; bin++) {
            int from = bin * steps / BINS;
            int to = (bin + 1) * steps / BINS;
            double x = 0;
            double y = 0;
            for (int i = from; i < to; i++) {
                x += trace.points()[order.get(i) * d] / (to - from);
                y += trace.gradients()[order.get(i) * d] / (to - from);
            }
            points.add(
                    new Series.Point(x, y, trace.noise().noiseStandardDeviations()[0] / Math.sqrt((double) to - from)));
        }
        return points;
    }

    private static LineChart chart(
            String title,
            PublishedAlgorithm.Trace trace,
            NoiseAwarePosterior.Coordinate posterior,
            double slope,
            double[] range,
            List<Series.Point> expected) {
        List<Series> series = new ArrayList<>();
        List<Series.Point> released = released(trace);
        series.add(new Series("expected", 0, false, expected));
        series.add(new Series("released", 1, false, released));
        double[] optima = {
            posterior.optimum().mean(),
            posterior.optimum().quantile(0.95),
            posterior.optimum().quantile(0.05)
        };
        String[] names = {"model", "model, 5 %", "model, 95 %"};
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < optima.length; i++) {
            List<Series.Point> line = List.of(
                    new Series.Point(range[0], slope * (range[0] - optima[i])),
                    new Series.Point(range[1], slope * (range[1] - optima[i])));
            series.add(new Series(names[i], 2, i > 0, line));
        }
        for (Series one : series) {
            for (Series.Point point : one.points()) {
                low = Math.min(low, point.y() - point.halfWidth());
                high = Math.max(high, point.y() + point.halfWidth());
            }
        }
        return new LineChart(
                title,
                Axis.around("first mean parameter", range[0], range[1]),
                Axis.around("gradient", low, high),
                series,
                null);
    }
}
