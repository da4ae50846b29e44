package dev.tacit.data.source.csv;

import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.RowLayout;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;

/** Whole records of a part of a text file, read on one thread: what {@link CsvTable} reads, wherever files are cut. */
public final class CsvPart {
    private CsvPart() {}

    /**
     * What must be known of a file before a part of it is read.
     *
     * @param names of its columns
     * @param firstRecord the byte at which its first record begins
     */
    public record Form(List<String> names, long firstRecord) {}

    /** Reads the header, if there is one, and checks that all needed columns are there. */
    public static Form form(InputStream file, DataLocation location, RowLayout layout) throws IOException {
        CsvDialect dialect = dialect(location, layout);
        try {
            CsvSplitter splitter = new CsvSplitter(file, dialect, 1 << 14);
            List<String> names = layout.schema().format().header()
                    ? CsvTable.header(location, dialect, splitter)
                    : layout.schema().columns().stream().map(ColumnSchema::name).toList();
            CsvTable.requireColumns(location, layout, dialect, names);
            return new Form(names, splitter.position());
        } catch (CsvFault e) {
            throw e.about(location, dialect);
        }
    }

    /** Whether a file can be cut after any line end. */
    public static boolean linesAreRecords(DataLocation location, RowLayout layout) {
        return !location.compressed() && dialect(location, layout).linesAreRecords();
    }

    /**
     * Codes all records of a stream that begins and ends between records.
     *
     * @throws DataException if the part is not what its format asks for
     */
    public static void read(
            InputStream part, Form form, DataLocation location, RowLayout layout, Consumer<CodedRows> take)
            throws IOException {
        CsvDialect dialect = dialect(location, layout);
        CsvRecords records = new CsvRecords(
                dialect,
                layout,
                CsvRecords.slots(layout, form.names()),
                form.names().size());
        try {
            CsvSplitter splitter = CsvSplitter.ofLaterPart(part, dialect, CsvTable.chunkSize(layout));
            for (CsvSplitter.Chunk chunk = splitter.next(); chunk != null; chunk = splitter.next()) {
                take.accept(records.code(chunk));
            }
        } catch (CsvFault e) {
            throw e.about(location, dialect);
        }
    }

    private static CsvDialect dialect(DataLocation location, RowLayout layout) {
        return CsvDialect.of(layout.schema().format(), location.defaultDelimiter());
    }
}
