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
    NDJSON("t.ndjson", "trim: true"),
    JSON_ARRAY("t.json", "trim: true"),
    PARQUET("t.parquet", "trim: true"),
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
        return switch (this) {
            case PARQUET -> ParquetFile.of(records);
            case NDJSON, JSON_ARRAY -> json(records, carriageReturns);
            default -> text(records, carriageReturns && this != TEXT ? "\r\n" : "\n");
        };
    }

    private byte[] text(List<OddRecord> records, String lineEnd) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
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

    private byte[] json(List<OddRecord> records, boolean spaced) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        String space = spaced ? " " : "";
        file.writeBytes(OddRecord.bytes(this == JSON_ARRAY ? space + "[" + space : ""));
        for (int i = 0; i < records.size(); i++) {
            file.writeBytes(OddRecord.bytes(i > 0 && this == JSON_ARRAY ? "," + (spaced ? "\n" : "") : ""));
            file.writeBytes(unlatin(element(records.get(i), space)));
            file.writeBytes(OddRecord.bytes(this == JSON_ARRAY ? space : spaced ? "\r\n" : "\n"));
        }
        file.writeBytes(OddRecord.bytes(this == JSON_ARRAY ? "]" + space : ""));
        return file.toByteArray();
    }

    /** An object whose structure is right; in a file of lines it may be cut off, too. */
    private String element(OddRecord record, String space) {
        Random choices = new Random(record.seed());
        StringBuilder text = new StringBuilder("{" + space);
        for (int column = 0; column < record.cells().size(); column++) {
            boolean isPerson = column == OddRecord.PERSON;
            String name = OddRecord.NAMES.get(choices.nextInt(40) == 0 && !isPerson ? 0 : column);
            text.append(column == 0 ? "" : "," + space)
                    .append(
                            choices.nextInt(20) == 0
                                    ? "\"\\u00" + Integer.toHexString(name.charAt(0)) + name.substring(1)
                                    : "\"" + name)
                    .append("\"" + space + ":" + space)
                    .append(
                            isPerson
                                    ? "\"" + record.person() + "\""
                                    : value(record.cells().get(column), choices));
        }
        text.append('}');
        return switch (choices.nextInt(30)) {
            case 0 -> "[".repeat(2000) + text + "]".repeat(2000);
            case 1 -> "\"" + escapedJson(latin(record.cells().get(0))) + "\"";
            case 2 -> "null";
            case 3 -> this == NDJSON ? text.substring(0, 1 + choices.nextInt(text.length() - 1)) : "NaN";
            case 4 -> this == NDJSON ? text + "}]\"{" : "{}";
            default -> text.toString();
        };
    }

    private static String value(byte[] cell, Random choices) {
        return switch (choices.nextInt(14)) {
            case 0 -> "NaN";
            case 1 -> "null";
            case 2 -> "{\"a\": [1, \"}]\\\"\"]}";
            case 3 -> "-1.5e3";
            case 4 -> "\"\\ud800" + escapedJson(latin(cell)) + "\"";
            case 5 -> "\"" + escapedJson(latin(cell)) + "\\q\"";
            case 6 -> "\"\\ud83d\\ude00\\u12\"";
            case 7 -> "\"\\udc00\\ud800\\u0041\"";
            default -> "\"" + escapedJson(latin(cell)) + "\"";
        };
    }

    private static String escapedJson(String text) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                safe.append('\\').append(c);
            } else if (c == '\n') {
                safe.append("\\n");
            } else if (c < ' ' && c != '\r') {
                safe.append(String.format("\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.toString();
    }

    private byte[] cell(byte[] cell, Random choices) {
        return switch (this) {
            case CSV -> needsQuotes(cell) || choices.nextInt(4) == 0 ? quoted(cell, "\"") : cell;
            case CSV_BACKSLASH -> needsQuotes(cell) || choices.nextInt(4) == 0 ? quoted(cell, "\\") : cell;
            case CSV_LINES -> replaced(cell, "\n,");
            case CSV_ESCAPED_LINES -> escaped(cell);
            case TEXT -> replaced(cell, "\n");
            default -> throw new IllegalStateException("not a text of cells");
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
