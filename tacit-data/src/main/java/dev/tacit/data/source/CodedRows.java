package dev.tacit.data.source;

import java.util.Arrays;

/**
 * Rows as one number a declared column: a number's value, the place of a category in its list (the list's length for
 * others), 1 or 0 for a binary column, NaN for a missing cell.
 */
public final class CodedRows {
    private final int width;
    private final boolean withIds;
    private final boolean withContents;
    private double[] codes;
    private long[] ids;
    private long[] contents;
    private VoidReason[] voids = new VoidReason[0];
    private final int[] notUnderstood;
    private int rows;

    public CodedRows(RowLayout layout, int expectedRows) {
        this.width = layout.width();
        this.withIds = layout.idColumn().isPresent();
        this.withContents = layout.contentKey().isPresent();
        this.notUnderstood = new int[width];
        this.codes = new double[Math.max(1, expectedRows) * width];
        this.ids = new long[withIds ? 2 * Math.max(1, expectedRows) : 0];
        this.contents = new long[withContents ? 2 * Math.max(1, expectedRows) : 0];
    }

    /** How many rows there are. */
    public int rows() {
        return rows;
    }

    /** How many numbers a row has. */
    public int width() {
        return width;
    }

    /** The rows one after the other. Not to be written to. */
    public double[] codes() {
        return codes;
    }

    /** Half of the 128-bit mark of the row's person; both halves are 0 if the row does not name one. */
    public long idHalf(int row, int half) {
        return ids[2 * row + half];
    }

    /** Half of the 128-bit mark of all that the row's record holds, if the layout has a key for it. */
    public long contentHalf(int row, int half) {
        return contents[2 * row + half];
    }

    /** How many cells of a column hold something that is neither declared nor missing, and count as missing. */
    public int notUnderstood(int slot) {
        return notUnderstood[slot];
    }

    /** Sets the code of a cell that holds a text. */
    public void setCode(int row, int slot, CellCoder coder, byte[] text, int from, int to) {
        double code = coder.codeOf(text, from, to);
        codes[row * width + slot] = code;
        notUnderstood[slot] += Double.isNaN(code) && !coder.isMissing(text, from, to) ? 1 : 0;
    }

    /** Whether the row is of a record that counts as nothing. */
    public boolean isVoid(int row) {
        return row < voids.length && voids[row] != null;
    }

    /** Why the record of a void row counts as nothing. */
    public VoidReason voidReason(int row) {
        return voids[row];
    }

    /** Begins a row of missing cells and returns where its codes begin. */
    public int beginRow() {
        int start = rows * width;
        if (start + width > codes.length) {
            codes = Arrays.copyOf(
                    codes, Math.max(start + width, Math.toIntExact(Math.min(1L << 30, 2L * codes.length))));
        }
        if (withIds && 2 * rows + 2 > ids.length) {
            ids = Arrays.copyOf(ids, 2 * ids.length);
        }
        if (withContents && 2 * rows + 2 > contents.length) {
            contents = Arrays.copyOf(contents, 2 * contents.length);
        }
        Arrays.fill(codes, start, start + width, Double.NaN);
        if (withIds) {
            ids[2 * rows] = 0;
            ids[2 * rows + 1] = 0;
        }
        if (withContents) {
            contents[2 * rows] = 0;
            contents[2 * rows + 1] = 0;
        }
        rows++;
        return start;
    }

    /** Makes a row void; those before it that were not stay as they are. */
    public void setVoid(int row, VoidReason reason) {
        voids = row < voids.length ? voids : Arrays.copyOf(voids, Math.max(rows, 2 * voids.length));
        voids[row] = reason;
    }

    /** Marks the person of a row. */
    void setId(int row, long high, long low) {
        ids[2 * row] = high;
        ids[2 * row + 1] = low;
    }

    /** Marks what the record of a row holds. */
    void setContent(int row, long high, long low) {
        contents[2 * row] = high;
        contents[2 * row + 1] = low;
    }
}
