package dev.tacit.spark.read;

import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CellCoder;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.ContentText;
import dev.tacit.data.source.PersonMark;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.VoidReason;
import dev.tacit.data.source.database.DuckDbTable;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Codes what Spark reads from a file of typed columns, by the coders that all other rows go through: batches of rows column by column
 * where Spark's reader has them, single rows otherwise.
 */
public final class ScannedRows implements PartReader {
    private static final int BATCH_ROWS = 4096;

    /** Rows that are coded column by column and marked row by row before the next: what stays in the processor's caches in between. */
    private static final int TILE_ROWS = 256;

    private final Iterator<Object> handed;
    private final RowLayout layout;
    private final CellType[] types;
    private final int[] places;
    private final CellCoder[] coders;
    private final boolean[] asNumber;
    private final boolean trim;
    private final PersonMark persons;
    private final ContentMark contents;
    private final ContentText content = new ContentText();

    /** For columns whose cells are coded as numbers, those of the rows at hand; not a number where one is missing. Null for others. */
    private final double[][] numbers;

    /** Of {@link #numbers}, those that are written as they are into a record's content. Null for others. */
    private final double[][] fractions;

    /**
     * @param handed batches or rows
     * @param types of the columns that were read
     * @param places for each column of the layout, then for the persons, which of them it is
     */
    public ScannedRows(Iterator<Object> handed, RowLayout layout, CellType[] types, int[] places) {
        this.handed = handed;
        this.layout = layout;
        this.types = types;
        this.places = places;
        Schema schema = layout.schema();
        this.coders = layout.columns().stream()
                .map(column -> CellCoder.of(column, schema.format()))
                .toArray(CellCoder[]::new);
        this.asNumber = new boolean[coders.length];
        this.numbers = new double[types.length][];
        this.fractions = new double[types.length][];
        for (int slot = 0; slot < coders.length; slot++) {
            asNumber[slot] = layout.columns().get(slot) instanceof NumberColumn && types[places[slot]].isNumber();
            if (asNumber[slot]) {
                int place = places[slot];
                numbers[place] = new double[TILE_ROWS];
                fractions[place] = types[place].hasFraction() ? numbers[place] : null;
            }
        }
        this.trim = schema.format().trim();
        this.persons = new PersonMark(schema.format());
        this.contents = new ContentMark(layout.contentKey());
    }

    @Override
    public void read(Consumer<CodedRows> take) {
        CodedRows single = new CodedRows(layout, BATCH_ROWS);
        while (handed.hasNext()) {
            Object next = handed.next();
            if (next instanceof ColumnarBatch batch) {
                CodedRows coded = new CodedRows(layout, batch.numRows());
                for (int from = 0; from < batch.numRows(); from += TILE_ROWS) {
                    code(batch, from, Math.min(TILE_ROWS, batch.numRows() - from), coded);
                }
                take.accept(coded);
            } else {
                code((InternalRow) next, single);
                if (single.rows() == BATCH_ROWS) {
                    take.accept(single);
                    single = new CodedRows(layout, BATCH_ROWS);
                }
            }
        }
        if (single.rows() > 0) {
            take.accept(single);
        }
    }

    private void code(ColumnarBatch batch, int from, int count, CodedRows coded) {
        int first = coded.rows();
        for (int row = 0; row < count; row++) {
            coded.beginRow();
        }
        for (int slot = 0; slot < coders.length; slot++) {
            if (asNumber[slot]) {
                double[] column = numbers[places[slot]];
                types[places[slot]].numbers(batch, places[slot], from, count, column);
                CellCoder coder = coders[slot];
                for (int row = 0, code = first * coders.length + slot; row < count; row++, code += coders.length) {
                    coded.codes()[code] = coder.codeOf(column[row]);
                }
            }
        }
        for (int row = 0; row < count; row++) {
            codeOthers(batch.getRow(from + row), row, coded, first + row);
        }
    }

    private void code(InternalRow row, CodedRows coded) {
        int number = coded.rows();
        int start = coded.beginRow();
        for (int slot = 0; slot < coders.length; slot++) {
            if (asNumber[slot]) {
                int place = places[slot];
                numbers[place][0] = row.isNullAt(place) ? Double.NaN : types[place].number(row, place);
                coded.codes()[start + slot] = coders[slot].codeOf(numbers[place][0]);
            }
        }
        codeOthers(row, 0, coded, number);
    }

    /**
     * Cells that are no numbers, the person, and the mark of a row.
     *
     * @param at where its numbers are
     */
    private void codeOthers(InternalRow row, int at, CodedRows coded, int number) {
        for (int slot = 0; slot < coders.length; slot++) {
            if (!asNumber[slot]) {
                byte[] text = text(row, places[slot], coded, number);
                coded.setCode(number, slot, coders[slot], text, 0, text.length);
            }
        }
        if (layout.idColumn().isPresent()) {
            byte[] text = text(row, places[coders.length], coded, number);
            persons.mark(text, 0, text.length, coded, number);
        }
        if (contents.wanted()) {
            for (int place = 0; place < types.length; place++) {
                double[] column = fractions[place];
                if (column != null && !Double.isNaN(column[at])) {
                    content.addNumber(column[at]);
                } else {
                    types[place].addTo(content, row, place);
                }
                content.endCell();
            }
            content.mark(contents, coded, number);
        }
    }

    private byte[] text(InternalRow row, int place, CodedRows coded, int number) {
        if (row.isNullAt(place)) {
            return new byte[0];
        }
        byte[] text = types[place].text(row, place);
        if (text.length > DuckDbTable.LONGEST_CELL) {
            coded.setVoid(number, VoidReason.TOO_LONG);
            return new byte[0];
        }
        return trim && !isStripped(text)
                ? new String(text, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8)
                : text;
    }

    /** Whether a text surely has no white space at its ends: both are printable ASCII. */
    private static boolean isStripped(byte[] text) {
        return text.length == 0 || (text[0] > ' ' && text[text.length - 1] > ' ');
    }
}
