package dev.tacit.report;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.report.plot.CalibrationChart.Bin;
import dev.tacit.report.section.BudgetSection;
import dev.tacit.report.section.CalibrationSection;
import dev.tacit.report.section.EpsilonAfter;
import dev.tacit.report.section.NoiseSection;
import dev.tacit.report.section.ParameterOrder;
import dev.tacit.report.section.ParameterRow;
import dev.tacit.report.section.PhaseRow;
import dev.tacit.report.section.PosteriorSection;
import dev.tacit.report.section.ReleaseNoise;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Reports as a fit would fill them, for tests and for looking at: {@code main} writes them into a folder. */
final class SampleReport {
    private static final List<String> COLUMNS = List.of(
            "intercept",
            "age",
            "capital gain (log)",
            "hours per week",
            "education: Doctorate",
            "education: Bachelors",
            "education: HS-grad",
            "marital status: Married-civ-spouse",
            "marital status: Never-married",
            "occupation: Exec-managerial",
            "occupation: Other-service",
            "occupation: Priv-house-serv",
            "workclass: Self-emp-not-inc",
            "workclass: (missing)",
            "native country: (other)",
            "sex: Male");

    static final String HEAD = "5eed".repeat(16);

    private SampleReport() {}

    static StatementFacts facts(Provenance provenance) {
        return new StatementFacts(
                provenance,
                new PrivacyUnit("person", 3, Neighbours.ADD_REMOVE),
                32561,
                0.99993,
                1e-5,
                "exact",
                OptionalDouble.of(0.1182),
                List.of(new FullPass(), new PoissonSampling(0.01)),
                OptionalDouble.of(118.3),
                "discrete Gaussian on a grid, from a cryptographic generator that cannot be seeded",
                List.of(
                        "1 noisy sum of 17 numbers: second moments, for the preconditioner",
                        "1000 noisy sums of 32 numbers: clipped gradients",
                        "the posterior and everything in this report, computed from those sums"),
                Optional.of(new StatementFacts.LedgerTotal(2, 2, 1.8301, 2e-5, OptionalDouble.empty(), HEAD)),
                List.of("The 16,281 test records of adult.test, which were declared not protected."));
    }

    static List<ParameterRow> parameters(int count, double widening) {
        List<ParameterRow> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double mean = 1.9 * Math.sin(1.7 * i + 0.4) * Math.exp(-0.03 * (i % 40));
            double sd = 0.07 + 0.12 * Math.abs(Math.cos(2.3 * i));
            double wide = sd * widening;
            String name = i < COLUMNS.size() ? COLUMNS.get(i) : "weight " + (i - COLUMNS.size() + 1);
            rows.add(new ParameterRow(
                    name, mean, wide, mean - 1.645 * wide, mean + 1.645 * wide, OptionalDouble.of(sd / 1.7)));
        }
        return rows;
    }

    static List<EpsilonAfter> curve(int releases, double last) {
        List<EpsilonAfter> curve = new ArrayList<>();
        for (int i = 1; i <= releases; i++) {
            curve.add(new EpsilonAfter(i, last * (0.12 + 0.88 * Math.sqrt((double) i / releases))));
        }
        return curve;
    }

    static List<ReleaseNoise> noise(int releases) {
        List<ReleaseNoise> noise = new ArrayList<>();
        for (int i = 0; i < releases; i++) {
            double ratio = 0.25 + 0.8 * i / releases + 0.12 * Math.sin(12.9 * i);
            noise.add(new ReleaseNoise("gradient sum " + (i + 1), ratio));
        }
        return noise;
    }

    static List<Bin> bins() {
        List<Bin> bins = new ArrayList<>();
        long[] counts = {6210, 2904, 1730, 1212, 980, 811, 702, 640, 590, 502};
        for (int i = 0; i < counts.length; i++) {
            double predicted = 0.05 + 0.1 * i;
            bins.add(new Bin(predicted, predicted + 0.03 * Math.sin(5 * predicted), counts[i] / 12));
        }
        return bins;
    }

    static FitReport of(Provenance provenance, int parameters, int releases, boolean compared) {
        PosteriorSection posterior = new PosteriorSection(
                parameters(parameters, 1),
                ParameterOrder.BY_STRENGTH,
                compared ? "noise-aware" : "",
                compared ? parameters(parameters, 0.45) : List.of(),
                compared ? "noise ignored" : "",
                "");
        return new FitReport(
                "Who earns more than 50K: census of 1994",
                "logistic regression",
                "noise-aware DP variational inference",
                facts(provenance),
                List.of(
                        posterior.section(),
                        BudgetSection.of(
                                List.of(
                                        new PhaseRow("second moments", 1, "every record", 22.4, 0.1),
                                        new PhaseRow(
                                                "clipped gradients", releases, "Poisson, rate 0.01", 1.4147, 0.86)),
                                1e-5,
                                curve(releases, 0.99993)),
                        NoiseSection.of(noise(releases)),
                        CalibrationSection.of(
                                "16 281 records of adult.test, declared not protected",
                                bins(),
                                List.of(
                                        new CalibrationSection.Score("accuracy", 0.84212),
                                        new CalibrationSection.Score("log likelihood per record", -0.34561),
                                        new CalibrationSection.Score("area under the ROC curve", 0.8987),
                                        new CalibrationSection.Score("Brier score", 0.1091)))),
                List.of(
                        new Fact("model", "logistic-regression"),
                        new Fact("method", "noise-aware-dpvi"),
                        new Fact("steps", "1000"),
                        new Fact("sampling", "poisson:0.01"),
                        new Fact("noise multiplier", "1.4147"),
                        new Fact("l2Bound", "1.0"),
                        new Fact("prior standard deviation", "2.5"),
                        new Fact("learning rate", "0.05")),
                List.of(
                        "{\"sequence\":1,\"label\":\"fit: earlier\",\"at\":\"2026-01-07T10:00:00Z\"}",
                        "{\"sequence\":2,\"label\":\"fit: census\",\"at\":\"2026-01-08T10:00:00Z\"}"),
                List.of(
                        new Fact("tacit", "0.1.0"),
                        new Fact("Java", "17.0.15"),
                        new Fact("written", "2026-01-08T10:00:12Z")));
    }

    /** Writes the samples into the folder that is named. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        FitReport plain = of(Provenance.RELEASABLE, 16, 1000, false);
        Files.writeString(folder.resolve("plain.html"), plain.html());
        Files.writeString(
                folder.resolve("simulated.html"),
                of(Provenance.SIMULATED_NOT_FOR_RELEASE, 16, 20, true).html());
        Files.writeString(
                folder.resolve("large.html"),
                of(Provenance.NOT_PRIVATE, 5000, 100_000, false).html());
        Files.writeString(
                folder.resolve("privacy-statement.txt"),
                PrivacyStatement.of(plain.privacy()).text());
    }
}
