package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.PlotFile;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.json.Json;
import dev.tacit.text.SamplingForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit account}: what does this reveal? */
@Command(
        name = "account",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description =
                "Says which epsilon holds at a delta (or which delta at an epsilon), by every accountant side by side.",
        footer = {
            "",
            "Examples:",
            "  tacit account --noise-multiplier 1.0 --steps 1000 --sampling poisson:0.01 --delta 1e-5",
            "  tacit account --events events.json --delta 1e-5 --neighbours replace-one --json",
            "  tacit account --batch requests.jsonl > answers.jsonl"
        })
public final class AccountCommand implements Verb {
    @Option(
            names = "--noise-multiplier",
            paramLabel = "S",
            description = "noise standard deviation divided by the L2 bound of one record")
    private String noiseMultiplier;

    @Option(names = "--steps", paramLabel = "T", description = "how many noisy releases")
    private String steps;

    @Option(
            names = "--sampling",
            paramLabel = "HOW",
            description = "which records a step sees: none (all; the default), poisson:RATE or fixed:BATCH/POPULATION")
    private String sampling;

    @Option(
            names = "--events",
            paramLabel = "FILE",
            description = "read what is done from a file of event JSON (- for standard input)")
    private String events;

    @Option(
            names = "--batch",
            paramLabel = "FILE",
            description = "answer many requests: JSON lines in (- for standard input), JSON lines out, same order")
    private String batch;

    @Option(names = "--delta", paramLabel = "D", description = "ask for epsilon at this delta")
    private String delta;

    @Option(names = "--epsilon", paramLabel = "E", description = "ask for delta at this epsilon")
    private String epsilon;

    @Option(
            names = "--neighbours",
            paramLabel = "WHICH",
            description = "add-remove (the default) or replace-one (the default with fixed:BATCH/POPULATION)")
    private String neighbours;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "draw epsilon against delta and against steps into FILE.html or FILE.svg")
    private String plot;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Accounting accounting = new Accounting();
        if (batch != null) {
            refuseBesideBatch();
            return new Batch(console, accounting).run(new InputFile(batch));
        }
        PlotFile plotFile = plot == null ? null : plotFile();
        AccountingQuestion question = question(console);
        List<Answer> answers = accounting.ask(question);
        if (plotFile != null) {
            AtomicFile.write(plotFile.path(), new AccountPlot(accounting).draw(plotFile, question, answers));
        }
        if (json) {
            console.line(Json.write(json(question, answers)));
            return ExitCode.OK;
        }
        console.text(new AccountReport(accounting).lines(question, answers));
        if (plotFile != null) {
            console.line("");
            console.line("wrote " + plotFile.path());
        }
        return ExitCode.OK;
    }

    private void refuseBesideBatch() {
        refuseBeside("--batch", "put it into the requests instead", noiseMultiplier, "--noise-multiplier");
        refuseBeside("--batch", "put it into the requests instead", steps, "--steps");
        refuseBeside("--batch", "put it into the requests instead", sampling, "--sampling");
        refuseBeside("--batch", "put it into the requests instead", events, "--events");
        refuseBeside("--batch", "put it into the requests instead", delta, "--delta");
        refuseBeside("--batch", "put it into the requests instead", epsilon, "--epsilon");
        refuseBeside("--batch", "put it into the requests instead", neighbours, "--neighbours");
        refuseBeside("--batch", "draw one setting at a time", plot, "--plot");
    }

    private static void refuseBeside(String chosen, String instead, String value, String option) {
        if (value != null) {
            throw CommandFailure.usage(option + " cannot be combined with " + chosen + "; " + instead + ".");
        }
    }

    private PlotFile plotFile() {
        if (epsilon != null) {
            throw CommandFailure.usage("--plot draws epsilon at a delta; give --delta instead of --epsilon.");
        }
        return PlotFile.of(plot)
                .orElseThrow(() -> CommandFailure.usage("--plot needs a file name that ends in .html or .svg."));
    }

    private AccountingQuestion question(Console console) {
        if (delta == null && epsilon == null) {
            throw CommandFailure.usage(
                    "give --delta to ask which epsilon holds, for example --delta 1e-5, or --epsilon to ask for"
                            + " delta.");
        }
        if (delta != null && epsilon != null) {
            throw CommandFailure.usage(
                    "give --delta or --epsilon, not both: one is given and the other is the answer.");
        }
        AccountingQuestion.Wanted wanted =
                delta != null ? AccountingQuestion.Wanted.EPSILON : AccountingQuestion.Wanted.DELTA;
        double given = delta != null
                ? Numbers.delta(Numbers.parse(delta), "--delta", ExitCode.USAGE)
                : Numbers.epsilon(Numbers.parse(epsilon), "--epsilon", ExitCode.USAGE);
        Neighbours chosen = neighbours == null ? null : Numbers.neighbours(neighbours, "--neighbours", ExitCode.USAGE);
        PrivacyEvent event = event(console);
        return new AccountingQuestion(
                event, chosen == null ? AccountingQuestion.usualNeighbours(event) : chosen, wanted, given);
    }

    private PrivacyEvent event(Console console) {
        if (events != null) {
            refuseBeside("--events", "the file says it", noiseMultiplier, "--noise-multiplier");
            refuseBeside("--events", "the file says it", steps, "--steps");
            refuseBeside("--events", "the file says it", sampling, "--sampling");
            return EventFile.read(new InputFile(events), console);
        }
        if (noiseMultiplier == null || steps == null) {
            throw CommandFailure.usage((noiseMultiplier == null ? "--noise-multiplier" : "--steps")
                    + " is missing; give --noise-multiplier and --steps, or --events FILE, or --batch FILE.");
        }
        double multiplier =
                Numbers.noiseMultiplier(Numbers.parse(noiseMultiplier), "--noise-multiplier", ExitCode.USAGE);
        long times = Numbers.steps(Numbers.parseWhole(steps), "--steps", ExitCode.USAGE);
        SamplingForm how = SamplingOption.parse(sampling == null ? "none" : sampling, "--sampling", ExitCode.USAGE);
        if (how instanceof SamplingForm.PoissonOfUnknownRate) {
            throw CommandFailure.usage(
                    "--sampling poisson:? is for calibrate, which finds the rate; account needs a rate such as"
                            + " poisson:0.01.");
        }
        return how.around(PrivacyEvent.gaussian(multiplier)).times(times);
    }

    private Map<String, Object> json(AccountingQuestion question, List<Answer> answers) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("results", results(answers));
        object.put(question.wanted().givenLabel(), question.given());
        object.put("neighbours", question.neighbours().label());
        if (plot != null) {
            object.put("plot", plot);
        }
        return object;
    }

    /** The answers as the contract's list. */
    static List<Object> results(List<Answer> answers) {
        List<Object> results = new ArrayList<>();
        for (Answer answer : answers) {
            results.add(answer.json());
        }
        return results;
    }
}
