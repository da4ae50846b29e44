package dev.tacit.spark;

import dev.tacit.data.prepare.Documents;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.RecordSource;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.util.SerializableConfiguration;

/** Reads documents, one a line, on an executor. */
final class DocumentTask implements FlatMapFunction<Iterator<TextSplit>, EncodedPart> {
    private static final long serialVersionUID = 1L;

    private final SerializableConfiguration configuration;
    private final Wanted wanted;

    DocumentTask(SerializableConfiguration configuration, Wanted wanted) {
        this.configuration = configuration;
        this.wanted = wanted;
    }

    @Override
    public Iterator<EncodedPart> call(Iterator<TextSplit> splits) {
        return TaskFailure.guarded(() -> List.of(part(splits)).iterator());
    }

    /** One range; none if the files have no bytes, which is a table without documents. */
    private EncodedPart part(Iterator<TextSplit> splits) throws Exception {
        Schema schema = wanted.schema();
        Optional<RecordSketch.Builder> sketch = wanted.sketch(schema);
        try (InputStream in = splits.hasNext() ? splits.next().open(configuration) : InputStream.nullInputStream()) {
            RecordSource documents = Documents.privatePart(in, schema.corpus().orElseThrow(), sketch);
            return PartBuilder.documents(documents, wanted, sketch);
        }
    }
}
