package dev.tacit.experiments;

import dev.tacit.experiments.NetworkRuns.Outcome;
import dev.tacit.model.network.ProbabilisticBackpropagation.Method;
import java.util.ArrayList;
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
final class DpSepClipping implements Experiment {
    private static final double EPSILON = 1;
    private static final int SPLITS = 5;
    private static final double[] BOUNDS = {1, 2, 3, 4, 5, 10};

    /** The one number of Table 8 and of Table 9 that is compared: wine at bound 1. */
    private static final double WINE_RMSE = 0.600;

    private static final double WINE_LOG_LIKELIHOOD = -0.903;

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
                        "paper: wine at bound 1, published as private; its code adds no noise and clips no site",
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
            rows.add(set.equals("wine") && bound == 1 ? withPaper(row) : row);
        }
        rows.addAll(honest.rows("DP-SEP", setting, EPSILON, holds));
        return rows;
    }

    private static ResultRow withPaper(ResultRow row) {
        return row.beside(
                switch (row.metric()) {
                    case "rmse" -> OptionalDouble.of(WINE_RMSE);
                    case "logLikelihood" -> OptionalDouble.of(WINE_LOG_LIKELIHOOD);
                    default -> OptionalDouble.empty();
                });
    }
}
