package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.sampling.BatchIndices;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.privacy.sampling.SamplingScheme.FullPass;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Draws a batch and adds up its clipped contributions in integers: the part of a release before the noise.
 *
 * <p>Units are cut into tasks of fixed size, each with its own fork of the noise, and sums of integers do not depend on
 * their order; so the result is the same for any number of threads. Each thread has one vector of sums and one
 * {@link Contribution}: memory grows with threads times dimension, not with the batch.
 */
final class BatchSummation {
    /** Units whose batch membership is drawn by one task. */
    static final int TASK_UNITS = 1 << 13;

    /** The fewest units of a full pass that a thread takes at once: few, so that none waits long for the last one. */
    private static final int FEWEST_UNITS = 1 << 10;

    /** Units picked out at once. */
    private static final int CHUNK = 256;

    private final RecordSource records;
    private final int maxRecords;
    private final int threads;

    BatchSummation(RecordSource records, int maxRecords, int threads) {
        this.records = records;
        this.maxRecords = maxRecords;
        this.threads = threads;
    }

    /** The sums of one batch, in units of the grid; {@code batch} is drawn from if the sampling is random. */
    long[] sum(RecordSum query, SumGrid grid, SamplingScheme sampling, Supplier<NoiseSource> batch) {
        long units = records.units();
        if (sampling instanceof FixedSizeSampling fixed) {
            // Places are drawn, also empty ones: a unit that its reader left out must not show.
            BatchIndices places = fixed.draw(fixed.population(), batch.get());
            return SumThreads.sum(threads, () -> fixedSize(query, grid, places, units));
        }
        AtomicLong next = new AtomicLong();
        if (sampling instanceof FullPass) {
            return SumThreads.sum(useful(units, FEWEST_UNITS), () -> fullPass(query, grid, units, next));
        }
        NoiseSource source = batch.get();
        return SumThreads.sum(useful(units, TASK_UNITS), () -> independent(query, grid, sampling, source, units, next));
    }

    private int useful(long units, int taskUnits) {
        return (int) Math.max(1, Math.min(threads, (units + taskUnits - 1) / taskUnits));
    }

    private long[] fullPass(RecordSum query, SumGrid grid, long units, AtomicLong next) {
        UnitReader reader = new UnitReader(records, maxRecords, query, grid);
        for (long first = next.get(); first < units; first = next.get()) {
            long size = share(units - first);
            if (next.compareAndSet(first, first + size)) {
                reader.addAll(first, size);
            }
        }
        return reader.sums();
    }

    /** Large shares first, which read whole blocks, and small ones at the end. */
    private long share(long left) {
        long fair = left / (4L * threads) / FEWEST_UNITS * FEWEST_UNITS;
        return Math.min(left, Math.max(FEWEST_UNITS, Math.min(TASK_UNITS, fair)));
    }

    private long[] independent(
            RecordSum query, SumGrid grid, SamplingScheme sampling, NoiseSource batch, long units, AtomicLong next) {
        UnitReader reader = new UnitReader(records, maxRecords, query, grid);
        long[] chunk = new long[CHUNK];
        for (long first = next.getAndAdd(TASK_UNITS); first < units; first = next.getAndAdd(TASK_UNITS)) {
            long size = Math.min(TASK_UNITS, units - first);
            BatchIndices indices = sampling.draw(size, batch.fork(first / TASK_UNITS));
            for (int count = indices.next(chunk); count > 0; count = indices.next(chunk)) {
                reader.addUnits(chunk, count, first);
            }
        }
        return reader.sums();
    }

    private long[] fixedSize(RecordSum query, SumGrid grid, BatchIndices places, long units) {
        UnitReader reader = new UnitReader(records, maxRecords, query, grid);
        long[] chunk = new long[CHUNK];
        for (int count = next(places, chunk); count > 0; count = next(places, chunk)) {
            int taken = count;
            while (taken > 0 && chunk[taken - 1] >= units) {
                taken--;
            }
            reader.addUnits(chunk, taken, 0);
        }
        return reader.sums();
    }

    private static int next(BatchIndices indices, long[] chunk) {
        synchronized (indices) {
            return indices.next(chunk);
        }
    }
}
