package dev.tacit.privacy.data;

/**
 * What one record contributes to a sum, as a function of that record and of public values only.
 *
 * <p>The door asks for the contribution of one record at a time, adds up those of a person, computes the L2 norm itself,
 * clips, rounds and sums; a model neither clips nor sums, and no vector per record is kept. A contribution that is not
 * finite, or that cannot be computed, counts as zero; a query that cannot cope with a record of zeros is refused, because
 * it would not cope with any.
 *
 * <p><b>What the guarantee rests on.</b> The contribution of a row is the same, bit by bit, whatever other rows stand
 * beside it in its block, were seen before it, or made the worker throw. Sums of such contributions differ between
 * neighbours in one unit; if others moved by a last bit they would not. {@link RecordBlock#dot} has this property; matrix
 * products of native libraries do not promise it, because they treat rows at the end of a block differently, and neither
 * does a worker that starts from what it computed for the row before. {@code RecordSumConformance} in the testkit
 * looks for such dependence.
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

    /** Computes contributions on one thread, in time and memory that no record's content can blow up. */
    @FunctionalInterface
    interface Worker {
        /**
         * Called before the rows of a block are asked for, to compute something for all of them at once, such as
         * margins. What is computed for a row must depend on that row only, to the last bit.
         */
        default void prepare(RecordBlock block) {}

        /** Adds the contribution of one row. */
        void contribute(RecordBlock block, int row, Contribution contribution);
    }
}
