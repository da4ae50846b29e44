package dev.tacit.data.source.json;

import dev.tacit.data.source.CellCoder;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.ContentMark;
import dev.tacit.data.source.PersonMark;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.VoidReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Codes records of a JSON file: members that are not there, or not understood, are missing; one is made for each thread. */
final class JsonRecords {
    private static final int NOT_USED = -1;

    /** Longer names are looked up each time, so that no record leaves much behind. */
    private static final int LONGEST_USUAL_NAME = 256;

    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

    private final RowLayout layout;
    private final boolean trim;
    private final JsonObject object = new JsonObject();
    private final CellCoder[] coders;
    private final PersonMark persons;
    private final ContentMark contents;
    private final Map<ByteBuffer, Integer> slots = new HashMap<>();
    private final long[] seenIn;
    private byte[][] usualNames = new byte[0][];
    private int[] usualSlots = new int[0];
    private long record;
    private boolean nameTwice;
    private int member;

    JsonRecords(RowLayout layout) {
        this.layout = layout;
        this.trim = layout.schema().format().trim();
        this.coders = layout.columns().stream()
                .map(column -> CellCoder.of(column, layout.schema().format()))
                .toArray(CellCoder[]::new);
        this.persons = new PersonMark(layout.schema().format());
        this.contents = new ContentMark(layout.contentKey());
        List<String> names = layout.neededNames();
        for (int slot = 0; slot < names.size(); slot++) {
            slots.put(ByteBuffer.wrap(names.get(slot).getBytes(StandardCharsets.UTF_8)), slot);
        }
        this.seenIn = new long[names.size()];
    }

    CodedRows code(JsonChunk chunk) {
        CodedRows rows = new CodedRows(layout, chunk.count());
        for (int i = 0; i < chunk.count(); i++) {
            int row = rows.rows();
            rows.beginRow();
            if (chunk.isTooLong(i)) {
                rows.setVoid(row, VoidReason.TOO_LONG);
            } else {
                code(chunk.bytes(), chunk.from(i), chunk.to(i), rows, row);
            }
        }
        return rows;
    }

    private void code(byte[] bytes, int from, int to, CodedRows rows, int row) {
        record++;
        nameTwice = false;
        member = 0;
        Optional<VoidReason> reason =
                object.read(bytes, from, to, (name, nameFrom, nameTo, kind, text, textFrom, textTo) -> {
                    int slot = slot(name, nameFrom, nameTo);
                    if (slot != NOT_USED) {
                        nameTwice |= seenIn[slot] == record;
                        seenIn[slot] = record;
                        if (!isNull(kind, text, textFrom, textTo)) {
                            value(slot, text, textFrom, textTo, rows, row);
                        }
                    }
                });
        if (reason.isPresent() || nameTwice) {
            rows.setVoid(row, reason.orElse(VoidReason.NAME_TWICE));
        }
        if (contents.wanted()) {
            int last = to;
            while (last > from && JsonGrammar.isSpace(bytes[last - 1])) {
                last--;
            }
            contents.cell(bytes, from, last);
            contents.mark(rows, row);
        }
    }

    private static boolean isNull(JsonObject.Kind kind, byte[] text, int from, int to) {
        return kind == JsonObject.Kind.WORD && Arrays.equals(NULL, 0, NULL.length, text, from, to);
    }

    /** Where a member goes; in most files the same names come at the same places. */
    private int slot(byte[] name, int from, int to) {
        int place = member;
        member++;
        if (place < usualNames.length) {
            byte[] usual = usualNames[place];
            if (Arrays.equals(usual, 0, usual.length, name, from, to)) {
                return usualSlots[place];
            }
        }
        int slot = slots.getOrDefault(ByteBuffer.wrap(name, from, to - from), NOT_USED);
        boolean remembered = place == usualNames.length && place < 2 * seenIn.length + 64;
        if (remembered && to - from <= LONGEST_USUAL_NAME) {
            usualNames = Arrays.copyOf(usualNames, place + 1);
            usualSlots = Arrays.copyOf(usualSlots, place + 1);
            usualNames[place] = Arrays.copyOfRange(name, from, to);
            usualSlots[place] = slot;
        }
        return slot;
    }

    private void value(int slot, byte[] text, int first, int last, CodedRows rows, int row) {
        int from = first;
        int to = last;
        while (trim && from < to && isWhite(text[from])) {
            from++;
        }
        while (trim && to > from && isWhite(text[to - 1])) {
            to--;
        }
        if (slot == coders.length) {
            persons.mark(text, from, to, rows, row);
        } else {
            rows.setCode(row, slot, coders[slot], text, from, to);
        }
    }

    private static boolean isWhite(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }
}
