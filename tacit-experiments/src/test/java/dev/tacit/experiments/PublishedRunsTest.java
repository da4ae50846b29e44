package dev.tacit.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.experiments.ep.NetworkRuns;
import dev.tacit.experiments.ep.PublishedScores;
import dev.tacit.experiments.ep.RegressionTask;
import dev.tacit.experiments.ep.StandardisedRegression;
import dev.tacit.experiments.harness.ExperimentOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Forty epochs of the code of Vinaroz and Park 2022 with Theano 1.0.5 on its split with seed 1, run again here; where TACIT_DATA
 * names a folder that has the sets.
 */
class PublishedRunsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "wine, SEP, 0.576321, -0.851302, 559.937788, 290.830061",
        "wine, EP, 0.550733, -0.834049, 531.822683, 301.122880",
        "kin8nm, SEP, 0.086507, 1.031919, 3241.702870, 320.629927",
        "kin8nm, EP, 0.092796, 0.960513, 3249.121557, 402.878552",
        "power, SEP, 3.912151, -2.785755, 4081.479041, 235.167025",
        "power, EP, 3.939091, -2.795492, 3990.670233, 241.755184",
        "naval, SEP, 0.002913, 4.414396, 4859.778438, 176.182748",
        "naval, EP, 0.003963, 4.106325, 4685.769526, 364.220976",
        "protein, SEP, 4.612969, -2.948405, 20091.297604, 10999.430142",
        "protein, EP, 4.648173, -2.955991, 20054.161948, 11398.551404",
    })
    void endWhereThePublishedCodeEnds(
            String set, Method method, double rmse, double logLikelihood, double noiseShape, double noiseRate) {
        String data = System.getenv("TACIT_DATA");
        assumeThat(data).as("TACIT_DATA").isNotNull();
        ExperimentOptions options =
                new ExperimentOptions(Path.of(data), folder, false, Optional.empty(), 1, Optional.empty());
        assumeThat(RegressionTask.isPresent(set, options)).as(set).isTrue();
        PublishedScores published = PublishedScores.SETS.stream()
                .filter(scores -> scores.name().equals(set))
                .findFirst()
                .orElseThrow();
        NetworkRuns runs = new NetworkRuns(published.hiddenUnits(), false);
        StandardisedRegression split = StandardisedRegression.published(set, 1, options);
        ProbabilisticBackpropagation learned = runs.learnedAsPublished(split.rows(), method, 1);
        Map<String, Double> scores = runs.outcome(split, learned).scores();
        assertThat(scores.get("rmse")).isCloseTo(rmse, within(1e-5 * rmse + 5e-7));
        assertThat(scores.get("logLikelihood")).isCloseTo(logLikelihood, within(1e-5));
        assertThat(learned.noiseShape()).isCloseTo(noiseShape, within(1e-5 * noiseShape));
        assertThat(learned.noiseRate()).isCloseTo(noiseRate, within(1e-5 * noiseRate));
    }
}
