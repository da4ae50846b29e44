package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.RowLayout;
import dev.tacit.door.unit.Neighbours;
import java.util.Arrays;

/**
 * Encodes coded rows, wherever they were read: the one way from cells to records that all engines share.
 *
 * <p>A row that is void, or refused by the schema, is left out; where the number of records is public and rows are units it
 * keeps its place as a row that is not a number anywhere. It may be used by several threads at once.
 */
public final class PartEncoder {
    private final RowEncoder encoder;
    private final boolean grouped;
    private final boolean keepsPlaces;

    PartEncoder(RowEncoder encoder) {
        this.encoder = encoder;
        this.grouped = encoder.layout().idColumn().isPresent();
        this.keepsPlaces = !grouped && encoder.layout().schema().neighbours() == Neighbours.REPLACE_ONE;
    }

    /** Records as a model sees them. */
    public static PartEncoder of(Schema schema) {
        return new PartEncoder(RecordEncoder.of(schema));
    }

    /** Records as the purchase of bounds sees them. */
    public static PartEncoder forBounds(Schema schema) {
        return new PartEncoder(PrivateBounds.encoder(schema));
    }

    /** Which columns a coded row has. */
    public RowLayout layout() {
        return encoder.layout();
    }

    /** How rows are stored. */
    public RowShape shape() {
        return encoder.shape();
    }

    /**
     * Encoded rows, and from which coded rows they came.
     *
     * @param coded the rows that were encoded
     * @param from for each encoded row its coded row, whose person is needed; empty if every row is a unit
     * @param encoded the rows of records
     */
    public record Batch(CodedRows coded, int[] from, EncodedRows encoded) {}

    /** Encodes rows. */
    public Batch encode(CodedRows rows) {
        EncodedRows encoded = new EncodedRows(encoder.shape(), rows.rows());
        int[] from = new int[grouped ? rows.rows() : 0];
        for (int row = 0; row < rows.rows(); row++) {
            boolean whole = !rows.isVoid(row) && encoder.encode(rows, row, encoded) == RowEncoder.ENCODED;
            if (whole && grouped) {
                from[encoded.rows() - 1] = row;
            } else if (!whole && keepsPlaces) {
                encoded.addVoid();
            }
        }
        return new Batch(rows, grouped ? Arrays.copyOf(from, encoded.rows()) : from, encoded);
    }
}
