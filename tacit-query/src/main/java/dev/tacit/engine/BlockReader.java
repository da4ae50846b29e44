package dev.tacit.engine;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;

/** Reads whole blocks, and copies rows that are asked for out of them. */
public abstract class BlockReader implements RecordSource.Reader {
    private final BlockBuffer buffer = new BlockBuffer();

    @Override
    public final RecordBlock rows(long block, int[] rows, int count) {
        return buffer.select(block(block), rows, count);
    }
}
