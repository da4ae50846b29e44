package dev.tacit.cli;

import dev.tacit.data.prepare.Documents;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.door.record.RecordBlock;
import java.util.List;

/** Reads records that somebody wants predicted, described or scored. */
final class TestTables {
    private TestTables() {}

    static List<RecordBlock> read(String file, Schema schema, boolean needTarget) {
        try {
            if (schema.corpus().isPresent()) {
                return Documents.publicRows(file, schema.corpus().get());
            }
            return EncodedTable.read(file, schema, needTarget).blocks();
        } catch (NoInputException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, CommandFailure.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, CommandFailure.sentence(e.getMessage()), e);
        }
    }
}
