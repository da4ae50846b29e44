package dev.tacit.cli.plan;

import dev.tacit.cli.dataset.SchemaFile;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.cli.verb.ShownAs;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.Response;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.formula.Family;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.plan.PlanSimulation;
import dev.tacit.fit.plan.PlanText;
import dev.tacit.fit.text.Remark;
import dev.tacit.json.Json;
import dev.tacit.run.method.SettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit plan}: what to expect of a fit at several budgets, before any record is read. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Simulates what a fit by a formula would find at several budgets. Reads no record, costs nothing.",
        description = {
            "Tables are drawn from the schema alone: numbers are normal around the middle of their bounds with a sixth of"
                    + " the range as standard deviation, categories are equally frequent, all are independent. Each is"
                    + " fitted by the method itself, with the noise of each budget.",
            "A power is the probability that the interval of a term excludes 0 if its effect is the assumed one."
        },
        footer = {
            "",
            "Example:",
            "  tacit plan --schema stays.schema.yaml --formula 'died ~ age + sex' --epsilon 0.5,1,2,4 --out plan.html"
        })
public final class PlanCommand implements Verb {
    private static final long SEED = 1;
    private static final int MOST_BUDGETS = 10;

    @Option(names = "--schema", paramLabel = "FILE", description = "what is declared about the records")
    private String schemaFile;

    @Option(names = "--formula", paramLabel = "F", description = "what would be fitted, in R's syntax")
    private String formula;

    @Option(names = "--family", paramLabel = "NAME", description = "of the response, as in fit")
    private String family;

    @Option(names = "--epsilon", paramLabel = "E,E", description = "the budgets to compare; 0.5,1,2,4 if left out")
    private String epsilons = "0.5,1,2,4";

    @Option(
            names = "--delta",
            paramLabel = "D",
            description = "at which they must hold; a tenth of the power of ten below 1 / size if left out")
    private String delta;

    @Option(
            names = "--effect",
            paramLabel = "B",
            description =
                    "the assumed effect of a standard deviation of a column, or of a level against its reference, on"
                            + " the scale of the link (for numbers, in standard deviations of the noise); 0.2 if left out")
    private String effect = "0.2";

    @Option(
            names = "--expected",
            paramLabel = "M",
            description =
                    "the assumed average of the response; 0.2 for two values, the middle of the bounds for a number, a"
                            + " tenth of the bounds for a count, if left out; for survival the share that has the event"
                            + " by the largest time if nobody is censored, 0.5 if left out; for multinomial the share"
                            + " that is not at the reference, all levels being equally frequent if left out")
    private String expected;

    @Option(names = "--level", paramLabel = "P", description = "of the intervals; 0.95 if left out")
    private String level;

    @Option(names = "--tables", paramLabel = "N", description = "how many tables are simulated; 3 if left out")
    private String tables = "3";

    @Option(names = "--out", paramLabel = "HTML", description = "write a page, too")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        if (schemaFile == null) {
            throw CommandFailure.usage("--schema is missing; draft one with tacit schema draft.");
        }
        Schema schema = SchemaFile.read(schemaFile);
        String wanted = formula == null
                ? schema.encoding()
                        .formula()
                        .orElseThrow(() ->
                                CommandFailure.usage("--formula is missing; for example --formula 'died ~ age + sex'."))
                : formula;
        FormulaRequest request = FormulaRequest.of(schema, wanted, family);
        DesignMatrix design = FormulaRequest.design(schema, wanted);
        List<PrivacyBudget> budgets = budgets(schema.size());
        PlanSimulation.Assumed assumed = new PlanSimulation.Assumed(
                positive(effect, "--effect"),
                expected(design.response(), Family.ofModel(request.model()).orElseThrow()),
                ShownAs.level(level),
                Numbers.count(Numbers.parseWhole(tables), 100, "--tables", ExitCode.USAGE));
        if (design.width() < 2) {
            throw CommandFailure.usage("the formula has no term but the intercept, so there is nothing to plan for.");
        }
        PlanSimulation.Result result;
        try (Progress progress = Progress.of("simulating", (budgets.size() + 1L) * assumed.tables())) {
            result = new PlanSimulation(request, assumed).run(budgets, SEED, progress);
        } catch (SettingException e) {
            throw CommandFailure.usage(CommandFailure.sentence(e.getMessage()));
        }
        PlanText text = new PlanText(request, budgets, assumed, result);
        if (out != null) {
            AtomicFile.write(Path.of(out), text.page());
        }
        if (json) {
            console.line(Json.write(text.json()));
        } else {
            text.lines().forEach(console::line);
            if (out != null) {
                new Remark("wrote", out).lines().forEach(console::line);
            }
        }
        return ExitCode.OK;
    }

    private List<PrivacyBudget> budgets(long size) {
        double at = delta == null
                ? Math.pow(10, Math.floor(-Math.log10((double) size)) - 1)
                : Numbers.delta(Numbers.parse(delta), "--delta", ExitCode.USAGE);
        List<PrivacyBudget> budgets = new ArrayList<>();
        for (String each : epsilons.split(",", -1)) {
            budgets.add(new PrivacyBudget(positive(each.strip(), "--epsilon"), at));
        }
        if (budgets.size() > MOST_BUDGETS) {
            throw CommandFailure.usage("--epsilon compares at most " + MOST_BUDGETS + " budgets; give fewer.");
        }
        return budgets;
    }

    private static double positive(String text, String option) {
        double value = Numbers.parse(text);
        if (!(value > 0) || Double.isInfinite(value)) {
            throw CommandFailure.usage(option + " must be a positive number, for example "
                    + (option.equals("--epsilon") ? "0.5,1,2,4" : "0.2") + ".");
        }
        return value;
    }

    private double expected(Response response, Family wanted) {
        boolean share = wanted == Family.PIECEWISE_EXPONENTIAL || wanted == Family.MULTINOMIAL;
        double low = response.lower();
        double high = share ? 1 : response.upper();
        double range = high - low;
        double value = expected == null
                ? switch (wanted) {
                    case BERNOULLI -> 0.2;
                    case PIECEWISE_EXPONENTIAL -> 0.5;
                    case MULTINOMIAL -> 1 - 1.0 / response.classes().size();
                    default -> low + range / (wanted.isMultiplicative() ? 10 : 2);
                }
                : Numbers.parse(expected);
        if (!(value > low && value < high)) {
            throw CommandFailure.usage("--expected must be a number inside the bounds of the response.");
        }
        return value;
    }
}
