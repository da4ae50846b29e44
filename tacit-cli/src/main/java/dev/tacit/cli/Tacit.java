package dev.tacit.cli;

import dev.tacit.cli.account.AccountCommand;
import dev.tacit.cli.account.CalibrateCommand;
import dev.tacit.cli.audit.AuditCommand;
import dev.tacit.cli.dataset.DatasetsCommand;
import dev.tacit.cli.dataset.SchemaCommand;
import dev.tacit.cli.ledger.LedgerCommand;
import dev.tacit.cli.plan.PlanCommand;
import dev.tacit.cli.reproduce.ReproduceCommand;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.cli.verb.CompareCommand;
import dev.tacit.cli.verb.DemoCommand;
import dev.tacit.cli.verb.DiagnoseCommand;
import dev.tacit.cli.verb.FitCommand;
import dev.tacit.cli.verb.PredictCommand;
import dev.tacit.cli.verb.RefitCommand;
import dev.tacit.cli.verb.ReportCommand;
import dev.tacit.cli.verb.ScoreCommand;
import dev.tacit.cli.verb.SummaryCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code tacit} command: finds the verb, runs it, and turns everything that can go wrong into one sentence and an
 * exit code.
 */
@Command(
        name = "tacit",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = "Bayesian inference on data about people, with a privacy guarantee that you can read, check and"
                + " add up.",
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Examples:",
            "  tacit demo",
            "  tacit fit loans.csv --schema loans.schema.yaml --model logistic-regression --epsilon 1 --delta 1e-5"
                    + " --out fit",
            "  tacit account --noise-multiplier 1.0 --steps 1000 --sampling poisson:0.01 --delta 1e-5",
            "  tacit calibrate --epsilon 1 --delta 1e-5 --steps 1000 --sampling poisson:0.01",
            "",
            "Exit codes: 0 ok, 64 usage, 65 bad data, 66 no input, 70 internal, 75 budget exhausted, 78 config."
        })
public final class Tacit {
    private static final List<String> VERBS = List.of(
            "demo",
            "fit",
            "summary",
            "compare",
            "refit",
            "plan",
            "predict",
            "score",
            "report",
            "diagnose",
            "audit",
            "schema",
            "datasets",
            "reproduce",
            "account",
            "calibrate",
            "ledger");

    public static void main(String[] args) {
        System.exit(run(
                args, System.in, new FileOutputStream(FileDescriptor.out), new FileOutputStream(FileDescriptor.err)));
    }

    /** Runs one command line on the given streams and returns its exit code. */
    static int run(String[] args, InputStream input, OutputStream output, OutputStream errors) {
        Console console = new Console(input, output, errors);
        ExitCode exitCode;
        try {
            exitCode = perform(args, console);
            console.flush();
        } catch (Throwable failure) { // the outermost frame: nothing may reach the user as a stack trace
            exitCode = report(failure, console);
        }
        return exitCode.code();
    }

    private static ExitCode perform(String[] args, Console console) throws Exception {
        ParseResult leaf = commandLine(args).parseArgs(args);
        while (leaf.hasSubcommand()) {
            leaf = leaf.subcommand();
        }
        CommandLine command = leaf.commandSpec().commandLine();
        if (leaf.isUsageHelpRequested()) {
            console.line(command.getUsageMessage(Ansi.OFF).stripTrailing());
            return ExitCode.OK;
        }
        if (leaf.isVersionHelpRequested()) {
            console.line(Version.text());
            return ExitCode.OK;
        }
        if (leaf.commandSpec().userObject() instanceof Verb verb) {
            return verb.run(console);
        }
        throw CommandFailure.usage(unfinished(leaf));
    }

    /** A command line that stops before it says what to do. */
    private static String unfinished(ParseResult leaf) {
        Object command = leaf.commandSpec().userObject();
        if (command instanceof LedgerCommand) {
            return "say what to do with the ledger: show, list or verify; tacit ledger --help explains them.";
        }
        if (command instanceof SchemaCommand) {
            return "say what to do about the schema: draft; tacit schema --help explains it.";
        }
        if (command instanceof DatasetsCommand) {
            return "say what to do with data sets: list, prepare or path; tacit datasets --help explains them.";
        }
        return "say what to do, for example demo, fit or account; tacit --help explains all verbs.";
    }

