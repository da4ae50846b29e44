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

/** Codes the rows that Spark reads from a file of typed columns, by the coders that all other rows go through. */
public final class ScannedRows implements PartReader {
    private static final int BATCH_ROWS = 4096;

    private final Iterator<InternalRow> rows;
    private final RowLayout layout;
    private final CellType[] types;
    private final int[] places;
    private final CellCoder[] coders;
    private final boolean[] asNumber;
    private final boolean trim;
    private final PersonMark persons;
    private final ContentMark contents;
    private final ContentText content = new ContentText();

    /**
     * @param types of the columns that were read
     * @param places for each column of the layout, then for the persons, which of them it is
     */
    public ScannedRows(Iterator<InternalRow> rows, RowLayout layout, CellType[] types, int[] places) {
        this.rows = rows;
        this.layout = layout;
        this.types = types;
        this.places = places;
        Schema schema = layout.schema();
        this.coders = layout.columns().stream()
                .map(column -> CellCoder.of(column, schema.format()))
                .toArray(CellCoder[]::new);
        this.asNumber = new boolean[coders.length];
        for (int slot = 0; slot < coders.length; slot++) {
            asNumber[slot] = layout.columns().get(slot) instanceof NumberColumn && types[places[slot]].isNumber();
        }
        this.trim = schema.format().trim();
        this.persons = new PersonMark(schema.format());
        this.contents = new ContentMark(layout.contentKey());
    }

    @Override
    public void read(Consumer<CodedRows> take) {
        while (rows.hasNext()) {
            CodedRows coded = new CodedRows(layout, BATCH_ROWS);
            while (coded.rows() < BATCH_ROWS && rows.hasNext()) {
                code(rows.next(), coded);
            }
            take.accept(coded);
        }
    }

    private void code(InternalRow row, CodedRows coded) {
        int number = coded.rows();
        int start = coded.beginRow();
        for (int slot = 0; slot < coders.length; slot++) {
            int place = places[slot];
            if (asNumber[slot]) {
                double value = row.isNullAt(place) ? Double.NaN : types[place].number(row, place);
                coded.codes()[start + slot] = coders[slot].codeOf(value);
            } else {
                byte[] text = text(row, place, coded, number);
                coded.setCode(number, slot, coders[slot], text, 0, text.length);
            }
        }
        if (layout.idColumn().isPresent()) {
            byte[] text = text(row, places[coders.length], coded, number);
            persons.mark(text, 0, text.length, coded, number);
        }
        if (contents.wanted()) {
            for (int place = 0; place < types.length; place++) {
                types[place].addTo(content, row, place);
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
        return trim ? new String(text, StandardCharsets.UTF_8).strip().getBytes(StandardCharsets.UTF_8) : text;
    }
}
