package dev.tacit.data.prepare.rows;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.engine.BlockBuffer;

/** Encoded rows at rest, in memory or in a file. */
public interface RowStore extends AutoCloseable {
    /** Rows in a block. */
    int BLOCK_ROWS = 4096;

    RowShape shape();

    long rows();

    /** Gathers stored rows in a buffer, in the given order; by several threads at once if each has its own buffer. */
    RecordBlock gather(RowNumbers numbers, int count, BlockBuffer buffer);

    @Override
    void close();

    /** The i-th of the rows that are wanted. */
    @FunctionalInterface
    interface RowNumbers {
        long at(int i);
    }
}
