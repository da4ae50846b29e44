package dev.tacit.experiments.bayes;

import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.ScoreTable;
import dev.tacit.model.prediction.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The words of private topics: Park, Foulds, Chaudhuri, Welling 2020, Table 2. */
public final class VipsLdaTopics implements Experiment {
    private static final int WORDS = 10;

    @Override
    public String name() {
        return "vips-lda-topics";
    }

    @Override
    public String about() {
        return "topics of Wikipedia articles: the first words of each, without privacy, as published and at epsilon 1";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        TopicRuns runs = new TopicRuns(options);
        listener.started(4);
        List<ResultRow> rows = new ArrayList<>();
        List<String> remarks = new ArrayList<>(runs.remarks());
        add("variational Bayes, not private", runs.notPrivate(1), runs, rows, remarks);
        listener.partDone();
        add("as published, epsilon 1", runs.published(1, 1), runs, rows, remarks);
        listener.partDone();
        add("the paper's statistics, honest noise, epsilon 1", runs.publishedHonestly(1, 1), runs, rows, remarks);
        listener.partDone();
        add("private-vb, epsilon 1", runs.honest(1, TopicRuns.STEPS, TopicRuns.RATE, 1), runs, rows, remarks);
        listener.partDone();
        return new ExperimentResult(name(), rows, remarks, List.of(), (System.nanoTime() - start) * 1e-9);
    }

    private static void add(
            String method, TopicRuns.Run run, TopicRuns runs, List<ResultRow> rows, List<String> remarks) {
        ScoreTable table = new ScoreTable();
        table.add(Map.of("perplexity", runs.scores(run).get("perplexity")));
        rows.addAll(table.rows(method, runs.topics() + " topics", run.epsilonClaimed(), run.epsilonHolds()));
        for (Finding finding : runs.honestModel().findings(run.topics())) {
            for (Finding.Group group : ((Finding.WordGroups) finding).groups()) {
                remarks.add(method + ", " + group.name() + ": "
                        + String.join(
                                " ",
                                group.words().stream()
                                        .limit(WORDS)
                                        .map(Finding.WeightedWord::word)
                                        .toList()));
            }
        }
    }
}
