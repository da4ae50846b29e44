package dev.tacit.cli.help;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.text.Spelling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit help}: what a verb does, on the terminal or as man pages. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Explains a verb, or lists all of them.",
        footer = {"", "Example:", "  tacit help ledger show"})
public final class HelpCommand implements Verb {
    private final Supplier<CommandLine> all;

    @Parameters(paramLabel = "VERB", arity = "0..*", description = "the verb; all are listed if it is left out")
    private List<String> words = new ArrayList<>();

    @Option(names = "--man", paramLabel = "DIR", description = "write a man page for every verb there, for man -l")
    private String folder;

    /** @param all makes the command line with every verb */
    public HelpCommand(Supplier<CommandLine> all) {
        this.all = all;
    }

    @Override
    public ExitCode run(Console console) {
        if (folder != null) {
            if (!words.isEmpty()) {
                throw CommandFailure.usage("--man writes the pages of all verbs; leave out " + words.get(0) + ".");
            }
            write(console);
            return ExitCode.OK;
        }
        CommandLine command = all.get();
        for (String word : words) {
            Map<String, CommandLine> verbs = command.getSubcommands();
            if (!verbs.containsKey(word)) {
                String name = command.getCommandSpec().qualifiedName();
                throw CommandFailure.usage((verbs.isEmpty() ? name + " has no verb \"" : "there is no verb \"") + word
                        + "\"" + Spelling.hint(word, verbs.keySet()) + "; see " + name + " --help.");
            }
            command = verbs.get(word);
        }
        Ansi ansi = console.terminal().colouredOutput() ? Ansi.ON : Ansi.OFF;
        console.line(command.getUsageMessage(ansi).stripTrailing());
        return ExitCode.OK;
    }

    private void write(Console console) {
        Path pages = Path.of(folder);
        try {
            Files.createDirectories(pages);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot create the folder " + folder + "; name one that can be written.", e);
        }
        Map<String, String> texts = ManPage.all(all.get(), Version.text());
        texts.forEach((name, text) -> AtomicFile.write(pages.resolve(name), text));
        console.line("wrote " + texts.size() + " man pages to " + folder + "; man -l "
                + pages.resolve(texts.keySet().iterator().next()) + " shows the first.");
    }
}
