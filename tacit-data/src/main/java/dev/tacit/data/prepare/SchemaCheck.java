package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.PersonIndex;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.CorpusSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.VoidReason;
import dev.tacit.data.source.table.Tables;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a table was cut and what of it a schema can use, for the eyes of its holder: exact counts, which nothing protects.
 *
 * <p>Nothing here is a value of a cell, and nothing here may be published or written where others can read it.
 *
 * @param records how many there are, void ones included and comments not
 * @param comments how many records begin with the character of comments
 * @param voids how many records count as nothing, by reason
 * @param refused how many are left out because a value is missing that the schema refuses
 * @param withoutPerson how many name no person, where persons are protected
 * @param beyondMost how many usable records persons have beyond the declared number
 * @param units how many units there are, usable or not
 * @param usableUnits how many units have a record that is used
 * @param columns what the cells of each column are
 */
public record SchemaCheck(
        long records,
        long comments,
        Map<VoidReason, Long> voids,
        long refused,
        long withoutPerson,
        long beyondMost,
        long units,
        long usableUnits,
        List<ColumnCheck> columns) {
    /**
     * What the cells of a column are, in records that are not void.
     *
     * @param column what is declared
     * @param missing empty, not there, or declared as missing
     * @param notUnderstood something that is neither declared nor a number where one is needed; it counts as missing
     * @param others of a category, values outside the list that count as other; of a binary column without negative
     *     values, those that are not positive
     * @param belowBounds numbers below the declared bounds
     * @param aboveBounds numbers above the declared bounds
     */
    public record ColumnCheck(
            ColumnSchema column, long missing, long notUnderstood, long others, long belowBounds, long aboveBounds) {}

    public SchemaCheck {
        voids = Map.copyOf(voids);
        columns = List.copyOf(columns);
    }

    /**
     * Counts.
     *
     * @throws dev.tacit.data.source.DataException as {@link Preparation#open} would
     */
    public static SchemaCheck of(DataLocation location, Schema schema, ReadingOptions options) {
        if (schema.corpus().isPresent()) {
            return ofDocuments(location, schema.corpus().get());
        }
        Counter counter = new Counter(RecordEncoder.of(withSomeBounds(schema)), schema);
        try (TableSource table = Tables.open(location, counter.encoder.layout(), options)) {
            table.read(counter::part, counter::take);
        }
        return counter.result();
    }

    /** Bounds that are to be bought do not decide which records are used. */
    private static Schema withSomeBounds(Schema schema) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            columns.add(
                    column instanceof NumberColumn number && number.bounds().isEmpty()
                            ? number.withBounds(new Bounds(0, 1))
                            : column);
        }
        return schema.withColumns(columns);
    }

    /** Of documents: those without a word of the vocabulary are left out of nothing, but say nothing. */
    private static SchemaCheck ofDocuments(DataLocation location, CorpusSchema schema) {
        try (RecordSource documents = Documents.privateRecords(location.address(), schema, Optional.empty())) {
            long empty = 0;
            RecordSource.Reader reader = documents.reader();
            for (long block = 0; block * documents.blockRows() < documents.rows(); block++) {
                SparseBlock rows = (SparseBlock) reader.block(block);
                for (int row = 0; row < rows.rows(); row++) {
                    empty += rows.start(row) == rows.end(row) ? 1 : 0;
                }
            }
            long all = documents.rows();
            return new SchemaCheck(all, 0, Map.of(), empty, 0, 0, all, all - empty, List.of());
        }
    }

    /** Counts of one piece of the table, and what is needed to count persons. */
    private record Part(CodedRows rows, boolean[] usable) {}

    private static final class Counter {
        private final RecordEncoder encoder;
        private final Schema schema;
        private final boolean persons;
        private final PersonIndex all = new PersonIndex(1);
        private final PersonIndex usable;
        private final Map<VoidReason, Long> voids = new EnumMap<>(VoidReason.class);
        private final long[][] cells;
        private long records;
        private long refused;
        private long withoutPerson;
        private long beyondMost;
        private long usableRecords;

        Counter(RecordEncoder encoder, Schema schema) {
            this.encoder = encoder;
            this.schema = schema;
            this.persons = encoder.layout().idColumn().isPresent();
            this.usable = new PersonIndex(schema.unit().maxRecords());
            this.cells = new long[encoder.layout().width()][5];
        }

        Part part(CodedRows rows) {
            boolean[] whole = new boolean[rows.rows()];
            EncodedRows scratch = new EncodedRows(encoder.shape(), 1);
            for (int row = 0; row < whole.length; row++) {
                whole[row] = !rows.isVoid(row) && encoder.encode(rows, row, scratch) == RowEncoder.ENCODED;
                scratch.clear();
            }
            return new Part(rows, whole);
        }

        void take(Part part) {
            CodedRows rows = part.rows();
            for (int row = 0; row < rows.rows(); row++) {
                records++;
                if (rows.isVoid(row)) {
                    voids.merge(rows.voidReason(row), 1L, Long::sum);
                } else {
                    record(rows, row, part.usable()[row]);
                }
            }
            for (int slot = 0; slot < cells.length; slot++) {
                cells[slot][1] += rows.notUnderstood(slot);
            }
        }

        private void record(CodedRows rows, int row, boolean whole) {
            for (int slot = 0; slot < cells.length; slot++) {
                cell(slot, rows.codes()[row * rows.width() + slot]);
            }
            boolean named = persons && (rows.idHalf(row, 0) != 0 || rows.idHalf(row, 1) != 0);
            if (named) {
                all.add(rows.idHalf(row, 0), rows.idHalf(row, 1));
            }
            if (!whole) {
                refused++;
            } else if (!persons) {
                usableRecords++;
            } else if (named && !usable.add(rows.idHalf(row, 0), rows.idHalf(row, 1))) {
                beyondMost++;
            }
            withoutPerson += persons && !named ? 1 : 0;
        }

        private void cell(int slot, double code) {
            ColumnSchema column =
                    schema.column(encoder.layout().columns().get(slot).name());
            long[] counts = cells[slot];
            if (Double.isNaN(code)) {
                counts[0]++;
            } else if (column instanceof CategoryColumn category) {
                counts[2] += code >= category.categories().size() ? 1 : 0;
            } else if (column instanceof BinaryColumn binary) {
                counts[2] += binary.negative().isEmpty() && code == 0 ? 1 : 0;
            } else if (column instanceof NumberColumn number && number.bounds().isPresent()) {
                counts[3] += code < number.bounds().get().lower() ? 1 : 0;
                counts[4] += code > number.bounds().get().upper() ? 1 : 0;
            }
        }

        SchemaCheck result() {
            List<ColumnCheck> columns = new ArrayList<>();
            RowLayout layout = encoder.layout();
            for (int slot = 0; slot < cells.length; slot++) {
                long[] counts = cells[slot];
                columns.add(new ColumnCheck(
                        schema.column(layout.columns().get(slot).name()),
                        Math.max(0, counts[0] - counts[1]),
                        counts[1],
                        counts[2],
                        counts[3],
                        counts[4]));
            }
            long comments = voids.getOrDefault(VoidReason.COMMENT, 0L);
            voids.remove(VoidReason.COMMENT);
            return new SchemaCheck(
                    records - comments,
                    comments,
                    voids,
                    refused,
                    withoutPerson,
                    beyondMost,
                    persons ? all.persons() : records - comments,
                    persons ? usable.persons() : usableRecords,
                    columns);
        }
    }
}
