package dev.tacit.data.prepare;

import dev.tacit.privacy.data.BlockBuffer;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSource;

/** Records in a {@link RowStore}, person by person if they are grouped; only the rows that are asked for are copied. */
final class StoredRecords implements RecordSource {
    private final RowStore store;
    private final int[] order;
    private final int[] starts;

    /**
     * @param persons which rows belong together, or null if every row is a unit
     */
    StoredRecords(RowStore store, PersonIndex persons) {
        this.store = store;
        this.order = persons == null ? null : persons.order();
        this.starts = persons == null ? null : persons.starts();
    }

    @Override
    public int columns() {
        return store.shape().columns();
    }

    @Override
    public boolean labelled() {
        return store.shape().labelled();
    }

    @Override
    public long rows() {
        return store.rows();
    }

    @Override
    public int blockRows() {
        return RowStore.BLOCK_ROWS;
    }

    @Override
    public long units() {
        return starts == null ? rows() : starts.length - 1;
    }

    @Override
    public long firstRow(long unit) {
        return starts == null ? unit : starts[Math.toIntExact(unit)];
    }

    @Override
    public Reader reader() {
        return new Reader() {
            private final BlockBuffer whole = new BlockBuffer();

            @Override
            public RecordBlock block(long block) {
                long first = block * RowStore.BLOCK_ROWS;
                int count = (int) Math.min(RowStore.BLOCK_ROWS, store.rows() - first);
                return store.gather(i -> stored(first + i), count, whole);
            }

            @Override
            public RecordBlock rows(long block, int[] rows, int count, BlockBuffer buffer) {
                long first = block * RowStore.BLOCK_ROWS;
                return store.gather(i -> stored(first + rows[i]), count, buffer);
            }
        };
    }

    private long stored(long row) {
        return order == null ? row : order[Math.toIntExact(row)];
    }

    @Override
    public void close() {
        store.close();
    }
}
