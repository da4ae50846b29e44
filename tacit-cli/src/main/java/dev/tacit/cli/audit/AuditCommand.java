package dev.tacit.cli.audit;

import dev.tacit.audit.Audit;
import dev.tacit.audit.AuditOptions;
import dev.tacit.audit.AuditResult;
import dev.tacit.cli.dataset.SchemaFile;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.KeyValues;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.AuditNote;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.WantedFit;
import dev.tacit.fit.text.Remark;
import dev.tacit.json.Json;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.report.Fact;
import dev.tacit.report.SectionPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit audit}: the claim of a fit beside what an attacker gets. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Holds the claimed epsilon of a fit against what an attacker gets. Reads no record, costs nothing.",
        description = {
            "Repeats the fit's plan, method, noise and file format on invented records: exact checks of what one record can"
                    + " move, many runs on two tables that differ in the easiest record to see, told apart by the exact"
                    + " likelihood ratio of all that was released, and fits told apart by their published files alone. The"
                    + " same audit is made of a twin with 0.7 of the noise, which must be caught.",
            "The result is a lower bound beside the claimed upper bound. An audit can contradict a claim, not prove one."
        },
        footer = {
            "",
            "Examples:",
            "  tacit audit demo/fit",
            "  tacit audit --plan loans.schema.yaml --formula 'late ~ age + job' --epsilon 1 --delta 1e-6 --out audit"
        })
public final class AuditCommand implements Verb {
    private static final String PAGE = "audit.html";
    private static final int MOST_RUNS = 1_000_000;
    private static final int MOST_QUERY_POINTS = 10_000;
    private static final int MOST_PARTIES = 100;

    @Parameters(paramLabel = "FIT", arity = "0..1", description = "the folder of a fit")
    private String folder;

    @Option(names = "--plan", paramLabel = "SCHEMA", description = "audit a fit that was not made yet, by its schema")
    private String schemaFile;

    @Option(names = "--formula", paramLabel = "F", description = "with --plan: what would be fitted, in R's syntax")
    private String formula;

    @Option(names = "--family", paramLabel = "NAME", description = "with --plan: of the response, as in fit")
    private String family;

    @Option(names = "--model", paramLabel = "NAME", description = "with --plan: what would be fitted")
    private String model;

    @Option(names = "--method", paramLabel = "NAME", description = "with --plan: how; the model's best if left out")
    private String method;

    @Option(names = "--epsilon", paramLabel = "E", description = "with --plan: the epsilon that would be spent")
    private String epsilon;

