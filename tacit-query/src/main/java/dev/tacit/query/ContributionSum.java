package dev.tacit.query;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.Summand;
import java.io.Serializable;

/**
 * A query whose workers say what one record contributes, number by number or by multiples of the record; adding up the records
 * of a person, norms and clips are the business of {@link Contribution}.
 *
 * <p>What the guarantee rests on is said at {@link Summand}. {@link Rows#dot} does not depend on neighbouring rows;
 * matrix products of native libraries do not promise that, because they treat rows at the end of a block differently, and
 * neither does a worker that starts from what it computed for the row before.
 */
public interface ContributionSum extends RecordSum {
    /** A worker for one thread, with its own scratch memory. */
    Worker worker();

    @Override
    default Summand summand(SumGrid grid) {
        return new ContributionSummand(worker(), grid);
    }

    /** A sum whose workers need no scratch memory. */
    static ContributionSum of(int dimension, SharedWorker worker) {
        return new Shared(dimension, worker);
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

    /** A worker without scratch memory, which all threads share. */
    @FunctionalInterface
    interface SharedWorker extends Worker, Serializable {}

    /** A query that is its worker. */
    record Shared(int dimension, SharedWorker worker) implements ContributionSum {}
}
