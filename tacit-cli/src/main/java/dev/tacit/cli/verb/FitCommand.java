package dev.tacit.cli.verb;

import dev.tacit.cli.audit.FitCanaries;
import dev.tacit.cli.dataset.SchemaFile;
import dev.tacit.cli.help.PublicNames;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.Engines;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.KeyValues;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.RunWitness;
import dev.tacit.fit.run.WantedFit;
import dev.tacit.fit.text.Remark;
import dev.tacit.json.Json;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.text.Spelling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit fit}: from a table of records, a schema and a budget to a posterior, a statement and a report. */
@Command(
        name = "fit",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        modelTransformer = ModelTable.class,
        header = "Fits a model to private records and writes a posterior, a privacy statement and a report.",
        description = {
            "DATA is a file (CSV, CSV.gz, TSV, Parquet, JSON) or a Postgres address. Nothing about the records is"
                    + " printed but what the budget paid for."
        },
        footer = {
            "",
            "Examples:",
            "  tacit fit loans.csv --schema loans.schema.yaml --formula 'late ~ age + log2(income) + job' --epsilon 1"
                    + " --delta 1e-5 --out fit",
            "  tacit fit --resume --out fit"
        })
public final class FitCommand implements Verb {
    @Parameters(paramLabel = "DATA", arity = "0..1", description = "the records")
    private String data;

    @Option(names = "--schema", paramLabel = "FILE", description = "what is declared about them (tacit schema draft)")
    private String schemaFile;

