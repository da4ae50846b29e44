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
 * Perplexity of private topics against epsilon: Park, Foulds, Chaudhuri, Welling 2020, Figure 2.
 *
 * <p>The paper's statistics and noise are fitted with one seed, so that the whole takes less than half an hour on two
 * cores; what is offered as the default has {@value #SEEDS}.
 */
public final class VipsLdaPerplexity implements Experiment {
    private static final double[] EPSILONS = {0.5, 1, 4};
    private static final int SEEDS = 3;

    @Override
    public String name() {
        return "vips-lda-perplexity";
    }

    @Override
    public String about() {
        return "topics of Wikipedia articles: perplexity against epsilon, as published and with the epsilon that holds";
    }

    /** One way to fit. */
    private interface Method {
        TopicRuns.Run run(double epsilon, int seed);
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        TopicRuns runs = new TopicRuns(options);
        int seeds = options.seedsOr(SEEDS);
        listener.started(1 + EPSILONS.length * (seeds + 2));
        List<ResultRow> rows = new ArrayList<>();
        TopicRuns.Run free = runs.notPrivate(1);
        Map<String, Double> freeScores = runs.scores(free);
        ScoreTable notPrivate = new ScoreTable();
        notPrivate.add(Map.of("perplexity", freeScores.get("perplexity")));
        rows.addAll(notPrivate.rows(
                "variational Bayes, not private", "no noise", free.epsilonClaimed(), free.epsilonHolds()));
        ScoreTable unigram = new ScoreTable();
        unigram.add(Map.of("perplexity", freeScores.get("perplexityUnigram")));
        rows.addAll(unigram.rows("words drawn independently", "no topics", 0, 0));
        listener.partDone();
        List<Series> lines = new ArrayList<>();
        lines.add(line(
                "private-vb",
                0,
                runs(
                        rows,
                        "private-vb",
                        (e, s) -> runs.honest(e, TopicRuns.STEPS, TopicRuns.RATE, s),
                        runs,
                        seeds,
                        listener)));
        lines.add(line(
                "clamp, honest noise",
                1,
                runs(rows, "the paper's statistics, honest noise", runs::publishedHonestly, runs, 1, listener)));
        lines.add(line("as published", 2, runs(rows, "as published", runs::published, runs, 1, listener)));
        lines.add(flat("not private", 3, freeScores.get("perplexity")));
        lines.add(flat("no topics", 4, freeScores.get("perplexityUnigram")));
        double lowest = freeScores.get("perplexity");
        double highest = lines.stream().mapToDouble(Series::largest).max().orElse(1);
        LineChart chart = new LineChart(
                "Perplexity of " + runs.topics() + " topics against the epsilon that is claimed",
                new Axis("epsilon claimed", 0.5, 4, true),
                new Axis("", 0.9 * lowest, 1.1 * highest, true),
                lines,
                null);
        return new ExperimentResult(name(), rows, runs.remarks(), List.of(chart), (System.nanoTime() - start) * 1e-9);
    }

    private static List<Series.Point> runs(
            List<ResultRow> rows, String name, Method method, TopicRuns runs, int seeds, ExperimentListener listener) {
        List<Series.Point> points = new ArrayList<>();
        for (double epsilon : EPSILONS) {
            ScoreTable table = new ScoreTable();
            double holds = 0;
            for (int seed = 1; seed <= seeds; seed++) {
                TopicRuns.Run run = method.run(epsilon, seed);
                table.add(Map.of("perplexity", runs.scores(run).get("perplexity")));
                holds = run.epsilonHolds();
                listener.partDone();
            }
            List<ResultRow> made = table.rows(name, String.format(Locale.ROOT, "epsilon %s", epsilon), epsilon, holds);
            points.add(new Series.Point(epsilon, made.get(0).ours()));
            rows.addAll(made);
        }
        return points;
    }

    private static Series line(String label, int style, List<Series.Point> points) {
        return new Series(label, style, false, points);
    }

    private static Series flat(String label, int style, double value) {
        return new Series(label, style, true, List.of(new Series.Point(0.5, value), new Series.Point(4, value)));
    }
}
