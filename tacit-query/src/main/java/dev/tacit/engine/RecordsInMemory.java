package dev.tacit.engine;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import java.util.List;

/** Encoded records as a list of blocks in memory. */
public final class RecordsInMemory implements RecordSource {
    private final List<RecordBlock> blocks;
    private final boolean labelled;
    private final int columns;
    private final int blockRows;
    private final long rows;
    private final long[] unitStarts;

    /**
     * @param columns how many numbers a row has
     * @param labelled whether rows carry labels
     * @param blocks equally many rows in each but the last
     * @param unitStarts the first row of each unit, then the number of rows; null if every row is a unit
     */
    public RecordsInMemory(int columns, boolean labelled, List<RecordBlock> blocks, long[] unitStarts) {
        this.columns = columns;
        this.labelled = labelled;
        this.blocks = List.copyOf(blocks);
        this.blockRows = blocks.isEmpty() ? 1 : Math.max(1, blocks.get(0).rows());
        long count = 0;
        for (int i = 0; i < blocks.size(); i++) {
            RecordBlock block = blocks.get(i);
            boolean last = i == blocks.size() - 1;
            if (block.columns() != columns || (last ? block.rows() > blockRows : block.rows() != blockRows)) {
                throw new IllegalArgumentException("all blocks but the last have the same shape");
            }
            count += block.rows();
        }
        this.rows = count;
        this.unitStarts = unitStarts == null ? null : unitStarts.clone();
        requireUnits();
    }

    /** One block of rows, each a unit. */
    public static RecordsInMemory of(RecordBlock block, boolean labelled) {
        return new RecordsInMemory(block.columns(), labelled, List.of(block), null);
    }

    private void requireUnits() {
        if (unitStarts == null) {
            return;
        }
        boolean valid = unitStarts.length > 0 && unitStarts[0] == 0 && unitStarts[unitStarts.length - 1] == rows;
        for (int unit = 1; unit < unitStarts.length; unit++) {
            valid &= unitStarts[unit] > unitStarts[unit - 1];
        }
        if (!valid) {
            throw new IllegalArgumentException("unit starts ascend from 0 to the number of rows");
        }
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public boolean labelled() {
        return labelled;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public int blockRows() {
        return blockRows;
    }

    @Override
    public long units() {
        return unitStarts == null ? rows : unitStarts.length - 1;
    }

    @Override
    public long firstRow(long unit) {
        return unitStarts == null ? unit : unitStarts[Math.toIntExact(unit)];
    }

    @Override
    public Reader reader() {
        return new BlockReader() {
            @Override
            public RecordBlock block(long block) {
                return blocks.get(Math.toIntExact(block));
            }
        };
    }
}