    @Option(
            names = "--formula",
            paramLabel = "F",
            description = "what to fit, in R's syntax: 'died ~ age + sex*icu + (1 | hospital)'")
    private String formula;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = Families.class,
            description = "of the response of --formula: ${COMPLETION-CANDIDATES}; what suits its column if left out")
    private String family;

    @Option(
            names = "--prior",
            paramLabel = "TERM",
            description = "'age ~ normal(0, 0.1)' in natural units, or 'b ~ normal(0, 1)' for all columns on their"
                    + " standardised scale; may be repeated")
    private List<String> priors = new ArrayList<>();

    @Option(names = "--model", paramLabel = "NAME", description = "what to fit, with all declared columns")
    private String model;

    @Option(names = "--method", paramLabel = "NAME", description = "how; the model's best method if left out")
    private String method;

    @Option(names = "--epsilon", paramLabel = "E", description = "the epsilon that the run may spend")
    private String epsilon;

    @Option(names = "--delta", paramLabel = "D", description = "the delta at which it must hold")
    private String delta;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "the folder to write; it must not exist yet, or be empty")
    private String out;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting of the method; may be repeated")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--ledger",
            paramLabel = "FILE",
            description = "the ledger of these people, which adds up all runs; the one beside the data if left out")
    private String ledger;

    @Option(
            names = "--ledger-epsilon",
            paramLabel = "E",
            description = "the limit of a ledger that this run creates; no limit if left out")
    private String ledgerEpsilon;

    @Option(
            names = "--label",
            paramLabel = "TEXT",
            description = "what the run is for, in the ledger; may be published")
    private String label;

    @Option(names = "--analyst", paramLabel = "NAME", description = "who asks, in the ledger; the user if left out")
    private String analyst;

    @Option(names = "--same-people", description = "the ledger is that of these people, although the records differ")
    private boolean samePeople;

    @Option(
            names = "--spend-on-bounds",
            paramLabel = "SHARE",
            description = "share of the budget that buys the bounds which the schema marks as PRIVATE")
    private String boundsShare;

    @Option(
            names = "--spend-on-count",
            paramLabel = "SHARE",
            description =
                    "share of the budget that buys the noisy number of usable units; 0.01 if left out, 0 for none")
    private String countShare;

    @Option(names = "--simulate", description = "use noise that can be replayed; the result is stamped not for release")
    private boolean simulate;

    @Option(names = "--seed", paramLabel = "N", description = "the seed of --simulate")
    private String seed;

    @Option(names = "--not-private", description = "add no noise at all; the result is stamped not private")
    private boolean notPrivate;

    @Option(names = "--resume", description = "go on with the interrupted run in --out, which knows all other settings")
    private boolean resume;

    @Option(
            names = "--twins",
            paramLabel = "N",
            description = "how many simulated twins check the intervals (the default is 20, fewer for slow methods)")
    private String twins;

    @Option(names = "--no-twins", description = "do not check the intervals; tacit diagnose does it later")
    private boolean noTwins;

    @Option(
            names = "--canaries",
            paramLabel = "M",
            description =
                    "put M invented records among the others, each by the toss of a coin, and say how many tosses the"
                            + " released numbers give away; they count in size; at least 100")
    private String canaries;

    @Option(names = "--threads", paramLabel = "N", description = "how many threads; the result does not depend on it")
    private String threads;

    @Option(
            names = "--engine",
            paramLabel = "ADDRESS",
            description =
                    "where records are added up: local (the default), spark://HOST:PORT, yarn, k8s://..., submitted, or"
                            + " local[4]; the result does not depend on it")
    private String engine;

    @Option(
            names = "--spark",
            paramLabel = "KEY=VALUE",
            description = "a setting of the engine, for example spark.executor.memory=8g; may be repeated")
    private List<String> engineSettings = new ArrayList<>();

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    /** What --family can be, for its help. */
    private static final class Families implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return PublicNames.families().iterator();
        }
    }

    @Override
    public ExitCode run(Console console) {
        requireWhole();
        if (noTwins && twins != null) {
            throw CommandFailure.usage("--no-twins leaves out what --twins asks for; give one of the two.");
        }
        OptionalInt asked = twins == null ? OptionalInt.empty() : OptionalInt.of(DiagnoseCommand.count(twins));
        FitFolder folder = new FitFolder(Path.of(out));
        boolean done = resume && folder.complete() && !folder.resumable();
        if (done && !Files.exists(folder.runFile())) {
            sayComplete(folder, console);
            return ExitCode.OK;
        }
        Optional<FitRequest> kept = resume
                ? Optional.of(FitRequest.kept(folder.path(), Optional.ofNullable(data), parsedThreads()))
                : Optional.empty();
        WantedFit wanted = kept.isPresent() ? wanted(kept.get()) : wanted(SchemaFile.read(schemaFile));
        FitRequest request = request(wanted, kept);
        FitOutcome outcome;
        StopNotice notice = new StopNotice(() -> StopNotice.sentence(folder), console);
        try (FitProgress progress = new FitProgress(console, resume && !json);
                TableEngine where =
                        Engines.start(done ? null : engine, done ? List.of() : engineSettings, request.threads())) {
            FitRun run =
                    new FitRun(request, progress, where, done ? RunWitness.NOBODY : witness(folder, request.seed()));
            if (done) {
                run.keptIdentity();
                sayComplete(folder, console);
                return ExitCode.OK;
            }
            FitRun.Prepared prepared = run.prepare(resume);
            if (!json) {
                wanted.remark().ifPresent(why -> console.text(new Remark("method", why).lines()));
                console.text(FitSummary.plan(request, prepared));
                if (where instanceof LocalTables) {
                    console.text(EngineRemark.lines(request, prepared));
                }
                console.flush();
            }
            progress.reads(request.data());
            outcome = run.run(prepared);
        } finally {
            notice.close();
        }
        if (!noTwins) {
            outcome = FitWriting.check(folder, outcome, asked, Progress::of);
        }
        Map<String, Bounds> bought =
                FitSummary.bought(wanted.schema(), outcome.fitted().schema());
        if (json) {
            Map<String, Object> object = FitSummary.json(outcome, request.out());
            wanted.remark().ifPresent(why -> object.put("methodRemark", why));
            Map<String, Object> bounds = new LinkedHashMap<>();
            bought.forEach((name, each) -> bounds.put(name, List.<Object>of(each.lower(), each.upper())));
            if (!bounds.isEmpty()) {
                object.put("boughtBounds", bounds);
            }
            console.line(Json.write(object));
        } else {
            console.text(FitSummary.lines(bought));
            console.text(FitSummary.outcome(outcome, request.out()));
            FitCanaries.remark(folder).ifPresent(remark -> console.text(remark.lines()));
        }
        return ExitCode.OK;
    }

    private RunWitness witness(FitFolder folder, OptionalLong replayed) {
        if (canaries != null) {
            int count = Numbers.count(Numbers.parseWhole(canaries), FitCanaries.MOST, "--canaries", ExitCode.USAGE);
            return new FitCanaries(count, replayed);
        }
        if (resume && Files.exists(folder.coins())) {
            throw CommandFailure.usage(
                    "the run has canaries; repeat the command that started it, --canaries included, and add --resume.");
        }
        return RunWitness.NOBODY;
    }

    private void sayComplete(FitFolder folder, Console console) {
        FitOutcome outcome = folder.outcome();
        console.line(
                json
                        ? Json.write(FitSummary.json(outcome, folder.path()))
                        : folder.path() + " holds the complete fit already; there is nothing to resume.");
    }

    /** Everything that can be refused without reading a file. A run that is resumed knows what is left out. */
    private void requireWhole() {
        if (!resume) {
            required(data, "DATA", "name the table first: tacit fit loans.csv --schema loans.schema.yaml ...");
            required(schemaFile, "--schema", "draft one with tacit schema draft");
        }
        WantedFit.requireOneOf(Optional.ofNullable(formula), Optional.ofNullable(family), Optional.ofNullable(model));
        requireKnown();
        required(out, "--out", "for example --out fit");
        if (notPrivate && (epsilon != null || delta != null || spendsShares() || usesLedger())) {
            throw CommandFailure.usage(
                    "--not-private spends no budget; leave out --epsilon, --delta, --spend-on-bounds,"
                            + " --spend-on-count and all that is said about the ledger, or leave out --not-private.");
        }
        if (seed != null && !simulate && !resume) {
            throw CommandFailure.usage(
                    "--seed repeats noise, which is for simulations; add --simulate, or leave out --seed.");
        }
        if (!notPrivate && !resume) {
            budget(Optional.empty());
        }
    }

    /** What is asked for; what a resumed run was started with stands in for options that are left out. */
    private FitRequest request(WantedFit wanted, Optional<FitRequest> kept) {
        Optional<PrivacyBudget> budget = notPrivate ? Optional.empty() : budget(kept);
        Map<String, String> all =
                new LinkedHashMap<>(kept.map(FitRequest::settings).orElse(Map.of()));
        if (!priors.isEmpty()) {
            all.remove(FormulaRequest.PRIOR);
        }
        all.putAll(KeyValues.of(settings));
        return new FitRequest(
                kept.map(FitRequest::data).orElse(data),
                wanted.schema(),
                wanted.model(),
                wanted.method(),
                FormulaRequest.withPriors(all, priors),
                budget,
                Path.of(out),
                ledgerRequest(budget, kept.map(FitRequest::ledger)),
                boundsShare == null ? kept.map(FitRequest::boundsShare).orElse(0.0) : boundsShare(),
                countShare == null ? kept.map(FitRequest::countShare).orElse(OptionalDouble.empty()) : countShare(),
                seed == null && !simulate
                        ? kept.map(FitRequest::seed).orElse(OptionalLong.empty())
                        : parsedSeed(kept.map(FitRequest::seed).orElse(OptionalLong.empty())),
                parsedThreads());
    }

    private WantedFit wanted(Schema declared) {
        return WantedFit.of(
                declared,
                Optional.ofNullable(formula),
                Optional.ofNullable(family),
                Optional.ofNullable(model),
                Optional.ofNullable(method));
    }

    /** The same for a run that is resumed: what is given again must lead to what it was started with. */
    private WantedFit wanted(FitRequest kept) {
        Schema declared = schemaFile == null ? kept.schema() : SchemaFile.read(schemaFile);
        String how = method == null ? kept.method() : method;
        if (model != null) {
            return WantedFit.ofModel(declared, model, Optional.of(how));
        }
        Optional<String> own = kept.schema().encoding().formula();
        if (formula == null && (family == null || own.isEmpty())) {
            // nothing is read anew: columns of a named model may have bounds that are bought, as those of a formula may
            // not
            Schema same = schemaFile == null || own.isEmpty()
                    ? declared
                    : declared.withFormula(own.get(), kept.schema().target().orElseThrow());
            return new WantedFit(same, kept.model(), how, Optional.empty());
        }
        FormulaRequest asked = FormulaRequest.of(declared, formula == null ? own.get() : formula, family);
        return new WantedFit(asked.schema(), family == null ? kept.model() : asked.model(), how, Optional.empty());
    }

    /** Names of models and methods are public, so a misspelt one is told from those that exist. */
    private void requireKnown() {
        if (method != null && !PublicNames.methods().contains(method)) {
            List<String> methods = model == null ? PublicNames.methods() : MethodCatalogue.methods(model);
            throw CommandFailure.usage("there is no method " + method + Spelling.hint(method, methods)
                    + "; tacit fit --help lists the methods of every model.");
        }
        if (family != null && !PublicNames.families().contains(family)) {
            throw CommandFailure.usage("there is no family " + family + Spelling.hint(family, PublicNames.families())
                    + "; the families are " + String.join(", ", PublicNames.families()) + ".");
        }
    }

    private static void required(String value, String option, String hint) {
        if (value == null) {
            throw CommandFailure.usage(option + " is missing; " + hint + ".");
        }
    }

    private Optional<PrivacyBudget> budget(Optional<FitRequest> kept) {
        Optional<PrivacyBudget> before = kept.flatMap(FitRequest::budget);
        if (kept.isPresent() && epsilon == null && delta == null) {
            return before;
        }
        if (before.isEmpty() && (epsilon == null || delta == null)) {
            throw CommandFailure.usage((epsilon == null ? "--epsilon" : "--delta")
                    + " is missing; a budget is both, for example --epsilon 1 --delta 1e-5.");
        }
        double most = epsilon == null
                ? before.orElseThrow().epsilon()
                : Numbers.payingEpsilon(Numbers.parse(epsilon), "--epsilon", ExitCode.USAGE);
        return Optional.of(new PrivacyBudget(
                most,
                delta == null
                        ? before.orElseThrow().delta()
                        : Numbers.delta(Numbers.parse(delta), "--delta", ExitCode.USAGE)));
    }

    private boolean usesLedger() {
        return ledger != null || ledgerEpsilon != null || label != null || analyst != null || samePeople;
    }

    private LedgerRequest ledgerRequest(Optional<PrivacyBudget> budget, Optional<LedgerRequest> kept) {
        LedgerRequest before = kept.orElseGet(LedgerRequest::standard);
        return new LedgerRequest(
                ledger == null ? before.file() : Optional.of(Path.of(ledger)),
                ledgerEpsilon == null ? before.limit() : limit(budget),
                label == null ? before.label() : Optional.of(LedgerRequest.publicText(label, "--label")),
                analyst == null ? before.analyst() : LedgerRequest.publicText(analyst, "--analyst"),
                samePeople || before.samePeople());
    }

    private OptionalDouble limit(Optional<PrivacyBudget> budget) {
        double whole = Numbers.epsilon(Numbers.parse(ledgerEpsilon), "--ledger-epsilon", ExitCode.USAGE);
        if (whole < budget.orElseThrow().epsilon()) {
            throw CommandFailure.usage(
                    "--ledger-epsilon is the limit of all runs together, so it is not less than --epsilon.");
        }
        return OptionalDouble.of(whole);
    }

    private boolean spendsShares() {
        return boundsShare != null || countShare != null;
    }

    private OptionalDouble countShare() {
        double share = Numbers.parse(countShare);
        if (!(share >= 0 && share < 1)) {
            throw CommandFailure.usage(
                    "--spend-on-count must be a number from 0 to below 1, the share of the budget, for example 0.01.");
        }
        return OptionalDouble.of(share);
    }

    private double boundsShare() {
        double share = Numbers.parse(boundsShare);
        if (!(share > 0 && share < 1)) {
            throw CommandFailure.usage(
                    "--spend-on-bounds must be a number between 0 and 1, the share of the budget, for example 0.05.");
        }
        return share;
    }

    /** @param before the seed of a simulation that is resumed, which --simulate alone means then */
    private OptionalLong parsedSeed(OptionalLong before) {
        long value = seed == null ? before.orElse(0) : Numbers.parseWhole(seed);
        if (value < 0) {
            throw CommandFailure.usage("--seed must be a whole number, 0 or more.");
        }
        return OptionalLong.of(value);
    }

    private int parsedThreads() {
        if (threads == null) {
            return Runtime.getRuntime().availableProcessors();
        }
        long value = Numbers.parseWhole(threads);
        if (value < 1 || value > 1024) {
            throw CommandFailure.usage("--threads must be a whole number from 1 to 1024.");
        }
        return (int) value;
    }
}
