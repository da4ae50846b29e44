package dev.tacit.fit.run;

import dev.tacit.data.prepare.Documents;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.base.FitException;
import java.util.List;

/** Reads records that somebody wants predicted, described or scored. */
public final class TestTables {
    private TestTables() {}

    public static List<RecordBlock> read(String file, Schema schema, boolean needTarget) {
        try {
            if (schema.corpus().isPresent()) {
                return Documents.publicRows(file, schema.corpus().get());
            }
            return EncodedTable.read(file, schema, needTarget).blocks();
        } catch (NoInputException e) {
            throw new FitException(FitException.Kind.MISSING_INPUT, FitException.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new FitException(FitException.Kind.BAD_DATA, FitException.sentence(e.getMessage()), e);
        }
    }
}
