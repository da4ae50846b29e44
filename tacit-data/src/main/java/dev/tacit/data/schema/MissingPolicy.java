package dev.tacit.data.schema;

import java.util.Objects;

/**
 * What a missing cell becomes: one that is empty, declared as missing, or not what its column's type asks for.
 *
 * <p>Under every policy the result is a function of the one row, so a missing cell costs no privacy.
 */
public sealed interface MissingPolicy {
    /**
     * The row is left out: it contributes nothing, and neither it nor their number is reported. Rows to be predicted or
     * scored are not private, and there it is an error.
     */
    record Refuse() implements MissingPolicy {}

    /** An encoded column of its own that is 1 where the cell is missing; the column's other numbers are then 0. */
    record OwnColumn() implements MissingPolicy {}

    /**
     * As if the cell had held this value.
     *
     * @param value written as in a file
     */
    record Constant(String value) implements MissingPolicy {
        public Constant {
            Objects.requireNonNull(value, "value");
        }
    }
}
