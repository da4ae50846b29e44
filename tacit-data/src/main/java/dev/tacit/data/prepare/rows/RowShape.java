package dev.tacit.data.prepare.rows;

/**
 * How encoded rows are stored; from declared facts, hence public.
 *
 * @param columns how many numbers a row has
 * @param entries how many numbers are stored a row: all of them, or the most that can differ from zero
 * @param sparse whether only numbers that differ from zero are stored
 * @param labelled whether rows carry a label
 */
public record RowShape(int columns, int entries, boolean sparse, boolean labelled) {
    private static final int FEW_COLUMNS = 32;
    private static final int SPARSE_FACTOR = 4;

    /** Sparse if there are many columns and few of them can differ from zero. */
    public static RowShape of(int columns, int mostNonZeros, boolean labelled) {
        boolean sparse = columns >= FEW_COLUMNS && mostNonZeros <= columns / SPARSE_FACTOR;
        return new RowShape(columns, sparse ? mostNonZeros : columns, sparse, labelled);
    }

    /** How many bytes a row takes in a file: its label, its numbers, and if sparse how many and where. */
    int bytes() {
        int places = sparse ? (entries + 2) / 2 * Long.BYTES : 0;
        return Double.BYTES + entries * Double.BYTES + places;
    }
}
