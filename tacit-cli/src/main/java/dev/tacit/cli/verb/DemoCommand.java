package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.ScoredTable;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit demo}: the whole way from records to a posterior, on a table that describes nobody. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Shows the whole way from a table of records to a private posterior, on a synthetic table.",
        description = {
            "Writes a synthetic table of loans with its schema, fits a formula for epsilon 1, scores it on"
                    + " a second table and says what the ledger holds. Needs no argument and no network."
        })
public final class DemoCommand implements Verb {
    static final String TABLE = "loans.csv";
    static final String TEST_TABLE = "loans-test.csv";
    static final String SCHEMA = "loans.schema.yaml";
    static final String LEDGER = "loans.ledger";
    static final String FIT = "fit";

    private static final PrivacyBudget BUDGET = new PrivacyBudget(1, 1e-6);

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where to write; a new folder for temporary files if left out")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Path folder = folder();
        FitRequest request = request(folder);
        try (FitProgress progress = new FitProgress(console, false)) {
            FitRun run = new FitRun(request, progress);
            FitRun.Prepared prepared = run.prepare(false);
            requireFree(folder);
            AtomicFile.write(folder.resolve(TABLE), DemoTable.csv());
            AtomicFile.write(folder.resolve(TEST_TABLE), DemoTable.testCsv());
            AtomicFile.write(folder.resolve(SCHEMA), DemoTable.schema());
            if (!json) {
                console.line(
                        "A synthetic table of " + DemoTable.ROWS + " loans of people who do not exist, and a budget"
                                + " of epsilon " + Rounded.asGiven(BUDGET.epsilon()) + " at delta "
                                + Rounded.asGiven(BUDGET.delta()) + ".");
                console.line("");
                console.text(FitSummary.plan(request, prepared));
                console.flush();
            }
            FitFolder fit = new FitFolder(request.out());
            FitOutcome outcome = FitWriting.check(fit, run.run(prepared), OptionalInt.empty(), Progress::of);
            Path test = folder.resolve(TEST_TABLE);
            ScoredTable scored =
                    ScoredTable.read(test.toString(), outcome.fitted()).named(TEST_TABLE);
            AtomicFile.write(
                    fit.testReport(),
                    FitWriting.report(outcome, Optional.of(scored)).html());
            if (json) {
                Map<String, Object> object = new LinkedHashMap<>();
                object.put("synthetic", true);
                object.putAll(FitSummary.json(outcome, request.out()));
                object.put("scores", scored.json());
                console.line(Json.write(object));
            } else {
                console.text(report(outcome, scored, folder));
            }
        }
        return ExitCode.OK;
    }

    private Path folder() {
        try {
            return out == null ? Files.createTempDirectory("tacit-demo-") : Files.createDirectories(Path.of(out));
        } catch (IOException | InvalidPathException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    "cannot create the folder for the demo; name one that can be written with --out.",
                    e);
        }
    }

    /** A table of the same name may be somebody's own. */
    private static void requireFree(Path folder) {
        for (String file : List.of(TABLE, TEST_TABLE, SCHEMA, LEDGER, LEDGER + ".key")) {
            if (Files.exists(folder.resolve(file))) {
                throw new CommandFailure(
                        ExitCode.CONFIG,
                        folder.resolve(file) + " exists and is not overwritten; name a new place with --out.");
            }
        }
    }

    private static FitRequest request(Path folder) {
        FormulaRequest asked =
                FormulaRequest.of(SchemaYaml.read(DemoTable.schema(), SCHEMA), DemoTable.FORMULA, "bernoulli");
        return new FitRequest(
                folder.resolve(TABLE).toString(),
                asked.schema(),
                asked.model(),
                FormulaRequest.METHOD,
                Map.of(),
                Optional.of(BUDGET),
                folder.resolve(FIT),
                LedgerRequest.standard(),
                0,
                OptionalDouble.empty(),
                OptionalLong.empty(),
                Runtime.getRuntime().availableProcessors());
    }

    private static List<String> report(FitOutcome outcome, ScoredTable scored, Path folder) {
        List<String> lines = FitSummary.outcome(outcome, folder.resolve(FIT));
        lines.addAll(new Remark(
                        "predicts",
                        "AUC " + Rounded.decimals(scored.scores().get("auc")) + " and accuracy "
                                + Rounded.decimals(scored.scores().get("accuracy")) + " on " + scored.rows()
                                + " further synthetic loans")
                .lines());
        lines.addAll(new Remark(
                        "next",
                        "open " + folder.resolve(FIT).resolve(FitFolder.REPORT) + " in a browser; tacit ledger show "
                                + folder.resolve(LEDGER)
                                + " shows what was spent; every further fit of the table adds to"
                                + " it.")
                .lines());
        return lines;
    }
}
