package dev.tacit.testkit.method;

import dev.tacit.audit.Audit;
import dev.tacit.audit.AuditOptions;
import dev.tacit.audit.AuditResult;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.door.unit.PrivacyBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Audits every model and method of the catalogue, with its standard settings but few steps, and writes the page of the documents
 * that shows what was found. Takes some minutes, so it is run by night or by hand and not with the tests.
 *
 * <p>Arguments: the page; how many runs of each table (2000 if left out); the delta (1e-2 if left out: at a small delta, counts
 * show little).
 */
public final class CatalogueAudit {
    private static final double[] EPSILONS = {0.5, 1, 4};
    private static final long SEED = 1;
    private static final int QUERY_POINTS = 8;
    private static final int ACCUSED = 70;

    private CatalogueAudit() {}

    /** Writes the page; exit code 70 if a method was accused. */
    public static void main(String[] arguments) throws IOException {
        int runs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2000;
        double delta = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 1e-2;
        StringBuilder page = new StringBuilder(introduction(runs, delta));
        boolean[] accused = {false};
        table(runs, delta, line -> {
            System.out.println(line);
            page.append(line).append('\n');
            accused[0] |= !line.endsWith("| none |") && !line.startsWith("| model") && !line.startsWith("|---");
        });
        Files.writeString(Path.of(arguments[0]), page);
        if (accused[0]) {
            System.exit(ACCUSED);
        }
    }

    private static String introduction(int runs, double delta) {
        return String.format(Locale.ROOT, """
                # All methods, audited

                Written by `CatalogueAudit` of `tacit-testkit`: every model and method of the catalogue with its standard settings but
                few steps, one record added or removed, %d runs on each table, delta %s, confidence 0.999. Epsilons are lower
                bounds: by one point / by the whole curve ([auditing a fit](audit.md)). Where a record that was tried reaches a small
                part of its bound, little can be shown of what was paid for. The control is the same run with 0.7 of its noise.

                """, runs, delta);
    }

    /** The lines of the table, each as soon as it is known. */
    static void table(int runs, double delta, Consumer<String> line) {
        line.accept("| model | method | releases | unit uses of its bound | noise / claimed | "
                + "audited at claim 0.5 | at 1 | at 4 | control at 4 | defects |");
        line.accept("|---|---|---|---|---|---|---|---|---|---|");
        for (CatalogueCase each : standardCases()) {
            line.accept(row(each, runs, delta));
        }
    }

    /** One case for each entry, with standard words. */
    public static List<CatalogueCase> standardCases() {
        Set<Object> seen = new HashSet<>();
        List<CatalogueCase> cases = new ArrayList<>();
        CatalogueCase.all()
                .filter(CatalogueCase::hasStandardWords)
                .filter(each -> seen.add(each.entry()))
                .forEach(cases::add);
        return cases;
    }

    private static String row(CatalogueCase each, int runs, double delta) {
        List<String> audited = new ArrayList<>();
        AuditResult last = null;
        int defects = 0;
        for (double epsilon : EPSILONS) {
            last = Audit.run(
                    CatalogueSubjects.of(each, new PrivacyBudget(epsilon, delta)),
                    Optional.empty(),
                    new AuditOptions(
                            0.999,
                            SEED,
                            Runtime.getRuntime().availableProcessors(),
                            1,
                            OptionalInt.of(runs),
                            QUERY_POINTS,
                            OptionalInt.of(0),
                            () -> 0,
                            Path.of(System.getProperty("java.io.tmpdir"))));
            audited.add(String.format(
                    Locale.ROOT,
                    "%.2f / %.2f",
                    last.auditedEpsilon(),
                    last.transcript().curveEpsilon()));
            defects += last.defects().size();
        }
        LayerResult transcript = last.layers().stream()
                .filter(layer -> layer.layer().equals("transcript"))
                .findFirst()
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %.2f | %.4f | %s | %s | %s | %s | %s |",
                each.entry().model(),
                each.entry().method(),
                releases(each),
                (Double) transcript.figures().get("reach"),
                last.transcript().noise().estimate(),
                audited.get(0),
                audited.get(1),
                audited.get(2),
                last.control().caughtByAttack()
                        ? "caught"
                        : last.control().caughtByNoise() ? "caught by residuals" : "not caught",
                defects == 0 ? "none" : Integer.toString(defects));
    }

    private static long releases(CatalogueCase each) {
        return CatalogueSubjects.of(each, new PrivacyBudget(1, 1e-2)).plan().releases();
    }
}
