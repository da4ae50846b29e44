package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A whole fit by private variational inference, from the table to both posteriors that it writes, keeps the epsilon of its
 * plan on neighbouring tables, and its sabotaged twins do not.
 *
 * <p>The steps are so short that nearly every number that is released reaches the last iterate: the worst case for
 * privacy. The probability that a correct fit fails a test is below 1e-6; all noise is replayed from a fixed seed, which
 * a failing verdict names.
 */
class DpviGuaranteeTest {
    private static final long SEED = 51_117L;
    private static final int OUTPUTS = 3000;
    private static final double DELTA = 0.1;
    private static final double NOISE_MULTIPLIER = 2.2;

    private static final Map<String, String> SETTINGS = Map.of(
            "steps", "10",
            "sampling", "full",
            "l2Bound", "0.2",
            "startScale", "2e-3",
            "scaleWeight", "0.05",
            "step", "noise-scaled",
            "rate", "1e-3");

    /** Far from what is expected at the start, so that the clip decides how long the gradient is. */
    private static final List<String> SOMEBODY = List.of("1,0,1");

    private static final List<String> SOMEBODY_WITH_A_COUNT = List.of("1,0,9");
    private static final List<String> OTHERS = List.of("1,-1,0", "-1,1,1", "1,-1,1", "-1,1,0");

    @TempDir
    private Path folder;

    private long files;

    private static Schema schema(String model) {
        String target = switch (model) {
            case "linear-regression" -> "{type: number, bounds: [0, 1]}";
            case "poisson-regression" -> "{type: number, bounds: [0, 9]}";
            case "softmax-regression" -> "{type: category, categories: ['0', '1', '2'], other: false}";
            default -> "{type: binary, positive: '1'}";
        };
        return SchemaYaml.read("""
                unit: record
                size: 5
                target: y
                encoding: {intercept: false}
                columns:
                  a: {type: number, bounds: [-1, 1], center: true}
                  b: {type: number, bounds: [-1, 1], center: true}
                  y: %s
                """.formatted(target));
    }

    private PrivateDataset open(List<String> rows, Schema schema) {
        try {
            Path file = folder.resolve("table" + files++ + ".csv");
            Files.writeString(file, "a,b,y\n" + String.join("\n", rows) + "\n");
            PreparationOptions options = new PreparationOptions(1 << 20, folder, new ReadingOptions(1, 1 << 26));
            return Preparation.open(file, schema, options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, long publicSize) {
        return method.kernel().plan(method.model(), publicSize);
    }

    /** Means of the last iterate, which a fit writes beside its posterior, and deviations of the posterior. */
    private static <M, S extends Record> double[] fit(FitMethod<M, S> method, PrivateSession session, long sample) {
        InferenceRun.Result<S> result =
                InferenceRun.once(method.kernel(), method.model(), session, RandomStream.ofSeed(sample));
        Posterior last = method.withoutPrivacyNoise().orElseThrow().posterior(result.state());
        double[] output = new double[2 * Math.min(6, last.dimension())];
        for (int i = 0; i < output.length / 2; i++) {
            output[2 * i] = last.mean()[i];
            output[2 * i + 1] = result.posterior().standardDeviation()[i];
        }
        return output;
    }

    private Supplier<double[]> fits(
            FitMethod<?, ?> method, PrivateDataset data, double noiseFactor, double clipFactor, long side) {
        ReleasePlan plan = plan(method, data.publicSize());
        ReplayNoise bits = ReplayNoise.ofSeed(SEED).fork(side);
        long[] sample = {0};
        return () -> {
            try {
                PrivateSession door = data.open(
                        RunRequest.of("test", plan),
                        new DiscreteGaussianMechanism(NOISE_MULTIPLIER * noiseFactor / clipFactor),
                        new FreeLedger(data.unit()),
                        bits.fork(sample[0]));
                return fit(method, new SabotagedSession(List.of(door), clipFactor, plan), sample[0]++);
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "logistic-regression, draws, 1, 1",
        "logistic-regression, draws, 0.5, 1",
        "logistic-regression, draws, 1, 1000",
        "logistic-regression, expectation, 1, 1",
        "logistic-regression, expectation, 0.5, 1",
        "logistic-regression, expectation, 1, 1000",
        "logistic-regression, aligned, 1, 1",
        "logistic-regression, aligned, 0.5, 1",
        "linear-regression, draws, 1, 1",
        "linear-regression, draws, 0.5, 1",
        "linear-regression, draws, 1, 1000",
        "poisson-regression, expectation, 1, 1",
        "poisson-regression, expectation, 0.5, 1",
        "poisson-regression, expectation, 1, 1000",
        "poisson-regression, draws, 1, 1",
        "poisson-regression, draws, 0.5, 1",
        "poisson-regression, draws, 1, 1000",
        "softmax-regression, draws, 1, 1",
        "softmax-regression, draws, 0.5, 1",
        "softmax-regression, draws, 1, 1000",
        "neural-network, draws, 1, 1"
    })
    void aFitProtectsARecord(String model, String gradients, double noiseFactor, double clipFactor) {
        Map<String, String> settings = new LinkedHashMap<>(SETTINGS);
        settings.put("gradients", gradients);
        // an average of the whole trace, or a trace too short for one, so that the last iterate is all there is
        settings.put("burnInShare", gradients.equals("aligned") ? "0" : "0.9");
        if (gradients.equals("draws")) {
            settings.put("draws", "2");
        }
        if (model.equals("neural-network")) {
            settings.put("hiddenUnits", "2");
        }
        Schema schema = schema(model);
        FitMethod<?, ?> method =
                MethodCatalogue.find(model, "dpvi", DataShapes.of(schema), new SettingValues(settings), true);
        List<String> with = new ArrayList<>(model.equals("poisson-regression") ? SOMEBODY_WITH_A_COUNT : SOMEBODY);
        with.addAll(OTHERS);
        double epsilon = new ExactAccountant()
                .epsilon(
                        plan(method, 5).event(new DiscreteGaussianMechanism(NOISE_MULTIPLIER)),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(
                        fits(method, open(with, schema), noiseFactor, clipFactor, 1),
                        fits(method, open(OTHERS, schema), noiseFactor, clipFactor, 2))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(noiseFactor == 1 && clipFactor == 1);
    }
}
