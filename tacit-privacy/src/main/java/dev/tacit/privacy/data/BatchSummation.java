package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.sampling.BatchIndices;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

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

    /** Rows handed to a worker at once when units are picked out or grouped. */
    private static final int CHUNK = 256;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tacit-release");
        thread.setDaemon(true);
        return thread;
    });

    private final RecordSource records;
    private final PrivacyUnit unit;
    private final long publicSize;
    private final int threads;
    private final NoiseSource noise;

    BatchSummation(RecordSource records, PrivacyUnit unit, long publicSize, int threads, NoiseSource noise) {
        this.records = records;
        this.unit = unit;
        this.publicSize = publicSize;
        this.threads = threads;
        this.noise = noise;
    }

    PrivacyUnit unit() {
        return unit;
    }

    long publicSize() {
        return publicSize;
    }

    /** The sums of one batch, in units of the grid. */
    long[] sum(RecordSum query, SumGrid grid, SamplingScheme sampling, long release) {
        NoiseSource batch = noise.fork(release).fork(1);
        long units = records.units();
        BatchIndices whole = sampling instanceof FixedSizeSampling ? sampling.draw(units, batch) : null;
        long tasks = (units + TASK_UNITS - 1) / TASK_UNITS;
        AtomicLong next = new AtomicLong();
        int workers = (int) Math.max(1, Math.min(threads, tasks));
        List<Future<long[]>> others = new ArrayList<>();
        for (int i = 1; i < workers; i++) {
            others.add(THREADS.submit(() -> work(query, grid, sampling, batch, whole, units, next)));
        }
        long[] sums = work(query, grid, sampling, batch, whole, units, next);
        for (Future<long[]> other : others) {
            long[] more = join(other);
            for (int index = 0; index < sums.length; index++) {
                sums[index] += more[index];
            }
        }
        return sums;
    }

    /** One thread's share; the numbers of units in a task or chunk are private and stay inside. */
    private long[] work(
            RecordSum query,
            SumGrid grid,
            SamplingScheme sampling,
            NoiseSource batch,
            BatchIndices whole,
            long units,
            AtomicLong next) {
        UnitReader reader = new UnitReader(records, unit.maxRecords(), query.worker(), grid);
        long[] chunk = new long[CHUNK];
        if (whole != null) {
            for (int count = draw(whole, chunk); count > 0; count = draw(whole, chunk)) {
                reader.addUnits(chunk, count, 0);
            }
            return reader.sums();
        }
        for (long task = next.getAndIncrement(); task * TASK_UNITS < units; task = next.getAndIncrement()) {
            long first = task * TASK_UNITS;
            long size = Math.min(TASK_UNITS, units - first);
            if (sampling instanceof SamplingScheme.FullPass) {
                reader.addAll(first, size);
                continue;
            }
            BatchIndices indices = sampling.draw(size, batch.fork(task));
            for (int count = indices.next(chunk); count > 0; count = indices.next(chunk)) {
                reader.addUnits(chunk, count, first);
            }
        }
        return reader.sums();
    }

    private static int draw(BatchIndices indices, long[] chunk) {
        synchronized (indices) {
            return indices.next(chunk);
        }
    }

    private static long[] join(Future<long[]> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a release could not be computed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("a release was interrupted before its noise was drawn", e);
        }
    }
}
