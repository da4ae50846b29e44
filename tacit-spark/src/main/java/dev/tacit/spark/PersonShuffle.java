package dev.tacit.spark;

import dev.tacit.data.prepare.PartEncoder;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.PersonIndex;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.prepare.rows.RowStore;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.spark.read.PartReader;
import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.Function2;
import scala.Tuple2;

/**
 * Brings the records of each person together, once, when a table is opened.
 *
 * <pre>
 *   key of a row = mark of its person (128 bits), part, row within the part          sorted as unsigned bytes
 *   a part after the shuffle = whole stretches: persons whose marks begin alike
 *   key of the sketch of a part = no mark (128 bits of zero), part
 * </pre>
 *
 * A key belongs to one row, so the order after a lost executor is the order before. A person's first rows in the order of the table
 * are the ones that count, as on one machine; further ones are dropped within their part, before they take memory, and where parts meet. How many persons a stretch has, on
 * average, follows from the declared number ({@link PersonIndex}), so batches do not depend on how many parts there are.
 *
 * <p>What the records are, if they are sketched, is found in the same reading and goes the same way: a ledger knows the records that
 * were encoded, whatever happens to the table meanwhile.
 */
final class PersonShuffle {
    private static final int MARK_BYTES = 2 * Long.BYTES;
    private static final int KEY_BYTES = MARK_BYTES + Long.BYTES;

    /** Of rows that name no person, which are left out. */
    private static final byte[] NO_MARK = new byte[MARK_BYTES];

    private static final int PART_SHIFT = 40;

    private PersonShuffle() {}

    /** Encoded parts of whole persons. */
    static <T> JavaRDD<EncodedPart> persons(PartSource<T> source, Wanted wanted, Schema schema, int parts) {
        int bits = PersonIndex.stretchBits(schema.size());
        int most = Math.max(1, Math.min(parts, 1 << bits));
        JavaRDD<Tuple2<byte[], byte[]>> rows =
                source.parts().mapPartitionsWithIndex(new KeyedRows<>(source.reading(), wanted), true);
        return JavaPairRDD.fromJavaRDD(rows)
                .repartitionAndSortWithinPartitions(new StretchPartitioner(bits, most), new KeyOrder())
                .mapPartitions(new PersonParts(wanted, bits), true);
    }

