package dev.tacit.door.unit;

import java.util.Objects;

/**
 * Who is protected: one record, or a person whose records carry the same identifier.
 *
 * @param name how people call the unit, for the privacy statement
 * @param maxRecords how many records one unit may contribute
 * @param neighbours which data sets must be hard to tell apart
 */
public record PrivacyUnit(String name, int maxRecords, Neighbours neighbours) {
    public PrivacyUnit {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(neighbours, "neighbours");
        if (maxRecords < 1) {
            throw new IllegalArgumentException("a privacy unit contributes at least one record");
        }
    }

    /** The unit of most papers: a single record. */
    public static PrivacyUnit record(Neighbours neighbours) {
        return new PrivacyUnit("record", 1, neighbours);
    }
}
