package dev.tacit.audit.reader;

import dev.tacit.data.schema.CorpusSchema;
import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Correct writers of the formats that are read: they share no code with the readers, and what they write for a record
 * depends on that record alone.
 */
final class TableWriter {
    private final Schema schema;
    private final String ending;

    private TableWriter(Schema schema, String ending) {
        this.schema = schema;
        this.ending = ending;
    }

    /** The writer of the format that a file of this name and schema is read in, if there is one. */
    static Optional<TableWriter> of(Schema schema, String fileName) {
        String lower = fileName.toLowerCase(Locale.ROOT);
        if (schema.corpus().isPresent()) {
            return schema.corpus().get().format() == CorpusSchema.Format.TEXT
                    ? Optional.of(new TableWriter(schema, ".txt"))
                    : Optional.empty();
        }
        for (String ending : List.of(".csv", ".tsv", ".ndjson", ".jsonl", ".json")) {
            if (lower.endsWith(ending)) {
                return Optional.of(new TableWriter(schema, ending));
            }
        }
        return Optional.empty();
    }

    String ending() {
        return ending;
    }

    /** The text of a file of these records. */
    String write(List<List<String>> records) {
        if (schema.corpus().isPresent()) {
            StringBuilder text = new StringBuilder();
            for (List<String> record : records) {
                text.append(String.join(" ", record).replace('\n', ' ')).append('\n');
            }
            return text.toString();
        }
        return ending.equals(".csv") || ending.equals(".tsv") ? separated(records) : json(records);
    }

    private String separated(List<List<String>> records) {
        FileFormat format = schema.format();
        char delimiter = format.delimiter().orElse(ending.equals(".tsv") ? '\t' : ',');
        StringBuilder text = new StringBuilder();
        if (format.header()) {
            List<String> names = new ArrayList<>();
            schema.columns().forEach(column -> names.add(column.name()));
            line(text, names, format, delimiter);
        }
        for (List<String> record : records) {
            line(text, record, format, delimiter);
        }
        return text.toString();
    }

    private static void line(StringBuilder text, List<String> cells, FileFormat format, char delimiter) {
        for (int column = 0; column < cells.size(); column++) {
            text.append(column == 0 ? "" : String.valueOf(delimiter))
                    .append(cell(cells.get(column), format, delimiter));
        }
        text.append('\n');
    }

    private static String cell(String cell, FileFormat format, char delimiter) {
        if (format.quoted()) {
            boolean needed = cell.indexOf('"') >= 0
                    || cell.indexOf(delimiter) >= 0
                    || cell.indexOf('\n') >= 0
                    || cell.indexOf('\r') >= 0
                    || (format.escaped() && cell.indexOf('\\') >= 0);
            String safe =
                    format.escaped() ? cell.replace("\\", "\\\\").replace("\"", "\\\"") : cell.replace("\"", "\"\"");
            return needed ? "\"" + safe + "\"" : cell;
        }
        if (format.escaped()) {
            return cell.replace("\\", "\\\\")
                    .replace(String.valueOf(delimiter), "\\" + delimiter)
                    .replace("\n", "\\\n")
                    .replace("\r", "\\\r");
        }
        return cell.replace('\n', ' ').replace(delimiter, ' '); // such a writer cannot write these
    }

    private String json(List<List<String>> records) {
        List<String> elements = new ArrayList<>();
        for (List<String> record : records) {
            List<String> fields = new ArrayList<>();
            for (int column = 0; column < record.size(); column++) {
                fields.add(quoted(schema.columns().get(column).name()) + ":" + quoted(record.get(column)));
            }
            elements.add("{" + String.join(",", fields) + "}");
        }
        return ending.equals(".json")
                ? "[" + String.join(",", elements) + "]"
                : elements.isEmpty() ? "" : String.join("\n", elements) + "\n";
    }

    private static String quoted(String text) {
        StringBuilder safe = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                safe.append('\\').append(c);
            } else if (c < ' ') {
                safe.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                safe.append(c);
            }
        }
        return safe.append('"').toString();
    }
}
