package dev.tacit.partitioned.shard;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sum.UnitSum;
import dev.tacit.engine.SumThreads;
import dev.tacit.query.ContributionVector;
import java.util.Arrays;
import java.util.function.IntFunction;

/** Draws shards and adds up their clipped contributions in integers; one shard is in memory for each thread. */
final class ShardSummation {
    private static final int CHUNK_ROWS = 256;

    private final RecordSource records;
    private final int maxRecords;
    private final int threads;
    private final PartyShards.ShardUnits members;

    ShardSummation(RecordSource records, int maxRecords, int threads, PartyShards.ShardUnits members) {
        this.records = records;
        this.maxRecords = maxRecords;
        this.threads = threads;
        this.members = members;
    }

    /** The sums over a batch of shards, in units of the grid. */
    long[] sum(ShardSum query, SumGrid grid, SamplingScheme sampling, BatchKey batch) {
        int shards = members.starts().length - 1;
        BatchIndices drawn = sampling instanceof FullPass ? null : sampling.draw(shards, batch.stretch(0));
        return sum(new ShardQueue(0, shards, drawn), shards, grid, shard -> new Place(query, 0));
    }

    /**
     * The sums over the shards of some parties, in units of the grid.
     *
     * @param first of the parties
     * @param end the party behind the last one
     * @param shards of a party
     */
    long[] sum(PartyShardSum query, int first, int end, int shards, SumGrid grid) {
        return sum(new ShardQueue(first * shards, end * shards, null), (end - first) * shards, grid, shard -> {
            int block = query.block(shard / shards);
            return new Place(query.queries().get(block), block * query.blockSize());
        });
    }

    private long[] sum(ShardQueue queue, int shards, SumGrid grid, IntFunction<Place> places) {
        return SumThreads.sum(Math.min(threads, shards), () -> share(places, grid, queue));
    }

    /** What a shard is asked, and where its answer begins. */
    private record Place(ShardSum query, int offset) {}

    /** Hands out shards to threads. */
    private static final class ShardQueue {
        private final int end;
        private final BatchIndices drawn;
        private final long[] one = new long[1];
        private int next;

        ShardQueue(int first, int end, BatchIndices drawn) {
            this.next = first;
            this.end = end;
            this.drawn = drawn;
        }

        /** The next shard, or −1. */
        synchronized int next() {
            if (drawn == null) {
                return next < end ? next++ : -1;
            }
            return drawn.next(one) > 0 ? (int) one[0] : -1;
        }
    }

    private long[] share(IntFunction<Place> places, SumGrid grid, ShardQueue queue) {
        RecordSource.Reader reader = records.reader();
        ShardRows rows = new ShardRows(records.columns(), records.labelled());
        UnitSum.Owner sum = new UnitSum.Owner(grid);
        double[] contribution = {};
        ContributionVector vector = new ContributionVector(grid.dimension());
        ShardSum query = null;
        ShardSum.Worker worker = null;
        for (int shard = queue.next(); shard >= 0; shard = queue.next()) {
            Place place = places.apply(shard);
            if (query != place.query()) {
                query = place.query();
                worker = query.worker();
                contribution = new double[query.dimension()];
            }
            rows.clear();
            collect(shard, reader, rows);
            RecordBlock block = rows.block();
            Arrays.fill(contribution, 0);
            try {
                worker.contribute(block, contribution);
            } catch (Throwable thrown) {
                worker = query.worker();
                continue;
            }
            for (int index = 0; index < contribution.length; index++) {
                vector.add(place.offset() + index, contribution[index]);
            }
            sum.open(1);
            vector.addTo(sum.units(), 0, grid);
            vector.clear();
        }
        return sum.sums();
    }

    /** Reads the rows of a shard's units; those of a person beyond {@code maxRecords} are left out. */
    private void collect(int shard, RecordSource.Reader reader, ShardRows target) {
        int blockRows = records.blockRows();
        int[] waiting = new int[CHUNK_ROWS];
        int count = 0;
        long waitingBlock = -1;
        for (int i = members.starts()[shard]; i < members.starts()[shard + 1]; i++) {
            int unit = members.units()[i];
            long row = records.firstRow(unit);
            long end = Math.min(records.firstRow(unit + 1L), row + maxRecords);
            for (; row < end; row++) {
                long block = row / blockRows;
                if (count > 0 && (count == CHUNK_ROWS || block != waitingBlock)) {
                    target.add(reader.rows(waitingBlock, waiting, count));
                    count = 0;
                }
                waitingBlock = block;
                waiting[count] = (int) (row - block * blockRows);
                count++;
            }
        }
        if (count > 0) {
            target.add(reader.rows(waitingBlock, waiting, count));
        }
    }
}
