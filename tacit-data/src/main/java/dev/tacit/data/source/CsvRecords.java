package dev.tacit.data.source;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Codes the records of a chunk: cells that are not there, or not understood, are missing, and cells beyond the known
 * columns are not looked at.
 */
final class CsvRecords {
    private static final int NOT_USED = -1;
    private static final int PERSON = -2;

    private final CsvDialect dialect;
    private final RowLayout layout;
    private final CellCoder[] coders;
    private final PersonMark persons;
    private final ContentMark contents;
    private final int[] slots;
    private byte[] scratch = new byte[64];

    /**
     * @param slots for each column of the file where its code goes: a place in a coded row, {@link #NOT_USED} or
     *     {@link #PERSON}
     */
    CsvRecords(CsvDialect dialect, RowLayout layout, int[] slots) {
        this.dialect = dialect;
        this.layout = layout;
        this.slots = slots;
        this.coders = layout.columns().stream()
                .map(column -> CellCoder.of(column, layout.schema().format()))
                .toArray(CellCoder[]::new);
        this.persons = new PersonMark(layout.schema().format());
        this.contents = new ContentMark(layout.contentKey());
    }

    /** Where the codes of a file's columns go, by their names. */
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
        byte[] bytes = chunk.bytes();
        int position = chunk.from();
        while (position < chunk.to()) {
            int before = rows.rows();
            int next = record(bytes, position, chunk.to(), rows);
            if (contents.wanted() && rows.rows() > before) {
                contents.cell(bytes, position, beforeReturn(bytes, position, Math.min(next - 1, chunk.to())));
                contents.mark(rows, before);
            }
            position = next;
        }
        return rows;
    }

    /** Codes one record and returns where the next begins. */
    private int record(byte[] bytes, int start, int end, CodedRows rows) {
        int position = start;
        while (position < end && (bytes[position] == ' ' || bytes[position] == '\t' || bytes[position] == '\r')) {
            position++;
        }
        if (position == end || bytes[position] == '\n') {
            return position + 1;
        }
        if (bytes[start] == dialect.comment()) {
            return lineEnd(bytes, start, end) + 1;
        }
        int row = rows.rows();
        int codes = rows.beginRow();
        position = start;
        for (int column = 0; column < slots.length; column++) {
            position = cell(bytes, position, end, slots[column], rows, row, codes);
            if (position >= end || bytes[position] == '\n') {
                return position + 1;
            }
            position++;
        }
        int rest = slots.length == 0 ? start : position;
        return restOfRecord(bytes, rest, end) + 1;
    }

    private int restOfRecord(byte[] bytes, int from, int end) {
        return dialect.recordEnd(bytes, from, end, true);
    }

    private static int lineEnd(byte[] bytes, int from, int end) {
        int position = from;
        while (position < end && bytes[position] != '\n') {
            position++;
        }
        return position;
    }

    /** Codes one cell and returns the place of the delimiter or line end after it. */
    private int cell(byte[] bytes, int start, int end, int slot, CodedRows rows, int row, int codes) {
        int first = dialect.skipBlanks(bytes, start, end);
        if (dialect.quoted() && first < end && bytes[first] == '"') {
            int closing = dialect.closingQuote(bytes, first, end, true);
            if (closing >= 0) {
                if (slot != NOT_USED) {
                    unquoted(bytes, first + 1, closing, slot, rows, row, codes);
                }
                int after = dialect.skipBlanks(bytes, closing + 1, end);
                return after < end && bytes[after] == '\r' ? lineEnd(bytes, after, end) : after;
            }
        }
        byte delimiter = dialect.delimiter();
        int stop = EightBytes.indexOf(bytes, first, end, delimiter, (byte) '\n');
        if (slot != NOT_USED) {
            int last = stop == end || bytes[stop] == '\n' ? beforeReturn(bytes, first, stop) : stop;
            code(bytes, first, last, slot, rows, row, codes);
        }
        return stop;
    }

    private static int beforeReturn(byte[] bytes, int from, int to) {
        return to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    }

    private void unquoted(byte[] bytes, int from, int to, int slot, CodedRows rows, int row, int codes) {
        scratch = scratch.length < to - from ? new byte[2 * (to - from)] : scratch;
        int length = 0;
        for (int i = from; i < to; i++) {
            scratch[length] = bytes[i];
            length++;
            if (bytes[i] == '"') {
                i++;
            }
        }
        code(scratch, dialect.skipBlanks(scratch, 0, length), length, slot, rows, row, codes);
    }

    private void code(byte[] text, int from, int to, int slot, CodedRows rows, int row, int codes) {
        int last = to;
        while (dialect.trim() && last > from && dialect.isBlank(text[last - 1])) {
            last--;
        }
        if (slot == PERSON) {
            persons.mark(text, from, last, rows, row);
        } else {
            rows.codes()[codes + slot] = coders[slot].codeOf(text, from, last);
        }
    }

    /** The cells of a header as texts. */
    static List<String> names(CsvDialect dialect, byte[] record) {
        List<String> names = new ArrayList<>();
        int position = 0;
        while (position <= record.length) {
            int first = dialect.skipBlanks(record, position, record.length);
            int closing = dialect.quoted() && first < record.length && record[first] == '"'
                    ? dialect.closingQuote(record, first, record.length, true)
                    : CsvDialect.NOT_QUOTED;
            int stop = closing >= 0 ? closing : first;
            while (stop < record.length && record[stop] != dialect.delimiter()) {
                stop++;
            }
            String text = closing >= 0
                    ? text(record, first + 1, closing).replace("\"\"", "\"")
                    : text(record, first, beforeReturn(record, first, stop));
            names.add(text.strip());
            position = stop + 1;
        }
        return names;
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
