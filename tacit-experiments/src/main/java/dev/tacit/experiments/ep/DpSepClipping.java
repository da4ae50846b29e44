package dev.tacit.experiments.ep;

import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.experiments.ep.NetworkRuns.Outcome;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.Parallel;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.ScoreTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * What the clip bound does to Bayesian neural networks: SEP with clipped sites, which is not private, and honest private SEP.
 *
 * <p>Vinaroz, Park 2022, Tables 8 and 9: bounds 1 to 5 and 10, five splits. The published code clips the start and the prior
 * and no site, so its columns say how flat a prior is; here sites are clipped.
 */
public final class DpSepClipping implements Experiment {
    private static final double EPSILON = 1;
    private static final int SPLITS = 5;
    private static final double[] BOUNDS = {1, 2, 3, 4, 5, 10};

    /** Tables 8 and 9 of the paper: RMSE, then log-likelihood, at each of the bounds. */
    private static final Map<String, double[][]> PUBLISHED = Map.of(
            "naval",
            new double[][] {{0.0025, 0.0026, 0.0034, 0.0034, 0.0038, 0.0042}, {4.545, 4.535, 4.443, 4.43, 4.36, 4.242}},
            "kin8nm",
            new double[][] {{0.079, 0.082, 0.083, 0.085, 0.087, 0.09}, {1.116, 1.108, 1.098, 1.093, 1.091, 1.069}},
            "power",
            new double[][] {{3.997, 4.007, 4.014, 4.057, 4.081, 4.153}, {-2.805, -2.835, -2.845, -2.862, -2.886, -2.915}
            },
            "wine",
            new double[][] {{0.6, 0.605, 0.608, 0.612, 0.619, 0.636}, {-0.903, -0.907, -0.911, -0.915, -0.926, -0.932}},
            "protein",
            new double[][] {{4.601, 4.66, 4.692, 4.746, 4.797, 4.946}, {-2.945, -2.968, -2.984, -3.02, -3.064, -3.096}},
            PublishedScores.YEAR,
            new double[][] {
                {9.971, 10.013, 10.025, 10.041, 10.064, 10.108}, {-3.974, -4.001, -4.015, -4.026, -4.042, -4.099}
            });

    @Override
    public String name() {
        return "dp-sep-clipping";
    }

    @Override
    public String about() {
        return "Bayesian neural networks on UCI regression sets under clip bounds from 1 to 10, not private and private";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        List<PublishedScores> sets = PublishedScores.SETS.stream()
                .filter(set -> !options.quick() || set.name().equals("wine"))
                .toList();
        double[] bounds = options.quick() ? new double[] {1, 10} : BOUNDS;
        int splits = Math.min(SPLITS, options.seedsOr(SPLITS));
        listener.started(sets.size() * bounds.length * splits);
        Parallel parallel = new Parallel(options.threads(), listener);
        List<ResultRow> rows = new ArrayList<>();
        for (PublishedScores set : sets) {
            NetworkRuns runs = new NetworkRuns(set.hiddenUnits(), options.quick());
            for (double bound : bounds) {
                rows.addAll(rows(set.name(), bound, splits, runs, options.withThreads(1), parallel));
            }
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "paper: Vinaroz, Park 2022, Tables 8 and 9, published as private; its code adds no noise and clips no site",
                        "clipped SEP: all natural parameters of a record's site jointly, 40 epochs, not private",
                        "DP-SEP: epsilon 1 at delta 1e-5; the noise grows with the bound, as do the steps"),
                (System.nanoTime() - start) * 1e-9);
    }

    private static List<ResultRow> rows(
            String set, double bound, int splits, NetworkRuns runs, ExperimentOptions options, Parallel parallel) {
        List<Callable<List<Outcome>>> parts = new ArrayList<>();
        for (int split = 0; split < splits; split++) {
            int number = split;
            parts.add(() -> {
                try (RegressionTask task = RegressionTask.open(set, number, options)) {
                    return List.of(
                            runs.backpropagation(task, Method.SEP, bound, number + 1L),
                            runs.stochasticEp(task, Map.of("l2Bound", String.valueOf(bound)), EPSILON, number + 1L));
                }
            });
        }
        ScoreTable clipped = new ScoreTable();
        ScoreTable honest = new ScoreTable();
        double holds = Double.POSITIVE_INFINITY;
        for (List<Outcome> both : parallel.all(parts)) {
            clipped.add(both.get(0).scores());
            honest.add(both.get(1).scores());
            holds = both.get(1).epsilon();
        }
        String setting = set + ", bound " + bound;
        double none = Double.POSITIVE_INFINITY;
        List<ResultRow> rows = new ArrayList<>();
        for (ResultRow row : clipped.rows("clipped SEP, not private", setting, none, none)) {
            rows.add(row.beside(published(set, bound, row.metric())));
        }
        rows.addAll(honest.rows("DP-SEP", setting, EPSILON, holds));
        return rows;
    }

    /** What the paper prints for a set and a bound, if it does. */
    static OptionalDouble published(String set, double bound, String metric) {
        int place = Arrays.binarySearch(BOUNDS, bound);
        double[][] scores = PUBLISHED.get(set);
        if (place < 0 || scores == null) {
            return OptionalDouble.empty();
        }
        return switch (metric) {
            case "rmse" -> OptionalDouble.of(scores[0][place]);
            case "logLikelihood" -> OptionalDouble.of(scores[1][place]);
            default -> OptionalDouble.empty();
        };
    }
}
