package dev.tacit.spark;

import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoded records of one part of a table: what an executor keeps between releases.
 *
 * <p>A few large arrays, so that a pass reads memory as the engine of one machine does and the collector has nothing to do. Spark
 * may send it to another executor, encrypted, if a task runs there.
 */
final class EncodedPart implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int columns;
    private final boolean labelled;
    private final List<Arrays> blocks = new ArrayList<>();
    private final long rows;
    private final long[] unitStarts;
    private final long[] stretches;
    private final long digest;
    private final RecordSketch.Part sketch;
    private transient List<RecordBlock> views;

    /** The arrays of a block. */
    private record Arrays(int rows, double[] values, int[] rowStarts, int[] columnIndices, double[] labels)
            implements Serializable {}

    /**
     * @param blocks equally many rows in each but the last
     * @param unitStarts the first row of each unit, then how many rows there are; null if every row is a unit
     * @param stretches for each stretch that has a unit here its number and its first unit, one after the other; null if every
     *     row is a unit
     * @param secret under which the part is digested
     * @param sketch what the part's records are, if they were sketched
     */
    EncodedPart(
            int columns,
            boolean labelled,
            List<RecordBlock> blocks,
            long[] unitStarts,
            long[] stretches,
            byte[] secret,
            RecordSketch.Part sketch) {
        this.columns = columns;
        this.labelled = labelled;
        this.unitStarts = unitStarts;
        this.stretches = stretches;
        this.sketch = sketch;
        PartDigest digested = new PartDigest(secret);
        long count = 0;
        for (RecordBlock block : blocks) {
            this.blocks.add(arrays(block, labelled));
            digested.add(block);
            count += block.rows();
        }
        for (int i = 0; unitStarts != null && i < unitStarts.length; i++) {
            digested.add(unitStarts[i]);
        }
        for (int i = 0; stretches != null && i < stretches.length; i++) {
            digested.add(stretches[i]);
        }
        this.rows = count;
        this.digest = digested.end();
    }

    private static Arrays arrays(RecordBlock block, boolean labelled) {
        double[] labels = labelled ? new double[block.rows()] : null;
        for (int row = 0; labelled && row < labels.length; row++) {
            labels[row] = block.label(row);
        }
        if (block instanceof SparseBlock sparse) {
            int[] starts = new int[block.rows() + 1];
            for (int row = 0; row < block.rows(); row++) {
                starts[row + 1] = sparse.end(row);
            }
            return new Arrays(block.rows(), sparse.values(), starts, sparse.columnIndices(), labels);
        }
        return new Arrays(block.rows(), ((DenseBlock) block).values(), null, null, labels);
    }

    int columns() {
        return columns;
    }

    boolean labelled() {
        return labelled;
    }

    long rows() {
        return rows;
    }

    long[] unitStarts() {
        return unitStarts;
    }

    long[] stretches() {
        return stretches;
    }

    /** All that the driver is told when the part is first read. */
    PartFacts facts() {
        return new PartFacts(unitStarts == null ? rows : unitStarts.length - 1L, digest, sketch);
    }

    synchronized List<RecordBlock> blocks() {
        if (views == null) {
            views = blocks.stream().map(this::view).toList();
        }
        return views;
    }

    private RecordBlock view(Arrays block) {
        return block.rowStarts == null
                ? DenseBlock.of(block.rows, columns, block.values, block.labels)
                : SparseBlock.of(block.rows, columns, block.rowStarts, block.columnIndices, block.values, block.labels);
    }
}
