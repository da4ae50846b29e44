package dev.tacit.cli.account;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import dev.tacit.text.SamplingForm;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit calibrate}: what does this budget pay for? */
@Command(
        name = "calibrate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Finds the noise, the number of steps or the sampling rate for a budget.",
        description = {
            "Finds the noise multiplier for a budget. With --noise-multiplier but no --steps it finds how many"
                    + " steps the budget pays for,"
                    + " and with --sampling poisson:? the sampling rate."
        },
        footer = {
            "",
            "Examples:",
            "  tacit calibrate --epsilon 1 --delta 1e-5 --steps 1000 --sampling poisson:0.01",
            "  tacit calibrate --epsilon 1 --delta 1e-5 --noise-multiplier 1.5 --sampling poisson:0.01",
            "  tacit calibrate --epsilon 1 --delta 1e-5 --noise-multiplier 1.5 --steps 1000 --sampling poisson:?"
        })
public final class CalibrateCommand implements Verb {
    @Option(names = "--epsilon", paramLabel = "E", description = "the epsilon to stay within")
    private String epsilon;

    @Option(names = "--delta", paramLabel = "D", description = "the delta at which it must hold")
    private String delta;

    @Option(
            names = "--steps",
            paramLabel = "T",
            description = "how many noisy releases; found if left out and the noise is given")
    private String steps;

    @Option(
            names = "--sampling",
            paramLabel = "HOW",
            description = "which records a step sees: none (all; the default), poisson:RATE, poisson:? or"
                    + " fixed:BATCH/POPULATION")
    private String sampling = "none";

    @Option(
            names = "--noise-multiplier",
            paramLabel = "S",
            description = "noise standard deviation divided by the L2 bound of one record; found if left out")
    private String noiseMultiplier;

    @Option(
            names = "--neighbours",
            paramLabel = "WHICH",
            description = "add-remove (the default) or replace-one (the default with fixed:BATCH/POPULATION)")
    private String neighbours;

    @Option(
            names = "--accountant",
            paramLabel = "WHO",
            description = "who decides what is spent: exact (the default) or renyi")
    private String accountant = Accounting.EXACT;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Calibration.Solution solution = calibration().solve(ExitCode.USAGE);
        if (json) {
            console.line(Json.write(solution.json()));
        } else {
            console.text(report(solution));
        }
        return ExitCode.OK;
    }

    private Calibration calibration() {
        if (epsilon == null || delta == null) {
            throw CommandFailure.usage((epsilon == null ? "--epsilon" : "--delta")
                    + " is missing; a budget is both, for example --epsilon 1 --delta 1e-5.");
        }
        double mostEpsilon = Numbers.epsilon(Numbers.parse(epsilon), "--epsilon", ExitCode.USAGE);
        double atDelta = Numbers.delta(Numbers.parse(delta), "--delta", ExitCode.USAGE);
        double multiplier = noiseMultiplier == null
                ? Double.NaN
                : Numbers.noiseMultiplier(Numbers.parse(noiseMultiplier), "--noise-multiplier", ExitCode.USAGE);
        long times = steps == null ? 0 : Numbers.steps(Numbers.parseWhole(steps), "--steps", ExitCode.USAGE);
        SamplingForm how = SamplingOption.parse(sampling, "--sampling", ExitCode.USAGE);
        Neighbours relation = neighbours == null
                ? Calibration.usualNeighbours(how)
                : Numbers.neighbours(neighbours, "--neighbours", ExitCode.USAGE);
        PrivacyAccountant who = Calibration.accountant(accountant, "--accountant", ExitCode.USAGE);
        return new Calibration(new PrivacyBudget(mostEpsilon, atDelta), multiplier, times, how, relation, who);
    }

    private static List<String> report(Calibration.Solution solution) {
        Calibration plan = solution.plan();
        TextTable table = new TextTable(List.of(false, true, false));
        table.row(
                "noise multiplier",
                Rounded.up(plan.noiseMultiplier()),
                note(solution, Calibration.Unknown.NOISE, "rounded up"));
        table.row("steps", Long.toString(plan.steps()), note(solution, Calibration.Unknown.STEPS, "the most that fit"));
        table.row("sampling", samplingText(plan.sampling()), note(solution, Calibration.Unknown.RATE, "rounded down"));
        table.row(
                "epsilon",
                Rounded.up(solution.epsilon()),
                "upper bound, asked for " + Rounded.asGiven(plan.target().epsilon()) + " or less");
        table.row("delta", Rounded.asGiven(plan.target().delta()), "");
        table.row("neighbours", plan.neighbours().label(), "");
        table.row("accountant", plan.accountant().name(), "");
        List<String> lines = new java.util.ArrayList<>();
        lines.add("Solved for the " + solution.solvedFor().words() + ".");
        lines.add("");
        lines.addAll(table.lines());
        lines.add("");
        lines.addAll(new Remark(
                        "next",
                        "tacit account --noise-multiplier " + Rounded.up(plan.noiseMultiplier()) + " --steps "
                                + plan.steps() + " --sampling " + samplingText(plan.sampling()) + " --delta "
                                + Rounded.asGiven(plan.target().delta()) + " --neighbours "
                                + plan.neighbours().label()
                                + " says what it means and what it assumes.")
                .lines());
        return lines;
    }

    private static String samplingText(SamplingForm sampling) {
        return sampling instanceof SamplingForm.Poisson poisson
                ? "poisson:" + Rounded.down(poisson.rate())
                : sampling.text();
    }

    private static String note(Calibration.Solution solution, Calibration.Unknown unknown, String rounding) {
        return solution.solvedFor() == unknown ? "found, " + rounding : "given";
    }
}
