package dev.tacit.partitioned.shard;

import dev.tacit.door.record.RecordBlock;
import java.io.Serializable;

/**
 * What one shard contributes to a sum, as a function of the shard's rows and of public values only.
 *
 * <p>The door computes the L2 norm, clips, rounds and sums. A contribution that is not finite, or that cannot be
 * computed, counts as zero. Workers may draw random numbers, as long as those do not depend on other shards.
 */
public interface ShardSum extends Serializable {
    /** How many numbers a contribution has. */
    int dimension();

    /** A worker for one thread, with its own scratch memory. */
    Worker worker();

    /** A sum whose workers need no scratch memory. */
    static ShardSum of(int dimension, SharedWorker worker) {
        return new Shared(dimension, worker);
    }

    /** A worker without scratch memory, which all threads share. */
    @FunctionalInterface
    interface SharedWorker extends Worker, Serializable {}

    /** A query that is its worker. */
    record Shared(int dimension, SharedWorker worker) implements ShardSum {}

    /** Computes contributions on one thread. */
    @FunctionalInterface
    interface Worker {
        /**
         * Writes the contribution of one shard.
         *
         * @param shard all its rows, a person's next to each other; there may be none
         * @param contribution zeros, to be written over
         */
        void contribute(RecordBlock shard, double[] contribution);
    }
}
