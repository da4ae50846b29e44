package dev.tacit.data.prepare;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A record whose cells hold what readers stumble over.
 *
 * @param cells a free text, a number, a category, a target, a person's identifier and another free text
 * @param seed of choices that a writer makes for this record
 */
record OddRecord(List<byte[]> cells, long seed) {
    static final List<String> NAMES = List.of("t", "a", "b", "y", "id", "u");
    static final int PERSON = 4;

    private static final List<byte[]> PIECES = new ArrayList<>();

    static {
        for (String piece : List.of(
                "\"",
                "\"\"",
                ",",
                "\n",
                "\r\n",
                "\r",
                "\n\n",
                "#",
                "\\",
                "\\\"",
                "\\\\",
                " ",
                "\t",
                "5",
                "u",
                "v",
                "1",
                "0",
                "é",
                "\0",
                "\ufeff",
                "{",
                "}",
                "[",
                "]",
                ":",
                "null",
                "x,y\n1,2\n",
                "\",\"",
                "\"\n",
                "\n\"",
                "\u2028",
                "\u0085",
                "\u000b",
                "\f",
                "'",
                ";",
                "|",
                "NaN",
                "-",
                "1e999",
                "\u001f",
                "PAR1",
                "#\n",
                "\"#",
                "]}",
                "},{")) {
            PIECES.add(piece.getBytes(StandardCharsets.UTF_8));
        }
        PIECES.add(new byte[] {(byte) 0xff});
        PIECES.add(new byte[] {(byte) 0xc3});
        PIECES.add(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}); // a lone surrogate
        PIECES.add("x".repeat(300).getBytes(StandardCharsets.UTF_8));
    }

    static OddRecord draw(Random random) {
        List<byte[]> cells = new ArrayList<>();
        cells.add(text(random));
        cells.add(random.nextInt(3) > 0 ? digits(random) : text(random));
        cells.add(random.nextInt(3) > 0 ? bytes(random.nextBoolean() ? "u" : "v") : text(random));
        cells.add(random.nextInt(4) > 0 ? bytes(random.nextBoolean() ? "1" : "0") : text(random));
        cells.add(bytes("p" + random.nextInt(4)));
        cells.add(text(random));
        return new OddRecord(cells, random.nextLong());
    }

    private static byte[] digits(Random random) {
        return bytes(Integer.toString(random.nextInt(11)));
    }

    private static byte[] text(Random random) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
            text.writeBytes(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toByteArray();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    String person() {
        return new String(cells.get(PERSON), StandardCharsets.UTF_8);
    }

    /** A text that shows what the cells hold. */
    String shown() {
        StringBuilder shown = new StringBuilder();
        for (byte[] cell : cells) {
            for (byte b : cell) {
                shown.append(b >= ' ' && b < 127 ? String.valueOf((char) b) : String.format("<%02x>", b));
            }
            shown.append(" | ");
        }
        return shown.toString();
    }
}
