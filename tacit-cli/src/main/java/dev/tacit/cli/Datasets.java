package dev.tacit.cli;

import dev.tacit.data.catalogue.DataFolder;
import dev.tacit.data.catalogue.DatasetException;
import java.nio.file.Path;

/** What the verbs about data sets share. */
final class Datasets {
    private Datasets() {}

    /** Where raw files are. */
    static Path folder(String named) {
        try {
            return DataFolder.choose(named == null ? null : Path.of(named), System.getenv());
        } catch (DatasetException e) {
            throw failure(e);
        }
    }

    static CommandFailure failure(DatasetException e) {
        ExitCode code = switch (e.kind()) {
            case UNKNOWN_NAME -> ExitCode.USAGE;
            case NO_INPUT -> ExitCode.NO_INPUT;
            case BAD_DATA -> ExitCode.BAD_DATA;
            case NO_OUTPUT -> ExitCode.CONFIG;
        };
        return new CommandFailure(code, CommandFailure.sentence(e.getMessage()), e);
    }
}