    /** The verb that is called, or all of them; setting up a verb takes longer than most answers. */
    private static CommandLine commandLine(String[] args) {
        CommandLine root = new CommandLine(new Tacit());
        boolean known = args.length > 0 && VERBS.contains(args[0]);
        for (String verb : known ? List.of(args[0]) : VERBS) {
            root.addSubcommand(verb(verb));
        }
        return root;
    }

    private static Object verb(String name) {
        return switch (name) {
            case "demo" -> new DemoCommand();
            case "fit" -> new FitCommand();
            case "summary" -> new SummaryCommand();
            case "plan" -> new PlanCommand();
            case "refit" -> new RefitCommand();
            case "compare" -> new CompareCommand();
            case "predict" -> new PredictCommand();
            case "score" -> new ScoreCommand();
            case "report" -> new ReportCommand();
            case "diagnose" -> new DiagnoseCommand();
            case "audit" -> new AuditCommand();
            case "schema" -> new SchemaCommand();
            case "datasets" -> new DatasetsCommand();
            case "reproduce" -> new ReproduceCommand();
            case "account" -> new AccountCommand();
            case "calibrate" -> new CalibrateCommand();
            default -> new LedgerCommand();
        };
    }

    private static ExitCode report(Throwable failure, Console console) {
        if (System.getenv("TACIT_DEBUG") != null) {
            failure.printStackTrace();
        }
        if (failure instanceof CommandFailure known) {
            try {
                console.flush(); // answers that were already found are not lost
            } catch (Console.OutputFailure e) {
                known.addSuppressed(e);
            }
            console.complain(known.getMessage());
            known.picture().forEach(console::point);
            return known.exitCode();
        }
        if (failure instanceof ParameterException wrongUse) {
            console.complain(sentence(wrongUse));
            return ExitCode.USAGE;
        }
        if (failure instanceof Console.OutputFailure output) {
            if (output.readerWentAway()) {
                return ExitCode.OUTPUT_CLOSED;
            }
            console.complain("cannot write to standard output, so what it holds is not complete; check that it is open"
                    + " and that the disk has room.");
            return ExitCode.CONFIG;
        }
        if (failure instanceof InvalidPathException) {
            console.complain("there can be no file or folder of a name that was given; check the spelling.");
            return ExitCode.USAGE;
        }
        if (failure instanceof OutOfMemoryError) {
            console.complain("ran out of memory; give it more with TACIT_JAVA_OPTIONS=-Xmx8g.");
            return ExitCode.INTERNAL;
        }
        console.complain("internal error (" + failure.getClass().getSimpleName()
                + "); please report it together with what TACIT_DEBUG=1 prints for the same command.");
        return ExitCode.INTERNAL;
    }

    /** picocli's finding in our words. */
    private static String sentence(ParameterException wrongUse) {
        CommandLine command = wrongUse.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String help = "; see " + name + " --help.";
        if (wrongUse instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            List<String> suggestions = unmatched.getSuggestions();
            String hint = suggestions.isEmpty()
                    ? ""
                    : " (did you mean " + suggestions.get(0).strip() + "?)";
            if (argument.startsWith("-")) {
                return name + " has no option " + argument + hint + help;
            }
            return command.getCommandSpec().userObject() instanceof Verb
                    ? name + " does not understand \"" + argument + "\"" + help
                    : "there is no verb \"" + argument + "\"" + hint + help;
        }
        if (wrongUse instanceof MissingParameterException missing
                && !missing.getMissing().isEmpty()) {
            CommandLine.Model.ArgSpec argument = missing.getMissing().get(0);
            return argument.isOption()
                    ? ((CommandLine.Model.OptionSpec) argument).longestName() + " needs a value" + help
                    : name + " needs " + argument.paramLabel() + help;
        }
        if (wrongUse instanceof OverwrittenOptionException twice) {
            CommandLine.Model.OptionSpec option = (CommandLine.Model.OptionSpec) twice.getOverwritten();
            return option.longestName() + " is given twice; give it once.";
        }
        return "cannot read these arguments" + help;
    }
}
