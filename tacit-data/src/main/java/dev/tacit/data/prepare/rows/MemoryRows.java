package dev.tacit.data.prepare.rows;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.engine.BlockBuffer;
import java.util.List;

/** Encoded rows as blocks in memory. */
record MemoryRows(RowShape shape, List<RecordBlock> blocks) implements RowStore {
    @Override
    public long rows() {
        return blocks.stream().mapToLong(RecordBlock::rows).sum();
    }

    @Override
    public RecordBlock gather(RowNumbers numbers, int count, BlockBuffer buffer) {
        double[] values = buffer.values(count * shape.entries());
        double[] labels = shape.labelled() ? buffer.labels(count) : null;
        int[] starts = shape.sparse() ? buffer.rowStarts(count + 1) : null;
        int[] columns = shape.sparse() ? buffer.columnIndices(count * shape.entries()) : null;
        int position = 0;
        for (int i = 0; i < count; i++) {
            RecordBlock block = blocks.get((int) (numbers.at(i) / BLOCK_ROWS));
            int row = (int) (numbers.at(i) % BLOCK_ROWS);
            if (block instanceof SparseBlock sparse) {
                int length = sparse.end(row) - sparse.start(row);
                starts[i] = position;
                System.arraycopy(sparse.values(), sparse.start(row), values, position, length);
                System.arraycopy(sparse.columnIndices(), sparse.start(row), columns, position, length);
                position += length;
            } else {
                DenseBlock dense = (DenseBlock) block;
                System.arraycopy(dense.values(), dense.start(row), values, position, shape.columns());
                position += shape.columns();
            }
            if (labels != null) {
                labels[i] = block.label(row);
            }
        }
        if (shape.sparse()) {
            starts[count] = position;
            return SparseBlock.of(count, shape.columns(), starts, columns, values, labels);
        }
        return DenseBlock.of(count, shape.columns(), values, labels);
    }

    @Override
    public void close() {}
}
