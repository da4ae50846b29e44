package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.table.SchemaDraft;
import dev.tacit.fit.base.AtomicFile;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit schema draft}: column names and types, and nothing that would reveal a value. */
@Command(
        name = "draft",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description =
                "Drafts a schema from a table's column names and types; bounds, categories and size are left for you"
                        + " to declare, because reading them from the data would reveal someone's value.")
final class SchemaDraftCommand implements Verb {
    @Parameters(paramLabel = "FILE", description = "the table")
    private String file;

    @Option(names = "--out", paramLabel = "YAML", description = "write here instead of to standard output")
    private String out;

    @Override
    public ExitCode run(Console console) {
        String draft;
        try {
            draft = SchemaDraft.draft(file);
        } catch (NoInputException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, CommandFailure.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, CommandFailure.sentence(e.getMessage()), e);
        }
        if (out == null) {
            console.line(draft.stripTrailing());
        } else {
            AtomicFile.write(Path.of(out), draft);
            console.line("wrote " + out + "; replace every REQUIRED by what you declare.");
        }
        return ExitCode.OK;
    }
}
