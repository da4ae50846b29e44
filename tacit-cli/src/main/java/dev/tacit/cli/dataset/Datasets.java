package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.data.catalogue.entry.DataFolder;
import dev.tacit.data.catalogue.entry.DatasetException;
import java.nio.file.Path;

/** What the verbs about data sets share. */
public final class Datasets {
    private Datasets() {}

    /** Where raw files are. */
    public static Path folder(String named) {
        try {
            return DataFolder.choose(named == null ? null : Path.of(named), System.getenv());
        } catch (DatasetException e) {
            throw failure(e);
        }
    }

    public static CommandFailure failure(DatasetException e) {
        ExitCode code = switch (e.kind()) {
            case UNKNOWN_NAME -> ExitCode.USAGE;
            case NO_INPUT -> ExitCode.NO_INPUT;
            case BAD_DATA -> ExitCode.BAD_DATA;
            case NO_OUTPUT -> ExitCode.CONFIG;
        };
        return new CommandFailure(code, CommandFailure.sentence(e.getMessage()), e);
    }
}
