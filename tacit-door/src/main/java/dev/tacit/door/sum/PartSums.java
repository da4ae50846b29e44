package dev.tacit.door.sum;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.BatchIndices;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;

/**
 * One part's share of a release, on one thread: walks over those of its units that are in the batch and adds up their integers.
 * Every engine runs this and nothing else on records.
 *
 * <p>What a summand throws while it looks at rows, of whatever kind, is forgotten, because it may tell something about a
 * record, and so is the summand: its scratch memory may be in disorder, and the next unit must not see that. Rows that were
 * shown together are then shown one by one, so that one record cannot take others with it; a unit that makes a summand throw
 * alone contributes nothing.
 */
public final class PartSums {
    /** Rows shown at once: what stays in the processor's caches between the loops of a summand. */
    private static final int CHUNK_ROWS = 256;

    /** Numbers copied at once when rows are picked out of blocks, at most. */
    private static final int CHUNK_NUMBERS = 1 << 22;

    private final RecordSource records;
    private final RecordSource.Reader reader;
    private final SumRequest request;
    private final UnitSum.Owner sum;

    /** Whether a unit may have several rows. */
    private final boolean grouped;

    private Summand summand;

    /** The block of grouped rows that is being walked over. */
    private RecordBlock current;

    private long currentBlock = -1;

    /** Rows of one block that wait to be read, a unit each. */
    private final int[] waiting;

    private int waitingCount;
    private long waitingBlock;

    /** Nothing is added yet. */
    public PartSums(RecordSource records, SumRequest request) {
        this.records = records;
        this.request = request;
        this.reader = records.reader();
        this.sum = new UnitSum.Owner(request.grid());
        this.summand = request.query().summand(request.grid());
        this.grouped = request.maxRecords() > 1 || records.units() != records.rows();
        this.waiting = new int[Math.max(1, Math.min(CHUNK_ROWS, CHUNK_NUMBERS / Math.max(1, records.columns())))];
    }

    /** The share of a whole part. */
    public static long[] of(RecordSource part, SumRequest request) {
        PartSums sums = new PartSums(part, request);
        if (request.sampling() instanceof FixedSizeSampling fixed) {
            BatchIndices places = fixed.draw(fixed.population(), request.batch().stretch(0));
            long[] chunk = new long[CHUNK_ROWS];
            for (int count = places.next(chunk); count > 0; count = places.next(chunk)) {
                sums.addPlaces(chunk, 0, count);
            }
        } else {
            sums.addUnits(0, part.units());
        }
        return sums.sums();
    }

    /** In grid steps. */
    public long[] sums() {
        return sum.sums();
    }

    /** Adds those of the units {@code first} up to {@code first + count} that are in the batch; not for batches of fixed size. */
    public void addUnits(long first, long count) {
        if (request.sampling() instanceof FullPass) {
            addAll(first, first + count);
            return;
        }
        long[] ranks = new long[CHUNK_ROWS];
        long end = first + count;
        for (long unit = first; unit < end; ) {
            RecordSource.Stretch stretch = records.stretchOf(unit);
            long units = Math.min(stretch.units(), end - unit);
            BatchIndices drawn = request.sampling()
                    .draw(stretch.rank() + units, request.batch().stretch(stretch.number()));
            for (int drawnCount = drawn.next(ranks); drawnCount > 0; drawnCount = drawn.next(ranks)) {
                for (int i = 0; i < drawnCount; i++) {
                    if (ranks[i] >= stretch.rank()) {
                        addUnit(unit + ranks[i] - stretch.rank());
                    }
                }
            }
            unit += units;
        }
        readWaiting();
    }

    /**
     * Adds the units of this part that are at given places of the data set, which ascend. Places without a unit are passed
     * over: a unit that its reader left out must not show.
     */
    public void addPlaces(long[] places, int from, int to) {
        for (int i = from; i < to; i++) {
            long unit = places[i] - records.unitsBefore();
            if (unit >= 0 && unit < records.units()) {
                addUnit(unit);
            }
        }
        readWaiting();
    }

    private void addAll(long first, long end) {
        if (grouped) {
            for (long unit = first; unit < end; unit++) {
                addGroup(unit, true);
            }
            return;
        }
        int blockRows = records.blockRows();
        for (long row = first; row < end; ) {
            long number = row / blockRows;
            int from = (int) (row - number * blockRows);
            int to = (int) Math.min(blockRows, end - number * blockRows);
            RecordBlock block = reader.block(number);
            for (int start = from; start < to; start += CHUNK_ROWS) {
                int stop = Math.min(to, start + CHUNK_ROWS);
                addRows(checked(block.part(start, stop), stop - start));
            }
            row = number * blockRows + to;
        }
    }

    private void addUnit(long unit) {
        if (grouped) {
            addGroup(unit, false);
            return;
        }
        long block = unit / records.blockRows();
        if (waitingCount == waiting.length || block != waitingBlock) {
            readWaiting();
            waitingBlock = block;
        }
        waiting[waitingCount] = (int) (unit - block * records.blockRows());
        waitingCount++;
    }

    private void readWaiting() {
        if (waitingCount > 0) {
            addRows(checked(reader.rows(waitingBlock, waiting, waitingCount), waitingCount));
            waitingCount = 0;
        }
    }

    /** Adds rows that are units each. */
    private void addRows(RecordBlock block) {
        sum.open(block.rows());
        try {
            summand.addRows(block, sum.units());
            return;
        } catch (Throwable thrown) {
            forget(thrown);
        }
        boolean[] done = new boolean[block.rows()];
        for (int row = 0; row < done.length; row++) {
            done[row] = sum.isAdded(row);
        }
        for (int row = 0; row < done.length; row++) {
            if (!done[row]) {
                addAlone(block.part(row, row + 1));
            }
        }
    }

    private void addAlone(RecordBlock row) {
        sum.open(1);
        try {
            summand.addRows(row, sum.units());
        } catch (Throwable thrown) {
            forget(thrown);
        }
    }

    /** Adds a unit of one or more rows, block by block; beyond the most records they are not looked at. */
    private void addGroup(long unit, boolean wholeBlocks) {
        int blockRows = records.blockRows();
        long row = records.firstRow(unit);
        long end = Math.min(records.firstRow(unit + 1), row + request.maxRecords());
        sum.open(1);
        boolean failed = false;
        while (row < end && !failed) {
            long block = row / blockRows;
            int from = (int) (row - block * blockRows);
            int to = (int) Math.min(blockRows, end - block * blockRows);
            row = block * blockRows + to;
            failed = !added(wholeBlocks ? whole(block).part(from, to) : picked(block, from, to), row == end);
        }
    }

    private boolean added(RecordBlock rows, boolean last) {
        try {
            summand.addPart(rows, last, sum.units());
            return true;
        } catch (Throwable thrown) {
            forget(thrown);
            return false;
        }
    }

    private RecordBlock whole(long block) {
        if (block != currentBlock) {
            current = reader.block(block);
            currentBlock = block;
        }
        return current;
    }

    private RecordBlock picked(long block, int from, int to) {
        int[] rows = new int[to - from];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = from + i;
        }
        return checked(reader.rows(block, rows, rows.length), rows.length);
    }

    private RecordBlock checked(RecordBlock block, int expectedRows) {
        if (block.rows() != expectedRows || block.columns() != records.columns()) {
            throw new IllegalStateException("a record source handed out a block of another shape than it declared");
        }
        return block;
    }

    private void forget(@SuppressWarnings("unused") Throwable thrown) {
        summand = request.query().summand(request.grid());
    }
}
