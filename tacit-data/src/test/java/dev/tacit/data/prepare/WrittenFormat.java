package dev.tacit.data.prepare;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Correct writers of the formats that are read, for tests: they share no code with the readers, and what they write for a
 * record depends on that record alone.
 */
enum WrittenFormat {
    CSV("t.csv", "comment: \"#\""),
    CSV_BACKSLASH("t.csv", "comment: \"#\", escape: backslash"),
    CSV_LINES("t.csv", "comment: \"#\", quote: none"),
    CSV_ESCAPED_LINES("t.csv", "quote: none, escape: backslash"),
    TEXT("t.txt", "");

    private final String fileName;
    private final String declared;

    WrittenFormat(String fileName, String declared) {
        this.fileName = fileName;
        this.declared = declared;
    }

    String fileName() {
        return fileName;
    }

    /** What the schema says of the format. */
    String declared() {
        return declared;
    }

    byte[] write(List<OddRecord> records, boolean carriageReturns) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        String lineEnd = carriageReturns && this != TEXT ? "\r\n" : "\n";
        if (this != TEXT) {
            file.writeBytes(OddRecord.bytes(String.join(",", OddRecord.NAMES) + lineEnd));
        }
        for (OddRecord record : records) {
            Random choices = new Random(record.seed());
            for (int column = 0; column < record.cells().size(); column++) {
                file.writeBytes(column == 0 ? new byte[0] : OddRecord.bytes(this == TEXT ? " " : ","));
                file.writeBytes(cell(record.cells().get(column), choices));
            }
            file.writeBytes(OddRecord.bytes(lineEnd));
        }
        return file.toByteArray();
    }

    private byte[] cell(byte[] cell, Random choices) {
        return switch (this) {
            case CSV -> needsQuotes(cell) || choices.nextInt(4) == 0 ? quoted(cell, "\"") : cell;
            case CSV_BACKSLASH -> needsQuotes(cell) || choices.nextInt(4) == 0 ? quoted(cell, "\\") : cell;
            case CSV_LINES -> replaced(cell, "\n,");
            case CSV_ESCAPED_LINES -> escaped(cell);
            case TEXT -> replaced(cell, "\n");
        };
    }

    private static boolean needsQuotes(byte[] cell) {
        String text = latin(cell);
        return text.contains("\"") || text.contains(",") || text.contains("\n") || text.contains("\r");
    }

    private static byte[] quoted(byte[] cell, String escape) {
        String text = latin(cell);
        String safe = escape.equals("\\") ? text.replace("\\", "\\\\") : text;
        return unlatin("\"" + safe.replace("\"", escape + "\"") + "\"");
    }

    private static byte[] escaped(byte[] cell) {
        return unlatin(latin(cell)
                .replace("\\", "\\\\")
                .replace(",", "\\,")
                .replace("\n", "\\\n")
                .replace("\r", "\\\r"));
    }

    /** A writer without quotes cannot write these characters. */
    private static byte[] replaced(byte[] cell, String characters) {
        String text = latin(cell);
        for (int i = 0; i < characters.length(); i++) {
            text = text.replace(characters.charAt(i), ' ');
        }
        return unlatin(text);
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] unlatin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