    /** By bytes without sign. */
    private static final class KeyOrder implements Comparator<byte[]>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public int compare(byte[] one, byte[] other) {
            return Arrays.compareUnsigned(one, other);
        }
    }

    /** Ranges of stretches. */
    private static final class StretchPartitioner extends Partitioner {
        private static final long serialVersionUID = 1L;

        private final int bits;
        private final int parts;

        StretchPartitioner(int bits, int parts) {
            this.bits = bits;
            this.parts = parts;
        }

        @Override
        public int numPartitions() {
            return parts;
        }

        @Override
        public int getPartition(Object key) {
            long stretch = PersonIndex.stretch(ByteBuffer.wrap((byte[]) key).getLong(), bits);
            return (int) ((stretch * parts) >>> bits);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof StretchPartitioner same && same.bits == bits && same.parts == parts;
        }

        @Override
        public int hashCode() {
            return 31 * bits + parts;
        }
    }

    /** Encodes the rows of a part and gives each its key; rows that name no person are left out. */
    private static final class KeyedRows<T>
            implements Function2<Integer, Iterator<T>, Iterator<Tuple2<byte[], byte[]>>> {
        private static final long serialVersionUID = 1L;

        private final PartSource.Reading<T> reading;
        private final Wanted wanted;

        KeyedRows(PartSource.Reading<T> reading, Wanted wanted) {
            this.reading = reading;
            this.wanted = wanted;
        }

        @Override
        public Iterator<Tuple2<byte[], byte[]>> call(Integer part, Iterator<T> handed) {
            return TaskFailure.guarded(() -> {
                Schema schema = wanted.schema();
                PartEncoder encoder = wanted.encoder(schema).orElseThrow();
                PartReader reader = reading.of(handed, wanted.layout(schema));
                long firstPlace = (long) part << PART_SHIFT;
                Optional<RecordSketch.Builder> sketch = wanted.sketch(schema);
                List<Tuple2<byte[], byte[]>> keyed =
                        keyed(reader, encoder, schema.unit().maxRecords(), firstPlace, sketch);
                sketch.ifPresent(each -> keyed.add(new Tuple2<>(key(0, 0, firstPlace), bytes(each.part()))));
                return keyed.iterator();
            });
        }

        /** Rows come in the order of the table, so those beyond a person's first in a part would not count anyway. */
        private static List<Tuple2<byte[], byte[]>> keyed(
                PartReader reader,
                PartEncoder encoder,
                int maxRecords,
                long firstPlace,
                Optional<RecordSketch.Builder> sketch)
                throws IOException {
            Map<PersonBits, Integer> counts = new HashMap<>();
            List<Tuple2<byte[], byte[]>> keyed = new ArrayList<>();
            long[] place = {firstPlace};
            reader.read(rows -> {
                sketch.ifPresent(each -> each.add(rows));
                PartEncoder.Batch batch = encoder.encode(rows);
                RecordBlock block = batch.encoded().toBlock();
                for (int row = 0; row < block.rows(); row++) {
                    long high = rows.idHalf(batch.from()[row], 0);
                    long low = rows.idHalf(batch.from()[row], 1);
                    boolean named = high != 0 || low != 0;
                    if (named && counts.merge(new PersonBits(high, low), 1, PersonShuffle::sum) <= maxRecords) {
                        keyed.add(new Tuple2<>(key(high, low, place[0]++), bytes(block, row)));
                    }
                }
            });
            return keyed;
        }
    }

    private static byte[] key(long high, long low, long place) {
        return ByteBuffer.allocate(KEY_BYTES)
                .putLong(high)
                .putLong(low)
                .putLong(place)
                .array();
    }

    private static boolean isSketch(byte[] key) {
        return Arrays.equals(key, 0, MARK_BYTES, NO_MARK, 0, MARK_BYTES);
    }

    /** How many halves of hashes, these, and the rest. */
    private static byte[] bytes(RecordSketch.Part sketch) {
        long[] hashes = sketch.hashes();
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * (1 + hashes.length + sketch.sequence().length));
        bytes.asLongBuffer().put(hashes.length).put(hashes).put(sketch.sequence());
        return bytes.array();
    }

    private static RecordSketch.Part sketch(byte[] bytes) {
        LongBuffer numbers = ByteBuffer.wrap(bytes).asLongBuffer();
        long[] hashes = new long[Math.toIntExact(numbers.get())];
        numbers.get(hashes);
        long[] sequence = new long[numbers.remaining()];
        numbers.get(sequence);
        return new RecordSketch.Part(hashes, sequence);
    }

    /** The mark of a person. */
    private record PersonBits(long high, long low) {}

    /** Of a person's rows; it stays where it cannot grow. */
    private static int sum(int count, int more) {
        return count == Integer.MAX_VALUE ? count : count + more;
    }

    /** A row: its label, then numbers, or places and numbers. */
    private static byte[] bytes(RecordBlock block, int row) {
        if (block instanceof SparseBlock sparse) {
            int count = sparse.end(row) - sparse.start(row);
            ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES + count * (Integer.BYTES + Double.BYTES));
            bytes.putDouble(block.label(row));
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                bytes.putInt(sparse.columnIndices()[entry]).putDouble(sparse.values()[entry]);
            }
            return bytes.array();
        }
        DenseBlock dense = (DenseBlock) block;
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * (1 + block.columns()));
        bytes.putDouble(block.label(row));
        for (int i = dense.start(row); i < dense.start(row + 1); i++) {
            bytes.putDouble(dense.values()[i]);
        }
        return bytes.array();
    }

    private static void add(ByteBuffer bytes, RowShape shape, EncodedRows rows) {
        double label = bytes.getDouble();
        rows.beginRow();
        for (int column = 0; bytes.hasRemaining(); column++) {
            rows.put(shape.sparse() ? bytes.getInt() : column, bytes.getDouble());
        }
        rows.endRow(label);
    }

    /** Makes an encoded part of sorted rows. */
    private static final class PersonParts implements FlatMapFunction<Iterator<Tuple2<byte[], byte[]>>, EncodedPart> {
        private static final long serialVersionUID = 1L;

        private final Wanted wanted;
        private final int bits;

        PersonParts(Wanted wanted, int bits) {
            this.wanted = wanted;
            this.bits = bits;
        }

        @Override
        public Iterator<EncodedPart> call(Iterator<Tuple2<byte[], byte[]>> rows) {
            return TaskFailure.guarded(() -> List.of(part(rows)).iterator());
        }

        private EncodedPart part(Iterator<Tuple2<byte[], byte[]>> rows) {
            Schema schema = wanted.schema();
            RowShape shape = wanted.encoder(schema).orElseThrow().shape();
            int maxRecords = schema.unit().maxRecords();
            EncodedRows open = new EncodedRows(shape, RowStore.BLOCK_ROWS);
            List<RecordBlock> blocks = new ArrayList<>();
            Growing starts = new Growing();
            Growing stretches = new Growing();
            byte[] person = null;
            long count = 0;
            int ofPerson = 0;
            Optional<RecordSketch.Builder> sketched = wanted.sketch(schema);
            while (rows.hasNext()) {
                Tuple2<byte[], byte[]> row = rows.next();
                if (isSketch(row._1())) {
                    sketched.orElseThrow().add(sketch(row._2()));
                    continue;
                }
                if (person == null || !Arrays.equals(person, 0, MARK_BYTES, row._1(), 0, MARK_BYTES)) {
                    person = row._1();
                    ofPerson = 0;
                    long stretch = PersonIndex.stretch(ByteBuffer.wrap(person).getLong(), bits);
                    if (stretches.size == 0 || stretches.values[stretches.size - 2] != stretch) {
                        stretches.add(stretch);
                        stretches.add(starts.size);
                    }
                    starts.add(count);
                }
                if (ofPerson == maxRecords) {
                    continue;
                }
                ofPerson++;
                count++;
                add(ByteBuffer.wrap(row._2()), shape, open);
                if (open.rows() == RowStore.BLOCK_ROWS) {
                    blocks.add(open.toBlock());
                    open.clear();
                }
            }
            if (open.rows() > 0) {
                blocks.add(open.toBlock());
            }
            starts.add(count);
            return new EncodedPart(
                    shape.columns(),
                    shape.labelled(),
                    blocks,
                    starts.array(),
                    stretches.array(),
                    wanted.secret(),
                    sketched.map(RecordSketch.Builder::part).orElse(null));
        }
    }

    /** Numbers that become more. */
    private static final class Growing {
        private long[] values = new long[64];
        private int size;

        void add(long value) {
            values = size == values.length ? Arrays.copyOf(values, 2 * size) : values;
            values[size] = value;
            size++;
        }

        long[] array() {
            return Arrays.copyOf(values, size);
        }
    }
}
