package dev.tacit.audit;

import dev.tacit.audit.reader.ReaderCheck;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.session.PrivateDataset;
import java.nio.file.Path;
import java.util.function.BiFunction;

/**
 * The format in which records reach the door.
 *
 * @param name of the file that was fitted, whose ending says which format it has; it is not opened
 * @param schema how it is read
 * @param tables how many files of odd records are tried
 * @param reader what reads them
 */
public record AuditedFile(String name, Schema schema, int tables, BiFunction<Path, Schema, PrivateDataset> reader) {
    /** The reader of every fit. */
    public static AuditedFile of(String name, Schema schema, int tables) {
        return new AuditedFile(name, schema, tables, ReaderCheck::standardReader);
    }
}
