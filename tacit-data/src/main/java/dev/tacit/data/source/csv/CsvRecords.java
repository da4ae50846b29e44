package dev.tacit.data.source.csv;

import dev.tacit.data.source.CellCoder;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.PersonMark;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.VoidReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Codes the records of a chunk: cells that are not there, or not understood, are missing, and what stands in cells beyond
 * the known columns does not matter.
 */
public final class CsvRecords {
    private static final int NOT_USED = -1;
    private static final int PERSON = -2;

    private final RowLayout layout;
    private final CsvCursor cursor;
    private final CellCoder[] coders;
    private final PersonMark persons;
    private final ContentMark contents;
    private final int[] slots;
    private final boolean blankIsRecord;

    /**
     * @param slots for each column of the file where its code goes, as {@link #slots} says
     * @param columns how many columns the file has: if one, an empty line is a record
     */
    CsvRecords(CsvDialect dialect, RowLayout layout, int[] slots, int columns) {
        this.layout = layout;
        this.cursor = new CsvCursor(dialect);
        this.slots = slots;
        this.blankIsRecord = columns == 1;
        this.coders = layout.columns().stream()
                .map(column -> CellCoder.of(column, layout.schema().format()))
                .toArray(CellCoder[]::new);
        this.persons = new PersonMark(layout.schema().format());
        this.contents = new ContentMark(layout.contentKey());
    }

    /** Where the codes of a file's columns go, by their names: a place in a coded row, or one of two marks. */
    static int[] slots(RowLayout layout, List<String> names) {
        int[] slots = new int[names.size()];
        Arrays.fill(slots, NOT_USED);
        for (int slot = 0; slot < layout.width(); slot++) {
            slots[names.indexOf(layout.columns().get(slot).name())] = slot;
        }
        layout.idColumn().ifPresent(id -> slots[names.indexOf(id)] = PERSON);
        int used = slots.length;
        while (used > 0 && slots[used - 1] == NOT_USED) {
            used--;
        }
        return Arrays.copyOf(slots, used);
    }

    CodedRows code(CsvSplitter.Chunk chunk) {
        int expected = Math.max(16, (chunk.to() - chunk.from()) / Math.max(16, 12 * slots.length));
        CodedRows rows = new CodedRows(layout, expected);
        if (chunk.isTooLong()) {
            rows.beginRow();
            rows.setVoid(0, VoidReason.TOO_LONG);
        }
        cursor.open(chunk);
        while (cursor.nextRecord()) {
            if (blankIsRecord || !cursor.isBlank()) {
                record(rows);
            }
            cursor.endRecord();
        }
        return rows;
    }

    private void record(CodedRows rows) {
        int row = rows.rows();
        rows.beginRow();
        if (cursor.isComment()) {
            rows.setVoid(row, VoidReason.COMMENT);
            return;
        }
        int column = 0;
        while ((column < slots.length || contents.wanted()) && cursor.nextCell()) {
            int slot = column < slots.length ? slots[column] : NOT_USED;
            if (slot != NOT_USED || contents.wanted()) {
                cursor.readCell();
                cell(slot, rows, row);
            }
            column++;
        }
        contents.mark(rows, row);
    }

    private void cell(int slot, CodedRows rows, int row) {
        byte[] text = cursor.text();
        if (slot == PERSON) {
            persons.mark(text, cursor.from(), cursor.to(), rows, row);
        } else if (slot != NOT_USED) {
            rows.setCode(row, slot, coders[slot], text, cursor.from(), cursor.to());
        }
        if (contents.wanted()) {
            contents.cell(text, cursor.from(), cursor.to());
        }
    }

    /** The cells of one record as texts. */
    public static List<String> texts(CsvDialect dialect, CsvSplitter.Chunk record) {
        List<String> texts = new ArrayList<>();
        CsvCursor cursor = new CsvCursor(dialect);
        cursor.open(record);
        if (!cursor.nextRecord()) {
            texts.add("");
        }
        while (cursor.nextCell()) {
            cursor.readCell();
            int length = cursor.to() - cursor.from();
            texts.add(new String(cursor.text(), cursor.from(), length, StandardCharsets.UTF_8));
        }
        return texts;
    }
}
