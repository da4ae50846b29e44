package dev.tacit.spark;

import dev.tacit.data.prepare.PartEncoder;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowStore;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.spark.read.PartReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes encoded parts of rows that are units each. */
final class PartBuilder {
    private PartBuilder() {}

    /** The records of a part. */
    static EncodedPart records(PartReader reader, Wanted wanted, Schema schema) throws IOException {
        PartEncoder encoder = wanted.encoder(schema).orElseThrow();
        Optional<RecordSketch.Builder> sketch = wanted.sketch(schema);
        EncodedRows open = new EncodedRows(encoder.shape(), RowStore.BLOCK_ROWS);
        List<RecordBlock> blocks = new ArrayList<>();
        reader.read(rows -> {
            sketch.ifPresent(each -> each.add(rows));
            EncodedRows encoded = encoder.encode(rows).encoded();
            if (open.rows() == 0 && encoded.rows() == RowStore.BLOCK_ROWS) {
                blocks.add(encoded.handOver()); // as Spark's batches are, most of the time
                return;
            }
            for (int row = 0; row < encoded.rows(); ) {
                int count = Math.min(encoded.rows() - row, RowStore.BLOCK_ROWS - open.rows());
                open.append(encoded, row, count);
                row += count;
                if (open.rows() == RowStore.BLOCK_ROWS) {
                    blocks.add(open.toBlock());
                    open.clear();
                }
            }
        });
        if (open.rows() > 0) {
            blocks.add(open.toBlock());
        }
        return new EncodedPart(
                encoder.shape().columns(),
                encoder.shape().labelled(),
                blocks,
                null,
                null,
                wanted.secret(),
                sketch.map(RecordSketch.Builder::part).orElse(null));
    }

    /** What the records of a part are, and nothing encoded. */
    static EncodedPart sketched(PartReader reader, Wanted wanted, Schema schema) throws IOException {
        RecordSketch.Builder sketch = wanted.sketch(schema).orElseThrow();
        reader.read(sketch::add);
        return new EncodedPart(0, false, List.of(), null, null, wanted.secret(), sketch.part());
    }

    /** Documents, which come encoded from their reader. */
    static EncodedPart documents(RecordSource documents, Wanted wanted, Optional<RecordSketch.Builder> sketch) {
        List<RecordBlock> blocks = new ArrayList<>();
        RecordSource.Reader reader = documents.reader();
        long count = (documents.rows() + documents.blockRows() - 1) / documents.blockRows();
        for (long block = 0; block < count; block++) {
            blocks.add(reader.block(block));
        }
        return new EncodedPart(
                documents.columns(),
                documents.labelled(),
                blocks,
                null,
                null,
                wanted.secret(),
                sketch.map(RecordSketch.Builder::part).orElse(null));
    }
}
