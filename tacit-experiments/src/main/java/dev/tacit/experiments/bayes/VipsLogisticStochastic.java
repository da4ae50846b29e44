package dev.tacit.experiments.bayes;

import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Recipe;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.model.regression.PolyaGammaLogistic;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stochastic variational Bayes for logistic regression: the paper's claim that batches of 10 at epsilon 0.2 match all
 * records at epsilon 2, with its sensitivity and with the right one.
 *
 * <p>Park, Foulds, Chaudhuri, Welling, arXiv 1611.00340v3, Figure 6: batch of 10, 400 iterations, zCDP recipe. "As
 * published" divides the sensitivity of a batch mean by N instead of the batch size, so that its noise is N/S times
 * smaller. Adult and first encounters of diabetic patients stand in for the closed stroke records.
 */
public final class VipsLogisticStochastic implements Experiment {
    private static final double DELTA_OF_ITERATION = 1e-6;
    private static final int BATCH = 10;
    private static final int ITERATIONS = 400;
    private static final int EVERY = 20;
    private static final double STOCHASTIC_EPSILON = 0.2;
    private static final double BATCH_EPSILON = 2;
    private static final int SEEDS = 5;

    @Override
    public String name() {
        return "vips-logistic-stochastic";
    }

    @Override
    public String about() {
        return "VIPS Figure 6: stochastic variational Bayes as published and with the right sensitivity";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int seeds = options.seedsOr(SEEDS);
        List<ResultRow> rows = new ArrayList<>();
        List<LineChart> figures = new ArrayList<>();
        listener.started(2 * (1 + 6 * seeds));
        for (ReadmissionTasks.Source source :
                List.of(ReadmissionTasks.Source.ADULT, ReadmissionTasks.Source.FIRST_ENCOUNTERS)) {
            try (LogisticTask task = ReadmissionTasks.open(source, options)) {
                List<ResultRow> ofTable = new ArrayList<>(task.notPrivate("not private", 50, task.regression()));
                listener.partDone();
                ofTable.addAll(rows(task, seeds, listener));
                figures.add(figure(source, task, ofTable, seeds));
                rows.addAll(ofTable);
            }
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "epsilon holds = upper bound of the exact accountant for the code that ran (the Rényi bound where"
                                + " there is hardly any noise), delta 1e-5, one record added or removed",
                        "as published: noise for the sensitivity of a mean over all records, for a batch of 10",
                        "residual-newton and private-vb see all records a few times at the same epsilon",
                        "published: Figure 6 is a drawing for closed records, from which no number can be read off; its claim"
                                + " is that batches of 10 at epsilon 0.2 do as well as all records at epsilon 2",
                        "figures: mean over seeds along the iterations of batches of 10; dashed lines are ends of other methods",
                        "noise is replayed from seeds 1, 2, ...; nothing was tuned on the test records"),
                figures,
                (System.nanoTime() - start) * 1e-9);
    }

    private static double rate(LogisticTask task) {
        return BATCH / (double) task.publicSize();
    }

    /** The recipe's noise over the joint bound of both statistics. */
    private static double recipeNoise(LogisticTask task) {
        return VipsHistoricalComposition.forTarget(
                                Recipe.ZERO_CONCENTRATED,
                                new PrivacyBudget(STOCHASTIC_EPSILON, ReadmissionTasks.DELTA),
                                DELTA_OF_ITERATION,
                                rate(task),
                                2L * ITERATIONS)
                        .orElseThrow()
                        .noiseMultiplier()
                / Math.sqrt(2);
    }

    private static PolyaGammaLogistic model(LogisticTask task) {
        return new PolyaGammaLogistic(task.regression(), 2, 0, true);
    }

    private static PrivateVariationalBayes<GaussianPosterior> stochastic(LogisticTask task) {
        return new PrivateVariationalBayes<>(new PrivateVariationalBayes.Settings(
                ITERATIONS, new PoissonSampling(rate(task)), new StepSchedule.RobbinsMonro(1024, 0.7)));
    }

    /** Area under the curve along the iterations, and where the other methods end. */
    private static LineChart figure(
            ReadmissionTasks.Source source, LogisticTask task, List<ResultRow> rows, int seeds) {
        double noise = recipeNoise(task);
        List<Series> series = new ArrayList<>();
        series.add(new Series("as published, 0.2", 0, false, along(task, noise * rate(task), seeds)));
        series.add(new Series("right sensitivity, 0.2", 1, false, along(task, noise, seeds)));
        Map<String, String> ends = new LinkedHashMap<>();
        ends.put("private-vb", "private-vb, 0.2");
        ends.put("residual-newton", "residual-newton, 0.2");
        ends.put("batch VB, " + ReadmissionTasks.label(Recipe.ZERO_CONCENTRATED), "batch VB, recipe, 2");
        ends.put("not private", "not private");
        double least = 0.5;
        double most = 0.5;
        for (ResultRow row : rows) {
            String label = row.metric().equals("auc") ? ends.remove(row.method()) : null;
            if (label != null) {
                series.add(new Series(
                        label,
                        series.size(),
                        true,
                        List.of(new Series.Point(EVERY, row.ours()), new Series.Point(ITERATIONS, row.ours()))));
            }
        }
        for (Series line : series) {
            for (Series.Point point : line.points()) {
                least = Math.min(least, point.y());
                most = Math.max(most, point.y());
            }
        }
        return new LineChart(
                source.label() + ": area under the curve, batches of " + BATCH,
                new Axis("iterations", EVERY, ITERATIONS, false),
                Axis.around("", least, most),
                series,
                null);
    }

    private static List<Series.Point> along(LogisticTask task, double noise, int seeds) {
        return task.aucAlong(stochastic(task), model(task), noise, ITERATIONS, EVERY, seeds);
    }

    private static List<ResultRow> rows(LogisticTask task, int seeds, ExperimentListener listener) {
        double rate = rate(task);
        double noise = recipeNoise(task);
        PolyaGammaLogistic model = model(task);
        PrivateVariationalBayes<GaussianPosterior> stochastic = stochastic(task);
        List<ResultRow> rows = new ArrayList<>();
        String setting = "batch 10, epsilon " + STOCHASTIC_EPSILON;
        rows.addAll(task.withNoise(
                "stochastic VB as published",
                setting,
                stochastic,
                model,
                noise * rate,
                STOCHASTIC_EPSILON,
                seeds,
                listener));
        rows.addAll(task.withNoise(
                "stochastic VB, right sensitivity",
                setting,
                stochastic,
                model,
                noise,
                STOCHASTIC_EPSILON,
                seeds,
                listener));
        double batchNoise = VipsHistoricalComposition.forTarget(
                                Recipe.ZERO_CONCENTRATED,
                                new PrivacyBudget(BATCH_EPSILON, ReadmissionTasks.DELTA),
                                DELTA_OF_ITERATION,
                                1,
                                20)
                        .orElseThrow()
                        .noiseMultiplier()
                / Math.sqrt(2);
        rows.addAll(task.withNoise(
                "batch VB, " + ReadmissionTasks.label(Recipe.ZERO_CONCENTRATED),
                "epsilon " + BATCH_EPSILON,
                new PrivateVariationalBayes<GaussianPosterior>(
                        new PrivateVariationalBayes.Settings(10, new FullPass(), new StepSchedule.Last())),
                model,
                batchNoise,
                BATCH_EPSILON,
                seeds,
                listener));
        for (double epsilon : new double[] {STOCHASTIC_EPSILON, BATCH_EPSILON}) {
            rows.addAll(task.calibrated(
                    "residual-newton",
                    new ResidualNewton(ResidualNewton.Settings.standard()),
                    task.regression(),
                    epsilon,
                    seeds,
                    listener));
        }
        rows.addAll(task.calibrated(
                "private-vb",
                new PrivateVariationalBayes<GaussianPosterior>(
                        new PrivateVariationalBayes.Settings(8, new FullPass(), new StepSchedule.LinearAverage())),
                PolyaGammaLogistic.of(task.regression()),
                STOCHASTIC_EPSILON,
                seeds,
                listener));
        return rows;
    }
}
