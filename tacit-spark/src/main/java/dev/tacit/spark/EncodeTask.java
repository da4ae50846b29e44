package dev.tacit.spark;

import dev.tacit.data.schema.Schema;
import dev.tacit.spark.read.PartReader;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;

/** Reads and encodes one part of a table on an executor, or sketches it. */
final class EncodeTask<T> implements FlatMapFunction<Iterator<T>, EncodedPart> {
    private static final long serialVersionUID = 1L;

    private final PartSource.Reading<T> reading;
    private final Wanted wanted;

    EncodeTask(PartSource.Reading<T> reading, Wanted wanted) {
        this.reading = reading;
        this.wanted = wanted;
    }

    @Override
    public Iterator<EncodedPart> call(Iterator<T> handed) {
        return TaskFailure.guarded(() -> {
            Schema schema = wanted.schema();
            PartReader reader = reading.of(handed, wanted.layout(schema));
            EncodedPart part = wanted.purpose() == Wanted.Purpose.SKETCH
                    ? PartBuilder.sketched(reader, wanted, schema)
                    : PartBuilder.records(reader, wanted, schema);
            return List.of(part).iterator();
        });
    }
}
