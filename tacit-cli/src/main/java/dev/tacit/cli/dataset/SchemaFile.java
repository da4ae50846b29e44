package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.InputFile;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import java.io.IOException;
import java.nio.file.Path;

/** The schema that a command line names. */
public final class SchemaFile {
    private SchemaFile() {}

    /** Reads a schema, or says in one sentence what is wrong with it. */
    public static Schema read(String file) {
        Path path = InputFile.existing(file);
        try {
            return SchemaYaml.read(path);
        } catch (SchemaException e) {
            throw new CommandFailure(ExitCode.CONFIG, CommandFailure.sentence(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, "cannot read " + file + "; check who may read it.", e);
        }
    }
}
