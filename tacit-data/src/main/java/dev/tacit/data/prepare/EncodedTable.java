package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowStore;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.VoidReason;
import dev.tacit.data.source.table.Tables;
import dev.tacit.door.record.RecordBlock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows to be predicted or scored, encoded like the private records but not private themselves: they can be looked at,
 * and a missing value that the schema refuses is an error that names its row and column.
 *
 * @param names of the encoded columns
 * @param blocks the rows in the order of the file, {@link RowStore#BLOCK_ROWS} in each block but the last
 * @param labelled whether rows carry the target
 */
public record EncodedTable(List<String> names, List<RecordBlock> blocks, boolean labelled) {
    public EncodedTable {
        names = List.copyOf(names);
        blocks = List.copyOf(blocks);
    }

    /** How many rows there are. */
    public long rows() {
        return blocks.stream().mapToLong(RecordBlock::rows).sum();
    }

    /** The targets in the order of the file. */
    public double[] labels() {
        if (!labelled) {
            throw new IllegalStateException("the rows were read without their target");
        }
        double[] labels = new double[Math.toIntExact(rows())];
        int next = 0;
        for (RecordBlock block : blocks) {
            for (int row = 0; row < block.rows(); row++) {
                labels[next] = block.label(row);
                next++;
            }
        }
        return labels;
    }

    /** Reads a file; without {@code needTarget} the target need not be there and is not looked at. */
    public static EncodedTable read(Path file, Schema schema, boolean needTarget) {
        return read(file.toString(), schema, needTarget);
    }

    /** Reads a file or a {@code postgres:} URL. */
    public static EncodedTable read(String pathOrUrl, Schema schema, boolean needTarget) {
        if (needTarget && schema.target().isEmpty()) {
            throw new IllegalArgumentException("the schema declares no target");
        }
        DataLocation location = DataLocation.of(pathOrUrl);
        RecordEncoder encoder = RecordEncoder.ofPublicRows(schema, needTarget);
        List<RecordBlock> blocks = new ArrayList<>();
        EncodedRows open = new EncodedRows(encoder.shape(), RowStore.BLOCK_ROWS);
        long[] rowsBefore = {0};
        try (TableSource table = Tables.open(location, encoder.layout(), ReadingOptions.standard())) {
            table.read(rows -> Batch.of(rows, encoder), batch -> {
                batch.requireWhole(rowsBefore[0], location);
                for (int row = 0; row < batch.encoded().rows(); row++) {
                    open.append(batch.encoded(), row, 1);
                    if (open.rows() == RowStore.BLOCK_ROWS) {
                        blocks.add(open.toBlock());
                        open.clear();
                    }
                }
                rowsBefore[0] += batch.rows();
            });
        }
        if (open.rows() > 0) {
            blocks.add(open.toBlock());
        }
        return new EncodedTable(encoder.names(), blocks, needTarget);
    }

    /** Rows of one piece of the file, and what is said about the first of them that cannot be used. */
    private record Batch(int rows, EncodedRows encoded, Optional<String> problem) {
        static Batch of(CodedRows rows, RowEncoder encoder) {
            EncodedRows encoded = new EncodedRows(encoder.shape(), rows.rows());
            for (int row = 0; row < rows.rows(); row++) {
                if (!rows.isVoid(row)) {
                    int slot = encoder.encode(rows, row, encoded);
                    if (slot != RowEncoder.ENCODED) {
                        return new Batch(encoded.rows(), encoded, Optional.of(lacks(encoder, slot)));
                    }
                } else if (rows.voidReason(row) != VoidReason.COMMENT) {
                    String problem = " is " + rows.voidReason(row).label() + "; repair it or leave it out";
                    return new Batch(encoded.rows(), encoded, Optional.of(problem));
                }
            }
            return new Batch(encoded.rows(), encoded, Optional.empty());
        }

        private static String lacks(RowEncoder encoder, int slot) {
            return " has no usable value in column \""
                    + encoder.layout().columns().get(slot).name()
                    + "\", which the schema refuses; fill it in, leave the row out, or fit with another policy for "
                    + "missing values";
        }

        void requireWhole(long rowsBefore, DataLocation location) {
            if (problem.isPresent()) {
                throw new DataException("row " + (rowsBefore + rows + 1) + " of " + location.name() + problem.get());
            }
        }
    }
}
