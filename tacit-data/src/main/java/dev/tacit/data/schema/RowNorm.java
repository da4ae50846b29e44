package dev.tacit.data.schema;

/** What is done about the L2 norm of an encoded row, the intercept included and the label excluded. */
public sealed interface RowNorm {
    /** Nothing. */
    record None() implements RowNorm {}

    /** Every row is divided by its own norm; a row of zeros stays. */
    record Unit() implements RowNorm {}

    /**
     * Longer rows are shortened.
     *
     * @param bound the largest norm
     */
    record AtMost(double bound) implements RowNorm {
        public AtMost {
            if (!(bound > 0) || Double.isInfinite(bound)) {
                throw new SchemaException("the largest row norm is a positive number");
            }
        }
    }
}
