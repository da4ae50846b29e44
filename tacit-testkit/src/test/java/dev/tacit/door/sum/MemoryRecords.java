package dev.tacit.door.sum;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import java.util.Arrays;

/**
 * Rows in memory, in blocks of a given size, labelled with 0 and 1 in turn. A block that was handed out before is spoilt by the
 * next one, as a reader of files would.
 *
 * @param sparse whether zeros are left out
 * @param unitStarts the first row of each unit, then the number of rows; null if every row is a unit
 */
public record MemoryRecords(double[][] table, int columns, int blockRows, boolean sparse, long[] unitStarts)
        implements RecordSource {
    @Override
    public boolean labelled() {
        return true;
    }

    @Override
    public long rows() {
        return table.length;
    }

    @Override
    public long units() {
        return unitStarts == null ? table.length : unitStarts.length - 1;
    }

    @Override
    public long firstRow(long unit) {
        return unitStarts == null ? unit : unitStarts[(int) unit];
    }

    @Override
    public Reader reader() {
        return new Reader() {
            private double[] last = {};

            @Override
            public RecordBlock block(long block) {
                int rows = (int) Math.min(blockRows, table.length - block * blockRows);
                int[] all = new int[rows];
                Arrays.setAll(all, row -> row);
                return rows(block, all, rows);
            }

            @Override
            public RecordBlock rows(long block, int[] rows, int count) {
                Arrays.fill(last, Double.NaN);
                double[][] chosen = new double[count][];
                double[] labels = new double[count];
                for (int i = 0; i < count; i++) {
                    int row = (int) block * blockRows + rows[i];
                    chosen[i] = table[row];
                    labels[i] = row % 2;
                }
                if (sparse) {
                    SparseBlock result = sparse(columns, chosen, labels);
                    last = result.values();
                    return result;
                }
                DenseBlock result = dense(columns, chosen, labels);
                last = result.values();
                return result;
            }
        };
    }

    static DenseBlock dense(int columns, double[][] rows, double[] labels) {
        double[] values = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
        return DenseBlock.of(rows.length, columns, values, labels);
    }

    /** Without the zeros. */
    static SparseBlock sparse(int columns, double[][] rows, double[] labels) {
        int[] starts = new int[rows.length + 1];
        int[] places = new int[rows.length * columns];
        double[] values = new double[places.length];
        int next = 0;
        for (int row = 0; row < rows.length; row++) {
            for (int column = 0; column < columns; column++) {
                if (rows[row][column] != 0) {
                    places[next] = column;
                    values[next++] = rows[row][column];
                }
            }
            starts[row + 1] = next;
        }
        return SparseBlock.of(rows.length, columns, starts, places, values, labels);
    }
}
