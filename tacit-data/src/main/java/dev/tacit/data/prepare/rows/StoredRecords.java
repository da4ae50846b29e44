package dev.tacit.data.prepare.rows;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.engine.BlockBuffer;

/** Records in a {@link RowStore}, person by person if they are grouped; only the rows that are asked for are copied. */
final class StoredRecords implements RecordSource {
    private final RowStore store;
    private final PersonIndex.Order persons;

    /**
     * @param persons which rows belong together, or null if every row is a unit
     */
    StoredRecords(RowStore store, PersonIndex.Order persons) {
        this.store = store;
        this.persons = persons;
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
        return persons == null ? rows() : persons.starts().length - 1;
    }

    @Override
    public long firstRow(long unit) {
        return persons == null ? unit : persons.starts()[Math.toIntExact(unit)];
    }

    @Override
    public Stretch stretchOf(long unit) {
        if (persons == null) {
            return RecordSource.super.stretchOf(unit);
        }
        int[] starts = persons.stretchStarts();
        int low = 0;
        int high = starts.length - 1;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (starts[middle] <= unit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new Stretch(low, unit - starts[low], starts[low + 1] - unit);
    }

    @Override
    public Reader reader() {
        return new Reader() {
            private final BlockBuffer whole = new BlockBuffer();
            private final BlockBuffer some = new BlockBuffer();

            @Override
            public RecordBlock block(long block) {
                long first = block * RowStore.BLOCK_ROWS;
                int count = (int) Math.min(RowStore.BLOCK_ROWS, store.rows() - first);
                return store.gather(i -> stored(first + i), count, whole);
            }

            @Override
            public RecordBlock rows(long block, int[] rows, int count) {
                long first = block * RowStore.BLOCK_ROWS;
                return store.gather(i -> stored(first + rows[i]), count, some);
            }
        };
    }

    private long stored(long row) {
        return persons == null ? row : persons.rows()[Math.toIntExact(row)];
    }

    @Override
    public void close() {
        store.close();
    }
}
