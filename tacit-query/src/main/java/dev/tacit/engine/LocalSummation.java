package dev.tacit.engine;

import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds up records on this machine: threads take stretches of units and run {@link PartSums} over them.
 *
 * <p>Integers do not mind their order, so the result is the same for any number of threads. Each thread has one vector of sums:
 * memory grows with threads times dimension, not with the batch.
 */
public final class LocalSummation implements Summation {
    /** The fewest units of a full pass that a thread takes at once: few, so that none waits long for the last one. */
    private static final int FEWEST_UNITS = 1 << 10;

    /** Places of a batch of fixed size that a thread takes at once. */
    private static final int CHUNK = 256;

    private final RecordSource records;
    private final int threads;

    /**
     * @param records the encoded rows; closed with this
     * @param threads how many compute a release; the result does not depend on it
     */
    public LocalSummation(RecordSource records, int threads) {
        this.records = Objects.requireNonNull(records, "records");
        if (threads < 1) {
            throw new IllegalArgumentException("a release needs at least one thread");
        }
        this.threads = threads;
    }

    /** A data set of records on this machine, whose releases take as many threads as it has processors. */
    public static PrivateDataset dataset(RecordSource records, PrivacyUnit unit, long publicSize) {
        return dataset(records, unit, publicSize, Runtime.getRuntime().availableProcessors());
    }

    /** A data set of records on this machine; releases do not depend on the number of threads. */
    public static PrivateDataset dataset(RecordSource records, PrivacyUnit unit, long publicSize, int threads) {
        return PrivateDataset.of(new LocalSummation(records, threads), unit, publicSize);
    }

    /** The records themselves, for summations over something else than units. */
    public RecordSource records() {
        return records;
    }

    /** How many threads compute a release. */
    public int threads() {
        return threads;
    }

    @Override
    public int columns() {
        return records.columns();
    }

    @Override
    public long units() {
        return records.units();
    }

    @Override
    public long[] sum(SumRequest request) {
        if (request.sampling() instanceof FixedSizeSampling fixed) {
            BatchIndices places = fixed.draw(fixed.population(), request.batch().stretch(0));
            return SumThreads.sum(threads, () -> fixedSize(request, places));
        }
        AtomicLong next = new AtomicLong();
        int least = request.sampling() instanceof FullPass ? FEWEST_UNITS : RecordSource.STRETCH_UNITS;
        long useful = Math.max(1, Math.min(threads, (records.units() + least - 1) / least));
        return SumThreads.sum((int) useful, () -> share(request, next));
    }

    private long[] share(SumRequest request, AtomicLong next) {
        PartSums sums = new PartSums(records, request);
        long units = records.units();
        for (long first = next.get(); first < units; first = next.get()) {
            long size = request.sampling() instanceof FullPass
                    ? fair(units - first)
                    : records.stretchOf(first).units();
            if (next.compareAndSet(first, first + size)) {
                sums.addUnits(first, size);
            }
        }
        return sums.sums();
    }

    /** Large shares first, which read whole blocks, and small ones at the end. */
    private long fair(long left) {
        long fair = left / (4L * threads) / FEWEST_UNITS * FEWEST_UNITS;
        return Math.min(left, Math.max(FEWEST_UNITS, Math.min(RecordSource.STRETCH_UNITS, fair)));
    }

    private long[] fixedSize(SumRequest request, BatchIndices places) {
        PartSums sums = new PartSums(records, request);
        long[] chunk = new long[CHUNK];
        for (int count = next(places, chunk); count > 0; count = next(places, chunk)) {
            sums.addPlaces(chunk, 0, count);
        }
        return sums.sums();
    }

    private static int next(BatchIndices indices, long[] chunk) {
        synchronized (indices) {
            return indices.next(chunk);
        }
    }

    @Override
    public void close() {
        records.close();
    }
}
