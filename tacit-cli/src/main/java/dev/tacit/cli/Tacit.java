package dev.tacit.cli;

import dev.tacit.cli.help.FirstWords;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.cli.terminal.Terminal;
import dev.tacit.fit.base.FitException;
import dev.tacit.text.Spelling;
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
import picocli.CommandLine.Model.CommandSpec;
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
            "  tacit fit loans.csv --schema loans.schema.yaml --formula 'late ~ age + purpose' --epsilon 1 --delta 1e-6"
                    + " --out fit",
            "  tacit account --noise-multiplier 1.0 --steps 1000 --sampling poisson:0.01 --delta 1e-5",
            "  tacit calibrate --epsilon 1 --delta 1e-5 --steps 1000 --sampling poisson:0.01",
            "",
            "Exit codes: 0 ok, 64 usage, 65 bad data, 66 no input, 69 unreachable, 70 internal, 75 budget exhausted,"
                    + " 78 config."
        })
public final class Tacit {
    public static void main(String[] args) {
        System.exit(run(
                args,
                new Console(
                        System.in,
                        new FileOutputStream(FileDescriptor.out),
                        new FileOutputStream(FileDescriptor.err),
                        Terminal.ofProcess())));
    }

    /** Runs one command line on streams within a program and returns its exit code. */
    static int run(String[] args, InputStream input, OutputStream output, OutputStream errors) {
        return run(args, new Console(input, output, errors));
    }

    /** Runs one command line and returns its exit code. */
    static int run(String[] args, Console console) {
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
        if (args.length == 0) {
            console.text(FirstWords.lines());
            return ExitCode.OK;
        }
        ParseResult leaf = Verbs.calledBy(args).parseArgs(args);
        boolean help = leaf.isUsageHelpRequested();
        boolean version = leaf.isVersionHelpRequested();
        while (leaf.hasSubcommand()) {
            leaf = leaf.subcommand();
            help |= leaf.isUsageHelpRequested();
            version |= leaf.isVersionHelpRequested();
        }
        CommandLine command = leaf.commandSpec().commandLine();
        if (help) { // asked for before a verb or after it: what the verb needs was not looked at
            Ansi ansi = console.terminal().colouredOutput() ? Ansi.ON : Ansi.OFF;
            console.line(command.getUsageMessage(ansi).stripTrailing());
            return ExitCode.OK;
        }
        if (version) {
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
        String name = leaf.commandSpec().qualifiedName();
        List<String> verbs = List.copyOf(leaf.commandSpec().subcommands().keySet());
        String last = verbs.get(verbs.size() - 1);
        String choices =
                verbs.size() == 1 ? last : String.join(", ", verbs.subList(0, verbs.size() - 1)) + " or " + last;
        return "say what " + name + " shall do: " + choices + "; " + name + " --help explains "
                + (verbs.size() == 1 ? "it." : "them.");
    }

    private static ExitCode report(Throwable failure, Console console) {
        if (System.getenv("TACIT_DEBUG") != null) {
            failure.printStackTrace();
        }
        if (failure instanceof CommandFailure known) {
            return say(known, List.of(), known.exitCode(), console);
        }
        if (failure instanceof FitException known) {
            return say(known, known.picture(), ExitCode.of(known.kind()), console);
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

    private static ExitCode say(RuntimeException known, List<String> picture, ExitCode exitCode, Console console) {
        try {
            console.flush(); // answers that were already found are not lost
        } catch (Console.OutputFailure e) {
            known.addSuppressed(e);
        }
        console.complain(known.getMessage());
        picture.forEach(console::point);
        return exitCode;
    }

    /** picocli's finding in our words. */
    private static String sentence(ParameterException wrongUse) {
        CommandLine command = wrongUse.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String help = "; see " + name + " --help.";
        if (wrongUse instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            CommandSpec spec = command.getCommandSpec();
            if (argument.startsWith("-")) {
                return name + " has no option " + argument
                        + Spelling.hint(argument, spec.optionsMap().keySet()) + help;
            }
            return spec.userObject() instanceof Verb
                    ? name + " does not understand \"" + argument + "\"" + help
                    : "there is no verb \"" + argument + "\""
                            + Spelling.hint(argument, spec.subcommands().keySet()) + help;
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
