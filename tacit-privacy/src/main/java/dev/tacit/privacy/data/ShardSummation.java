package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.sampling.BatchIndices;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.sampling.SamplingScheme.FullPass;
import java.util.Arrays;
import java.util.function.Supplier;

/** Draws shards and adds up their clipped contributions in integers; one shard is in memory for each thread. */
final class ShardSummation {
    private static final int CHUNK_ROWS = 256;

    private final RecordSource records;
    private final int maxRecords;
    private final int threads;
    private final int[] units;
    private final int[] starts;

    ShardSummation(RecordSource records, int maxRecords, int threads, int[] units, int[] starts) {
        this.records = records;
        this.maxRecords = maxRecords;
        this.threads = threads;
        this.units = units;
        this.starts = starts;
    }

    /** The sums over a batch of shards, in units of the grid. */
    long[] sum(ShardSum query, SumGrid grid, SamplingScheme sampling, Supplier<NoiseSource> batch) {
        int shards = starts.length - 1;
        BatchIndices drawn = sampling instanceof FullPass ? null : sampling.draw(shards, batch.get());
        ShardQueue queue = new ShardQueue(shards, drawn);
        return SumThreads.sum(Math.min(threads, shards), () -> share(query, grid, queue));
    }

    /** Hands out shards to threads. */
    private static final class ShardQueue {
        private final int shards;
        private final BatchIndices drawn;
        private final long[] one = new long[1];
        private int next;

        ShardQueue(int shards, BatchIndices drawn) {
            this.shards = shards;
            this.drawn = drawn;
        }

        /** The next shard, or −1. */
        synchronized int next() {
            if (drawn == null) {
                return next < shards ? next++ : -1;
            }
            return drawn.next(one) > 0 ? (int) one[0] : -1;
        }
    }

    private long[] share(ShardSum query, SumGrid grid, ShardQueue queue) {
        RecordSource.Reader reader = records.reader();
        ShardRows rows = new ShardRows(records.columns(), records.labelled());
        BlockBuffer buffer = new BlockBuffer();
        long[] sums = new long[grid.dimension()];
        double[] contribution = new double[grid.dimension()];
        ContributionVector vector = new ContributionVector(grid.dimension());
        ShardSum.Worker worker = query.worker();
        for (int shard = queue.next(); shard >= 0; shard = queue.next()) {
            rows.clear();
            collect(shard, reader, buffer, rows);
            RecordBlock block = rows.block();
            Arrays.fill(contribution, 0);
            try {
                worker.contribute(block, contribution);
            } catch (Throwable thrown) {
                worker = query.worker();
                continue;
            }
            for (int index = 0; index < contribution.length; index++) {
                vector.add(index, contribution[index]);
            }
            vector.addTo(sums, grid);
            vector.clear();
        }
        return sums;
    }

    /** Reads the rows of a shard's units; those of a person beyond {@code maxRecords} are left out. */
    private void collect(int shard, RecordSource.Reader reader, BlockBuffer buffer, ShardRows target) {
        int blockRows = records.blockRows();
        int[] waiting = new int[CHUNK_ROWS];
        int count = 0;
        long waitingBlock = -1;
        for (int i = starts[shard]; i < starts[shard + 1]; i++) {
            long row = records.firstRow(units[i]);
            long end = Math.min(records.firstRow(units[i] + 1L), row + maxRecords);
            for (; row < end; row++) {
                long block = row / blockRows;
                if (count > 0 && (count == CHUNK_ROWS || block != waitingBlock)) {
                    target.add(reader.rows(waitingBlock, waiting, count, buffer));
                    count = 0;
                }
                waitingBlock = block;
                waiting[count] = (int) (row - block * blockRows);
                count++;
            }
        }
        if (count > 0) {
            target.add(reader.rows(waitingBlock, waiting, count, buffer));
        }
    }
}
