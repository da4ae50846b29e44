package dev.tacit.privacy.data;

import dev.tacit.privacy.mechanism.SumGrid;
import java.util.Arrays;

/**
 * Walks over units on one thread and adds up their contributions.
 *
 * <p>What a worker throws while it looks at a record makes that unit's contribution zero. If preparing a block fails,
 * its rows are prepared one by one, so that one record cannot take others with it.
 */
final class UnitReader {
    private final RecordSource records;
    private final RecordSource.Reader reader;
    private final RecordSum.Worker worker;
    private final Contribution contribution;
    private final long[] sums;
    private final int maxRecords;
    private final boolean grouped;
    private final BlockBuffer buffer = new BlockBuffer();
    private final BlockBuffer singleBuffer = new BlockBuffer();
    private int[] rows = new int[256];

    UnitReader(RecordSource records, int maxRecords, RecordSum.Worker worker, SumGrid grid) {
        this.records = records;
        this.reader = records.reader();
        this.worker = worker;
        this.sums = new long[grid.dimension()];
        this.contribution = new Contribution(grid, sums);
        this.maxRecords = maxRecords;
        this.grouped = maxRecords > 1 || records.units() != records.rows();
    }

    long[] sums() {
        return sums;
    }

    /** Adds units {@code first} up to {@code first + count}. */
    void addAll(long first, long count) {
        if (grouped) {
            for (long unit = first; unit < first + count; unit++) {
                addUnit(unit);
            }
            return;
        }
        int blockRows = records.blockRows();
        long end = first + count;
        long row = first;
        while (row < end) {
            long block = row / blockRows;
            int from = (int) (row - block * blockRows);
            RecordBlock all = reader.block(block);
            int to = (int) Math.min(all.rows(), end - block * blockRows);
            if (from > 0 || to < all.rows()) {
                all = all.part(from, to);
            }
            addRows(all);
            row = block * blockRows + to;
        }
    }

    /** Adds the units {@code offset + indices[i]}, which ascend. */
    void addUnits(long[] indices, int count, long offset) {
        if (grouped) {
            for (int i = 0; i < count; i++) {
                addUnit(offset + indices[i]);
            }
            return;
        }
        int blockRows = records.blockRows();
        int i = 0;
        while (i < count) {
            long block = (offset + indices[i]) / blockRows;
            int chosen = 0;
            rows = rows.length < count ? new int[count] : rows;
            while (i < count && (offset + indices[i]) / blockRows == block) {
                rows[chosen] = (int) (offset + indices[i] - block * blockRows);
                chosen++;
                i++;
            }
            addRows(reader.rows(block, rows, chosen, buffer));
        }
    }

    /** Every row is a unit. */
    private void addRows(RecordBlock block) {
        if (prepared(block)) {
            for (int row = 0; row < block.rows(); row++) {
                contribute(block, row);
                contribution.endUnit();
            }
            return;
        }
        for (int row = 0; row < block.rows(); row++) {
            contributeAlone(block, row);
            contribution.endUnit();
        }
    }

    /** The rows of one person, summed and clipped once; beyond {@code maxRecords} they are not looked at. */
    private void addUnit(long unit) {
        long row = records.firstRow(unit);
        long end = Math.min(records.firstRow(unit + 1), row + maxRecords);
        int blockRows = records.blockRows();
        boolean whole = true;
        while (row < end && whole) {
            long block = row / blockRows;
            int count = (int) Math.min(end - row, (block + 1) * blockRows - row);
            rows = rows.length < count ? Arrays.copyOf(rows, count) : rows;
            for (int i = 0; i < count; i++) {
                rows[i] = (int) (row - block * blockRows) + i;
            }
            RecordBlock part = reader.rows(block, rows, count, buffer);
            boolean prepared = prepared(part);
            for (int i = 0; i < count && whole; i++) {
                whole = prepared ? contribute(part, i) : contributeAlone(part, i);
            }
            row += count;
        }
        contribution.endUnit();
    }

    private boolean prepared(RecordBlock block) {
        try {
            worker.prepare(block);
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** False, and an empty contribution, if the worker could not cope with the record. */
    private boolean contribute(RecordBlock block, int row) {
        try {
            contribution.beginRow(block, row);
            worker.contribute(block, row, contribution);
            return true;
        } catch (RuntimeException e) {
            contribution.discard();
            return false;
        }
    }

    private boolean contributeAlone(RecordBlock block, int row) {
        RecordBlock alone = block.select(new int[] {row}, 1, singleBuffer);
        if (!prepared(alone)) {
            contribution.discard();
            return false;
        }
        return contribute(alone, 0);
    }
}
