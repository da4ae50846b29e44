package dev.tacit.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tacit.model.network.ProbabilisticBackpropagation;
import dev.tacit.model.network.ProbabilisticBackpropagation.Method;
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
        "wine, 50, SEP, 0.576321, -0.851302, 559.937788, 290.830061",
        "wine, 50, EP, 0.550733, -0.834049, 531.822683, 301.122880",
        "kin8nm, 50, SEP, 0.086507, 1.031919, 3241.702870, 320.629927",
        "kin8nm, 50, EP, 0.092796, 0.960513, 3249.121557, 402.878552",
    })
    void endWhereThePublishedCodeEnds(
            String set,
            int hiddenUnits,
            Method method,
            double rmse,
            double logLikelihood,
            double noiseShape,
            double noiseRate) {
        String data = System.getenv("TACIT_DATA");
        assumeThat(data).as("TACIT_DATA").isNotNull();
        ExperimentOptions options = new ExperimentOptions(Path.of(data), folder, false, Optional.empty(), 1);
        assumeThat(RegressionTask.isPresent(set, options)).as(set).isTrue();
        NetworkRuns runs = new NetworkRuns(hiddenUnits, false);
        try (RegressionTask task = RegressionTask.openSeeded(set, 0, options)) {
            ProbabilisticBackpropagation learned = runs.learnedAsPublished(task, method, 1);
            Map<String, Double> scores = runs.outcome(task, learned).scores();
            assertThat(scores.get("rmse")).isCloseTo(rmse, within(1e-4 * rmse));
            assertThat(scores.get("logLikelihood")).isCloseTo(logLikelihood, within(1e-4));
            assertThat(learned.noiseShape()).isCloseTo(noiseShape, within(1e-4 * noiseShape));
            assertThat(learned.noiseRate()).isCloseTo(noiseRate, within(1e-4 * noiseRate));
        }
    }
}
