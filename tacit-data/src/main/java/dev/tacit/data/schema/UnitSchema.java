package dev.tacit.data.schema;

import java.util.Objects;
import java.util.Optional;

/**
 * Who is protected: one record, or a person with several.
 *
 * @param idColumn the column whose equal values are one person; empty if every record is protected by itself
 * @param maxRecords how many records of a person are used; those that come later in the file are not looked at
 */
public record UnitSchema(Optional<String> idColumn, int maxRecords) {
    public UnitSchema {
        Objects.requireNonNull(idColumn, "idColumn");
        if (maxRecords < 1) {
            throw new SchemaException("maxRecords is a whole number, 1 or more");
        }
        if (idColumn.isEmpty() && maxRecords != 1) {
            throw new SchemaException("maxRecords belongs to a unit with a person's column");
        }
    }

    /** Every record is protected by itself. */
    public static UnitSchema record() {
        return new UnitSchema(Optional.empty(), 1);
    }

    /** All records of a person are protected together. */
    public static UnitSchema person(String idColumn, int maxRecords) {
        return new UnitSchema(Optional.of(idColumn), maxRecords);
    }
}
