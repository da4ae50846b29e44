package dev.tacit.data.prepare.rows;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.engine.RecordsInMemory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Keeps encoded rows in memory as long as they fit, then moves all of them to a file; what is kept is the same. */
public final class RowCollector {
    private final RowShape shape;
    private final long memoryBytes;
    private final Path spillFolder;
    private final EncodedRows open;
    private final List<RecordBlock> blocks = new ArrayList<>();
    private SpilledRows spilled;

    /**
     * @param expectedRows from public numbers; if they do not fit, the file is used from the start
     */
    public RowCollector(RowShape shape, long expectedRows, long memoryBytes, Path spillFolder) {
        this.shape = shape;
        this.memoryBytes = memoryBytes;
        this.spillFolder = spillFolder;
        this.open = new EncodedRows(shape, RowStore.BLOCK_ROWS);
        if (expectedRows > memoryBytes / shape.bytes()) {
            spill();
        }
    }

    /** Adds rows at the end. */
    public void add(EncodedRows rows, int firstRow, int count) {
        int row = firstRow;
        int end = firstRow + count;
        while (row < end) {
            int part = Math.min(end - row, RowStore.BLOCK_ROWS - open.rows());
            open.append(rows, row, part);
            row += part;
            if (open.rows() == RowStore.BLOCK_ROWS) {
                close(open);
            }
        }
    }

    private void close(EncodedRows full) {
        if (spilled == null) {
            blocks.add(full.toBlock());
            if ((long) blocks.size() * RowStore.BLOCK_ROWS * shape.bytes() > memoryBytes) {
                spill();
            }
        } else {
            spilled.append(full);
        }
        full.clear();
    }

    private void spill() {
        spilled = new SpilledRows(shape, spillFolder);
        for (RecordBlock block : blocks) {
            spilled.append(EncodedRows.of(shape, block));
        }
        blocks.clear();
    }

    boolean isSpilled() {
        return spilled != null;
    }

    /** The records, person by person if there are persons. */
    public RecordSource finish(PersonIndex.Order persons) {
        if (open.rows() > 0) {
            close(open);
        }
        if (spilled != null) {
            spilled.finish();
            return new StoredRecords(spilled, persons);
        }
        return persons == null
                ? new RecordsInMemory(shape.columns(), shape.labelled(), blocks, null)
                : new StoredRecords(new MemoryRows(shape, List.copyOf(blocks)), persons);
    }

    /** Gives up what was collected. */
    public void abandon() {
        if (spilled != null) {
            spilled.close();
        }
    }
}