    @Option(names = "--delta", paramLabel = "D", description = "with --plan: the delta at which it would hold")
    private String delta;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "with --plan: a setting; may be repeated")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--parties",
            paramLabel = "M",
            description = "audit the view of a coordinator of M parties who share the noise of each release")
    private String parties;

    @Option(
            names = "--colluders",
            paramLabel = "T",
            description = "with --parties: how many of them tell the coordinator all they know; 0 if left out")
    private String colluders;

    @Option(
            names = "--dropouts",
            paramLabel = "D",
            description = "with --parties: how many of them are missing; 0 if left out")
    private String dropouts;

    @Option(names = "--minutes", paramLabel = "M", description = "about how long it may take; 1 if left out")
    private String minutes = "1";

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "how many runs of each table, in place of a time: the same number gives the same audit")
    private String runs;

    @Option(
            names = "--query-points",
            paramLabel = "K",
            description =
                    "with --runs: ask in all runs what K runs of the method asked; audit.json says how many it were")
    private String queryPoints;

    @Option(
            names = "--confidence",
            paramLabel = "P",
            description = "at which an honest fit is not accused; 0.999 if left out")
    private String confidence = "0.999";

    @Option(names = "--seed", paramLabel = "N", description = "from which everything is drawn; 1 if left out")
    private String seed = "1";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where to write " + AuditNote.FILE + " and " + PAGE + "; if left out, " + AuditNote.FILE
                    + " goes into the folder of the fit, and into its report")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        AuditedRun audited = acrossParties(audited());
        AuditOptions options = options();
        AuditResult made = Audit.run(audited.subject(), Optional.of(audited.file()), options);
        AuditResult result = Optional.ofNullable(folder)
                .flatMap(fit -> FitCanaries.verdict(new FitFolder(Path.of(fit))))
                .map(canaries -> made.and(canaries.layer()))
                .orElse(made);
        Map<String, Object> object = new LinkedHashMap<>(result.toJson());
        object.put("audited", audited.name());
        audited.release().ifPresent(hash -> object.put("release", hash));
        List<Path> written = write(object);
        if (json) {
            console.line(Json.write(object));
        } else {
            String place = folder == null ? "" : " in " + folder;
            new AuditText(audited.name() + place, result).lines().forEach(console::line);
            if (!written.isEmpty()) {
                new Remark("wrote", written.stream().map(Path::toString).collect(Collectors.joining(" and ")))
                        .lines()
                        .forEach(console::line);
            }
        }
        return result.defects().isEmpty() ? ExitCode.OK : ExitCode.INTERNAL;
    }

    private AuditedRun audited() {
        if ((folder == null) == (schemaFile == null)) {
            throw CommandFailure.usage("say what to audit: the folder of a fit, or --plan with a schema; not both.");
        }
        if (folder != null) {
            return AuditedRun.of(folder, new FitFolder(Path.of(folder)).outcome());
        }
        if (epsilon == null || delta == null) {
            throw CommandFailure.usage("--plan needs the budget: --epsilon 1 --delta 1e-6, for example.");
        }
        if ((formula == null) == (model == null)) {
            throw CommandFailure.usage("--plan needs --formula or --model, and not both.");
        }
        Schema schema = SchemaFile.read(schemaFile);
        PrivacyBudget budget = new PrivacyBudget(
                Numbers.epsilon(Numbers.parse(epsilon), "--epsilon", ExitCode.USAGE),
                Numbers.delta(Numbers.parse(delta), "--delta", ExitCode.USAGE));
        WantedFit wanted = formula == null
                ? WantedFit.ofModel(schema, model, Optional.ofNullable(method))
                : WantedFit.ofFormula(FormulaRequest.of(schema, formula, family), Optional.ofNullable(method));
        return AuditedRun.of(wanted, KeyValues.of(settings), budget);
    }

    private AuditedRun acrossParties(AuditedRun audited) {
        if (parties == null) {
            if (colluders != null || dropouts != null) {
                throw CommandFailure.usage("--colluders and --dropouts are about --parties; say how many there are.");
            }
            return audited;
        }
        int count = Numbers.count(Numbers.parseWhole(parties), MOST_PARTIES, "--parties", ExitCode.USAGE);
        int telling = colluders == null ? 0 : (int) Numbers.parseWhole(colluders);
        int absent = dropouts == null ? 0 : (int) Numbers.parseWhole(dropouts);
        if (telling < 0 || absent < 0 || count - telling - absent < 1) {
            throw CommandFailure.usage("of --parties, one at least neither colludes nor drops out.");
        }
        return audited.across(new NoiseSharing(count, telling, absent));
    }

    private AuditOptions options() {
        double time = Numbers.parse(minutes);
        double sure = Numbers.parse(confidence);
        if (!(time > 0 && time <= 10_000)) {
            throw CommandFailure.usage("--minutes is a positive number of minutes, for example 1.");
        }
        if (!(sure > 0.5 && sure < 1)) {
            throw CommandFailure.usage("--confidence lies between 0.5 and 1, for example 0.999.");
        }
        return new AuditOptions(
                sure,
                Numbers.parseWhole(seed),
                Runtime.getRuntime().availableProcessors(),
                60 * time,
                runs == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(Numbers.count(Numbers.parseWhole(runs), MOST_RUNS, "--runs", ExitCode.USAGE)),
                queryPoints == null
                        ? 0
                        : Numbers.count(
                                Numbers.parseWhole(queryPoints), MOST_QUERY_POINTS, "--query-points", ExitCode.USAGE),
                OptionalInt.empty(),
                System::nanoTime,
                temporary());
    }

    private static Path temporary() {
        try {
            Path path = Files.createTempDirectory("tacit-audit");
            path.toFile().deleteOnExit();
            return path;
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot make a temporary folder; check that the disk has room.", e);
        }
    }

    /** The audit as a file; and in the report of the fit, or as a page of its own where another folder was named. */
    private List<Path> write(Map<String, Object> object) {
        String text = AuditNote.fileText(object);
        if (out != null) {
            Path path = Path.of(out);
            try {
                Files.createDirectories(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            AtomicFile.write(path.resolve(AuditNote.FILE), text);
            AtomicFile.write(path.resolve(PAGE), page(object));
            return List.of(path.resolve(AuditNote.FILE), path.resolve(PAGE));
        }
        if (folder == null || !Files.isWritable(new FitFolder(Path.of(folder)).path())) {
            return List.of();
        }
        FitFolder fit = new FitFolder(Path.of(folder));
        AtomicFile.write(fit.audit(), text);
        if (!Files.exists(fit.report())) {
            return List.of(fit.audit());
        }
        AtomicFile.write(
                fit.report(), FitWriting.report(fit.outcome(), Optional.empty()).html());
        return List.of(fit.audit(), fit.report());
    }

    private static String page(Map<String, Object> object) {
        return new SectionPage(
                        "audit",
                        "Audit of " + object.get("audited"),
                        AuditNote.section(object),
                        List.of(new Fact("made by", Version.text())))
                .html();
    }
}
