package dev.tacit.data.catalogue.canonical;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Writes comma-separated rows; a cell with a comma, a quote or a line end is quoted (RFC 4180, line feeds). */
public final class CsvWriter implements AutoCloseable {
    private final Writer writer;
    private final int columns;

    public CsvWriter(Writer writer, List<String> header) throws IOException {
        this.writer = writer;
        this.columns = header.size();
        row(header);
    }

    public void row(List<String> cells) throws IOException {
        if (cells.size() != columns) {
            throw new IllegalArgumentException("a row has as many cells as the header");
        }
        for (int i = 0; i < columns; i++) {
            if (i > 0) {
                writer.write(',');
            }
            writer.write(quoted(cells.get(i)));
        }
        writer.write('\n');
    }

    /** A row whose cells are separated already. */
    public void line(String line) throws IOException {
        writer.write(line);
        writer.write('\n');
    }

    private static String quoted(String cell) {
        boolean plain = cell.indexOf(',') < 0 && cell.indexOf('"') < 0 && cell.indexOf('\n') < 0;
        return plain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
