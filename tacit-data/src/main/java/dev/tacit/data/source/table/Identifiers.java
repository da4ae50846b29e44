package dev.tacit.data.source.table;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.csv.CsvDialect;
import dev.tacit.data.source.csv.CsvRecords;
import dev.tacit.data.source.csv.CsvSplitter;
import dev.tacit.data.source.csv.CsvTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The cells of one column of public rows, as texts, so that predictions can be told apart. */
public final class Identifiers {
    private static final int CHUNK = 1 << 16;

    private Identifiers() {}

    /**
     * Reads a column of a text file, in the order of its rows.
     *
     * @throws DataException if it is no text file or has no such column
     */
    public static List<String> read(String pathOrUrl, Schema schema, String column) {
        DataLocation location = DataLocation.of(pathOrUrl);
        if (location.kind() != DataLocation.Kind.CSV) {
            throw new DataException("identifiers are read from text files, and " + location.name()
                    + " is none; write it as CSV, or match predictions by their order");
        }
        FileFormat format = schema.format();
        CsvDialect dialect = CsvDialect.of(format, location.defaultDelimiter());
        try (InputStream in = CsvTable.stream(location)) {
            CsvSplitter splitter = new CsvSplitter(in, dialect, CHUNK);
            List<String> names = format.header()
                    ? CsvTable.header(location, dialect, splitter)
                    : schema.columns().stream().map(ColumnSchema::name).toList();
            int place = names.indexOf(column);
            if (place < 0) {
                throw new DataException(location.name() + " has no column \"" + column + "\" for identifiers");
            }
            List<String> cells = new ArrayList<>();
            for (CsvSplitter.Chunk record = splitter.nextRecord(); record != null; record = splitter.nextRecord()) {
                List<String> texts = CsvRecords.texts(dialect, record);
                boolean blank = texts.size() == 1 && texts.get(0).isBlank() && names.size() > 1;
                if (!blank) {
                    cells.add(place < texts.size() ? texts.get(place) : "");
                }
            }
            return cells;
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }
}
