package dev.tacit.experiments.bayes;

import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.ScoreTable;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Perplexity of private topics against the size of a batch, at the same number of documents seen: Park, Foulds,
 * Chaudhuri, Welling 2020, Figure 3. {@value #SEEDS} seeds, so that the whole takes less than half an hour on two cores.
 */
public final class VipsLdaBatchSize implements Experiment {
    private static final double EPSILON = 1;
    private static final int PASSES = 4;
    private static final double[] RATES = {0.02, 0.05, 0.1, 0.2, 0.4, 1};
    private static final int SEEDS = 2;

    @Override
    public String name() {
        return "vips-lda-batch-size";
    }

    @Override
    public String about() {
        return "topics of Wikipedia articles: perplexity against the size of a batch at epsilon 1, four passes";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        TopicRuns runs = new TopicRuns(options);
        int seeds = options.seedsOr(SEEDS);
        listener.started(RATES.length * seeds);
        List<ResultRow> rows = new ArrayList<>();
        List<Series.Point> points = new ArrayList<>();
        for (double rate : RATES) {
            int steps = (int) Math.round(PASSES / rate);
            ScoreTable table = new ScoreTable();
            double holds = 0;
            for (int seed = 1; seed <= seeds; seed++) {
                TopicRuns.Run run = runs.honest(EPSILON, steps, rate, seed);
                table.add(Map.of("perplexity", runs.scores(run).get("perplexity")));
                holds = run.epsilonHolds();
                listener.partDone();
            }
            String setting = String.format(
                    Locale.ROOT, "about %d documents, %d steps", Math.round(rate * runs.documents()), steps);
            List<ResultRow> made = table.rows("private-vb", setting, EPSILON, holds);
            points.add(new Series.Point(rate * runs.documents(), made.get(0).ours()));
            rows.addAll(made);
        }
        double lowest = points.stream().mapToDouble(Series.Point::y).min().orElse(0);
        double highest = points.stream().mapToDouble(Series.Point::y).max().orElse(1);
        LineChart chart = new LineChart(
                "Perplexity against the size of a batch, epsilon 1, four passes",
                new Axis("documents in a batch", 0.8 * RATES[0] * runs.documents(), runs.documents(), true),
                Axis.around("", lowest, highest),
                List.of(new Series("private-vb", 0, false, points)),
                null);
        List<String> remarks = new ArrayList<>(runs.remarks());
        remarks.add("the paper finds small batches better; that follows from noise that does not grow as the batch"
                + " shrinks. With noise for what one document really moves, small batches are worse, and so are full passes,"
                + " which leave four steps: the best batch is in between");
        return new ExperimentResult(name(), rows, remarks, List.of(chart), (System.nanoTime() - start) * 1e-9);
    }
}
