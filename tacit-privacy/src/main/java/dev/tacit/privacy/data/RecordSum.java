package dev.tacit.privacy.data;

/**
 * What one record contributes to a sum, as a function of that record and of public values only.
 *
 * <p>The door asks for the contribution of one record at a time, adds up those of a person, computes the L2 norm itself,
 * clips, rounds and sums; a model neither clips nor sums, and no vector per record is kept. A contribution that is not
 * finite, or that cannot be computed, counts as zero.
 */
public interface RecordSum {
    /** How many numbers a contribution has. */
    int dimension();

    /** A worker for one thread, with its own scratch memory. */
    Worker worker();

    /** A sum whose workers need no scratch memory. */
    static RecordSum of(int dimension, Worker worker) {
        return new RecordSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                return worker;
            }
        };
    }

    /** Computes contributions on one thread. */
    @FunctionalInterface
    interface Worker {
        /**
         * Called before the rows of a block are asked for, to compute something for all of them at once, such as
         * margins. What is computed for a row must depend on that row only.
         */
        default void prepare(RecordBlock block) {}

        /** Adds the contribution of one row. */
        void contribute(RecordBlock block, int row, Contribution contribution);
    }
}
