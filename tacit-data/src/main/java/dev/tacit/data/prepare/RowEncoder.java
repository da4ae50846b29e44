package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.RowLayout;

/** How one coded row becomes one encoded record; a function of that row and of declared facts. */
interface RowEncoder {
    /** The row is encoded. */
    int ENCODED = -1;

    /** Which columns a coded row has. */
    RowLayout layout();

    /** How rows are stored. */
    RowShape shape();

    /**
     * Encodes one row at the end of the given rows.
     *
     * @return {@link #ENCODED}, or the place in a coded row of a missing cell for which the row is refused
     */
    int encode(CodedRows rows, int row, EncodedRows target);
}
