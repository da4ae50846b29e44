package dev.tacit.testkit.method;

import dev.tacit.audit.Audit;
import dev.tacit.audit.AuditOptions;
import dev.tacit.audit.AuditResult;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
 * that shows what was found. Takes ten minutes of a processor, so it is run by night or by hand and not with the tests.
 *
 * <p>Arguments: the page; how many releases the runs on one table make in all, by which a method that makes few is run more
 * often (40 000 if left out); the delta (1e-2 if left out: at a small delta, counts show little).
 */
public final class CatalogueAudit {
    private static final double[] EPSILONS = {0.5, 1, 4};
    private static final long SEED = 1;
    private static final int QUERY_POINTS = 8;
    private static final int ACCUSED = 70;
    private static final int FEWEST = 1_000;
    private static final int MOST = 1_000_000;
    private static final String NOTHING_SEEN = "too few runs";

    private CatalogueAudit() {}

    /** Writes the page; exit code 70 if a method was accused. */
    public static void main(String[] arguments) throws IOException {
        long releases = arguments.length > 1 ? Long.parseLong(arguments[1]) : 40_000;
        double delta = arguments.length > 2 ? Double.parseDouble(arguments[2]) : 1e-2;
        StringBuilder page = new StringBuilder(introduction(delta));
        boolean[] accused = {false};
        table(releases, delta, line -> {
            System.out.println(line);
            page.append(line).append('\n');
            accused[0] |= !line.endsWith("| none |") && !line.startsWith("| model") && !line.startsWith("|---");
        });
        Files.writeString(Path.of(arguments[0]), page);
        if (accused[0]) {
            System.exit(ACCUSED);
        }
    }

    private static String introduction(double delta) {
        return String.format(Locale.ROOT, """
                # All methods, audited

                Written by `CatalogueAudit` of `tacit-testkit`: every model and method of the catalogue with its standard settings but
                few steps, one record added or removed, delta %s, confidence 0.999. Methods of few releases are run more
                often; the column of runs says how often on each table. Epsilons are lower bounds, rounded down: by one point / by the
                whole curve, the second under the assumption that the true curve is that of the plan with some other noise ([auditing a
                fit](audit.md)). "%s" is not a zero: so many runs cannot tell the two tables apart, and more of them might.
                Where a record that was tried reaches a small part of its bound, little can be shown of what was paid for, and
                that takes many runs. The control is the same run with 0.7 of its noise.

                """, delta, NOTHING_SEEN);
    }

    /** The lines of the table, each as soon as it is known. */
    static void table(long releases, double delta, Consumer<String> line) {
        line.accept("| model | method | releases | runs | unit uses of its bound | noise / claimed | "
                + "audited at claim 0.5 | at 1 | at 4 | control at 4 | defects |");
        line.accept("|---|---|---|---|---|---|---|---|---|---|---|");
        for (CatalogueCase each : standardCases()) {
            line.accept(row(each, releases, delta));
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

    private static String row(CatalogueCase each, long releases, double delta) {
        ReleasePlan plan =
                CatalogueSubjects.of(each, new PrivacyBudget(1, delta)).plan();
        int runs = runs(plan, releases);
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
            audited.add(seen(last.auditedEpsilon(), last.transcript().curveEpsilon()));
            defects += last.defects().size();
        }
        LayerResult transcript = last.layers().stream()
                .filter(layer -> layer.layer().equals("transcript"))
                .findFirst()
                .orElseThrow();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %.2f | %.4f | %s | %s | %s | %s | %s |",
                each.entry().model(),
                each.entry().method(),
                plan.releases(),
                runs,
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

    /** How many runs on each table there are: more of a plan of few releases, in round thousands. */
    private static int runs(ReleasePlan plan, long releases) {
        return (int) Math.max(FEWEST, Math.min(MOST, releases / plan.releases() / 1000 * 1000));
    }

    /** Both lower bounds, rounded down; what rounds to nothing was not seen. */
    static String seen(double byPoint, double byCurve) {
        boolean point = byPoint >= 0.01;
        boolean curve = byCurve >= 0.01;
        return !point && !curve
                ? NOTHING_SEEN
                : (point ? down(byPoint) : NOTHING_SEEN) + " / " + (curve ? down(byCurve) : NOTHING_SEEN);
    }

    private static String down(double epsilon) {
        return new BigDecimal(epsilon).setScale(2, RoundingMode.FLOOR).toPlainString();
    }
}
