package dev.tacit.benchmarks;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.transcript.TranscriptRuns;
import dev.tacit.audit.transcript.WorstNeighbours;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.Fit;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * How many transcripts of a method an audit makes on one core in the time of one fit through the library, of a table that is as
 * small as the audit's. Both in one run, by the processor time of one thread, so that waiting for disks and for other programs
 * counts for neither.
 */
public final class TranscriptsBesideFits {
    private static final int ROWS = 20;
    private static final int FITS = 20;
    private static final int TRANSCRIPTS = 4000;
    private static final PrivacyBudget BUDGET = new PrivacyBudget(1, 1e-6);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private TranscriptsBesideFits() {}

    /** Prints a line for each method. */
    public static void print() throws IOException {
        System.out.println("method             fits / s   transcripts / s   factor");
        for (Map.Entry<String, Map<String, String>> method : Map.of(
                        "residual-newton", Map.of("rounds", "3"), "private-vb", Map.of("steps", "4"))
                .entrySet()) {
            double fits = perSecond(fits(method.getKey(), method.getValue()), FITS);
            double transcripts = perSecond(transcripts(method.getKey(), method.getValue()), TRANSCRIPTS);
            System.out.printf(
                    Locale.ROOT,
                    "%-18s %8.1f   %15.0f   %6.0f%n",
                    method.getKey(),
                    fits,
                    transcripts,
                    transcripts / fits);
        }
    }

    /** After as many that are not counted. */
    private static double perSecond(IntConsumer once, int times) {
        for (int i = 0; i < times; i++) {
            once.accept(i);
        }
        long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
            once.accept(times + i);
        }
        return times / ((THREADS.getCurrentThreadCpuTime() - before) / 1e9);
    }

    private static Schema schema() {
        return SchemaYaml.read("""
                unit: record
                size: %d
                target: y
                columns:
                  a: {type: number, bounds: [0, 1]}
                  b: {type: number, bounds: [0, 1]}
                  y: {type: binary, positive: "1", negative: "0"}
                """.formatted(ROWS));
    }

    private static IntConsumer fits(String method, Map<String, String> settings) throws IOException {
        Path folder = Files.createTempDirectory("tacit-transcripts");
        List<String> lines = new ArrayList<>(List.of("a,b,y"));
        for (int row = 0; row < ROWS; row++) {
            lines.add((row % 7) / 7.0 + "," + (row % 5) / 5.0 + "," + row % 2);
        }
        Path table = Files.write(folder.resolve("table.csv"), lines);
        Fit.Builder builder = Fit.of(table, schema())
                .model("logistic-regression")
                .method(method)
                .budget(BUDGET)
                .threads(1)
                .withoutTwins();
        settings.forEach(builder::setting);
        return number -> {
            Path out = folder.resolve("fit" + number);
            builder.simulated(number).build().run(out);
            delete(out);
        };
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static IntConsumer transcripts(String method, Map<String, String> settings) {
        return transcripts(MethodCatalogue.find(
                "logistic-regression", method, DataShapes.of(schema()), new SettingValues(settings), true));
    }

    private static <M, S extends Record> IntConsumer transcripts(FitMethod<M, S> method) {
        ReleasePlan plan = method.kernel().plan(method.model(), ROWS);
        Schema schema = schema();
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(
                    plan, BUDGET, new ExactAccountant(), schema.privacyUnit().neighbours());
            PrivacyClaim claim = new PrivacyClaim(
                    calibrated.event(),
                    schema.privacyUnit().neighbours(),
                    calibrated.epsilon().upper(),
                    BUDGET.delta());
            AuditSubject<M, S> subject = AuditSubject.of(
                    method,
                    DataShapes.of(schema),
                    schema.privacyUnit(),
                    plan,
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                    claim);
            TranscriptRuns<M, S> runs = new TranscriptRuns<>(subject, WorstNeighbours.find(subject, 1), 1);
            return number -> runs.run(number);
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }
}
