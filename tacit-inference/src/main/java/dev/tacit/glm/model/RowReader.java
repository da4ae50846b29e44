package dev.tacit.glm.model;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.util.Arrays;
import java.util.List;

/** One row of a block as numbers between their declared bounds; with scratch memory for one thread. */
public final class RowReader {
    private final int size;
    private final int rowLength;
    private final double[] low;
    private final double[] high;
    private final boolean hasOffset;

    /** The columns of the row that was read last, in natural units; behind them its offset, if there is one. */
    public final double[] x;

    /** The group of the row that was read last in each term, or −1 if it is none of the declared ones. */
    public final int[] levels;

    private final int[] levelCounts;

    /** Everything in the row. */
    private final double[] all;

    public RowReader(GlmDesign design) {
        size = design.size();
        rowLength = design.rowLength();
        hasOffset = design.offset().isPresent();
        List<GlmColumn> columns = design.table().columns();
        low = columns.stream().mapToDouble(GlmColumn::low).toArray();
        high = columns.stream().mapToDouble(GlmColumn::high).toArray();
        x = new double[columns.size()];
        all = new double[rowLength];
        levels = new int[design.groups().size()];
        levelCounts =
                design.groups().stream().mapToInt(term -> term.levels().size()).toArray();
    }

    /** Reads a row; a number that is none stays none, and the door does not count the record. */
    public void read(RecordBlock block, int row) {
        if (block instanceof SparseBlock sparse) {
            Arrays.fill(all, 0);
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                all[sparse.columnIndices()[entry]] = sparse.values()[entry];
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            System.arraycopy(dense.values(), dense.start(row), all, 0, rowLength);
        }
        for (int j = 0; j < size; j++) {
            x[j] = Math.max(low[j], Math.min(high[j], all[j]));
        }
        if (hasOffset) {
            x[size] = Math.max(low[size], Math.min(high[size], all[rowLength - 1]));
        }
        for (int t = 0; t < levels.length; t++) {
            double index = all[size + t];
            levels[t] = index >= 0 && index < levelCounts[t] ? (int) index : -1;
        }
    }

    /** What is added to the predictor of the row that was read last. */
    public double offset() {
        return hasOffset ? x[size] : 0;
    }
}
