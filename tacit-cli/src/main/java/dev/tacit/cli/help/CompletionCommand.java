package dev.tacit.cli.help;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tacit completion}: a script that lets the shell complete verbs, options and public names. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Prints a script that completes verbs, options, models and other names in bash.",
        footer = {
            "",
            "Example:",
            "  source <(tacit completion bash)",
            "  tacit completion bash > ~/.local/share/bash-completion/completions/tacit"
        })
public final class CompletionCommand implements Verb {
    private static final String BASH = "bash";
    private static final String FILES_AS_WORDS = "positionals=$( compgen -f -- \"${curr_word}\" ) # files";
    private static final String FILES_AS_THEY_ARE =
            "COMPREPLY=( $( compgen -f -- \"${curr_word}\" ) ) # files\n      return $?";

    private final Supplier<CommandLine> all;

    @Parameters(paramLabel = "SHELL", description = "bash")
    private String shell;

    /** @param all makes the command line with every verb */
    public CompletionCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public ExitCode run(Console console) {
        if (!shell.equals(BASH)) {
            throw CommandFailure.usage(
                    "there is a completion script for bash only; zsh can read it after bashcompinit.");
        }
        CommandLine command = all.get();
        PublicNames.describe(command);
        console.line(withPlainFileNames(AutoComplete.bash(command.getCommandName(), command))
                .stripTrailing());
        return ExitCode.OK;
    }

    /** Hands names of files on as they are: as words of {@code compgen -W}, bash would run what stands in {@code $(...)} in one. */
    private static String withPlainFileNames(String script) {
        return script.replace(FILES_AS_WORDS, FILES_AS_THEY_ARE);
    }
}
