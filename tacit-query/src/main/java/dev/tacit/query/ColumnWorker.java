package dev.tacit.query;

import dev.tacit.door.record.RecordBlock;

/**
 * A worker that can also say what many rows contribute at once, each number for all rows before the next number: loops over rows
 * are long, and a processor takes several rows in one step.
 *
 * <p>Every number that is written for a row must depend on that row only, to the last bit, as in {@link #prepare}. {@link #contribute}
 * is still asked for rows of extreme size, for persons, and where a sum has many numbers.
 */
public interface ColumnWorker extends ContributionSum.Worker {
    /** Whether it wants to be asked so; it is known before any record is seen. */
    default boolean writesColumns() {
        return true;
    }

    /**
     * Writes the squared norm of what each row of the prepared block contributes, right to 2^−26 of it. A wrong one costs the row its
     * place in the sum, and is no danger to anybody: the door has its own check.
     */
    void squaredNorms(RecordBlock block, double[] target);

    /** Writes {@code factors[r]} times number j of what row r contributes to {@code columns[j][r]}, all of them. */
    void write(RecordBlock block, double[] factors, double[][] columns);
}
