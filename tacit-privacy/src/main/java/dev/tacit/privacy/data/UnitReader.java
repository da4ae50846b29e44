package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;

/**
 * Walks over units on one thread and adds up their contributions.
 *
 * <p>What a worker throws while it looks at a record, of whatever kind, makes that unit's contribution zero, and that
 * worker is not used again: its scratch memory may be in disorder, and the next unit must not see that. If preparing a
 * block fails, its rows are prepared one by one, so that one record cannot take others with it.
 */
final class UnitReader {
    /** Numbers copied at once when rows are picked out of blocks, at most. */
    private static final int CHUNK_NUMBERS = 1 << 22;

    private static final int CHUNK_ROWS = 256;

    private final RecordSource records;
    private final RecordSource.Reader reader;
    private final RecordSum query;
    private final Contribution contribution;
    private final UnitSum sum;

    /** If the query is of a form that the door adds up itself, record by record; null otherwise. */
    private final BlockSummation blocks;

    private final int maxRecords;
    private final boolean grouped;
    private final BlockBuffer buffer = new BlockBuffer();
    private final BlockBuffer singleBuffer = new BlockBuffer();
    private final int[] single = new int[1];

    private RecordSum.Worker worker;

    /** Rows of one block that wait to be read, and which of them are the last of their unit. */
    private final int[] rows;

    private final boolean[] endsUnit;
    private int waiting;
    private long waitingBlock;

    /** A row of the current unit was more than the worker could cope with. */
    private boolean failed;

    UnitReader(RecordSource records, int maxRecords, RecordSum query, SumGrid grid) {
        this.records = records;
        this.reader = records.reader();
        this.query = query;
        this.worker = query.worker();
        this.sum = new UnitSum(grid);
        this.contribution = new Contribution(grid, sum);
        this.maxRecords = maxRecords;
        this.grouped = maxRecords > 1 || records.units() != records.rows();
        this.blocks = grouped ? null : BlockSummation.of(query, grid, sum);
        int chunk = Math.max(1, Math.min(CHUNK_ROWS, CHUNK_NUMBERS / Math.max(1, records.columns())));
        this.rows = new int[chunk];
        this.endsUnit = new boolean[chunk];
    }

    long[] sums() {
        return sum.sums();
    }

    /** Adds units {@code first} up to {@code first + count}. */
    void addAll(long first, long count) {
        if (grouped) {
            for (long unit = first; unit < first + count; unit++) {
                addUnit(unit);
            }
            readWaiting();
            return;
        }
        int blockRows = records.blockRows();
        long end = first + count;
        long row = first;
        while (row < end) {
            long number = row / blockRows;
            int from = (int) (row - number * blockRows);
            int to = (int) Math.min(blockRows, end - number * blockRows);
            RecordBlock block = reader.block(number);
            // In parts that stay in the processor's cache between the worker's loops and the door's.
            for (int start = from; start < to; start += CHUNK_ROWS) {
                int stop = Math.min(to, start + CHUNK_ROWS);
                read(checked(block.part(start, stop), stop - start), null);
            }
            row = number * blockRows + to;
        }
    }

    /** Adds the units {@code offset + indices[i]}, which ascend. */
    void addUnits(long[] indices, int count, long offset) {
        for (int i = 0; i < count; i++) {
            addUnit(offset + indices[i]);
        }
        readWaiting();
    }

    /** Queues the rows of one unit; beyond {@code maxRecords} they are not looked at. */
    private void addUnit(long unit) {
        long row = grouped ? records.firstRow(unit) : unit;
        long end = grouped ? Math.min(records.firstRow(unit + 1), row + maxRecords) : unit + 1;
        int blockRows = records.blockRows();
        for (; row < end; row++) {
            long block = row / blockRows;
            if (waiting == rows.length || block != waitingBlock) {
                readWaiting();
                waitingBlock = block;
            }
            rows[waiting] = (int) (row - block * blockRows);
            endsUnit[waiting] = row == end - 1;
            waiting++;
        }
    }

    private void readWaiting() {
        if (waiting == 0) {
            return;
        }
        read(checked(reader.rows(waitingBlock, rows, waiting, buffer), waiting), endsUnit);
        waiting = 0;
    }

    private RecordBlock checked(RecordBlock block, int expectedRows) {
        if (block.rows() != expectedRows || block.columns() != records.columns()) {
            throw new IllegalStateException("a record source handed out a block of another shape than it declared");
        }
        return block;
    }

    /** Reads rows that are units each ({@code ends} is null) or of which some are the last of a unit. */
    private void read(RecordBlock block, boolean[] ends) {
        if (blocks != null) {
            blocks.add(block);
            return;
        }
        boolean prepared = prepared(block);
        int count = block.rows();
        int row = 0;
        if (ends == null) {
            for (; prepared && row < count; row++) {
                prepared = contributed(block, row);
                endUnit(!prepared);
            }
        }
        for (; row < count; row++) {
            if (!failed) {
                failed = !(prepared ? contributed(block, row) : contributedAlone(block, row));
                prepared &= !failed;
            }
            if (ends == null || ends[row]) {
                endUnit(failed);
                failed = false;
            }
        }
        contribution.leaveBlock();
    }

    private void endUnit(boolean discarded) {
        if (discarded) {
            contribution.discard();
        } else {
            contribution.endUnit();
        }
    }

    private boolean prepared(RecordBlock block) {
        try {
            worker.prepare(block);
            return true;
        } catch (Throwable thrown) {
            return couldNot(thrown);
        }
    }

    private boolean contributed(RecordBlock block, int row) {
        contribution.beginRow(block, row);
        try {
            worker.contribute(block, row, contribution);
            return true;
        } catch (Throwable thrown) {
            return couldNot(thrown);
        }
    }

    /** For rows of a block that could not be prepared together. */
    private boolean contributedAlone(RecordBlock block, int row) {
        contribution.leaveBlock();
        single[0] = row;
        RecordBlock alone = block.select(single, 1, singleBuffer);
        return prepared(alone) && contributed(alone, 0);
    }

    /** Forgets what was thrown, because it may tell something about a record, and the worker that threw it. */
    private boolean couldNot(@SuppressWarnings("unused") Throwable thrown) {
        worker = query.worker();
        return false;
    }
}
