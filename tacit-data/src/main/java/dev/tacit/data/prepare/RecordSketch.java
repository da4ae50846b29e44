package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.RowLayout;
import dev.tacit.data.source.SketchKey;
import dev.tacit.data.source.TableSource;
import dev.tacit.data.source.table.Tables;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.crypto.Mac;

/**
 * A small image of a body of records, by which its holder can tell whether two tables hold the same people: the
 * {@value #LARGEST} smallest keyed hashes of its units (Broder 1997; a bottom-k sketch), and a keyed digest of all
 * records in their order.
 *
 * <p>A unit is a record with all its cells as they stand in the file, whatever columns a schema names, or a person's
 * identifier. Hashes are 128 bits of HMAC-SHA-256. Whoever has the key can test whether a guessed record is among those
 * of the sketch, and a sketch of few records shows how many there are: sketches stay with the records' holder, in files
 * that only they can read.
 *
 * @param keyMark equal for sketches under one key
 * @param persons whether units are persons
 * @param hashes the smallest hashes, ascending, each once
 * @param digest of all records in their order
 */
public record RecordSketch(long keyMark, boolean persons, List<Hash> hashes, String digest) {
    /** How many hashes are kept at most. */
    public static final int LARGEST = 4096;

    private static final HexFormat HEX = HexFormat.of();

    /**
     * 128 bits, ordered as unsigned numbers.
     *
     * @param high the higher half
     * @param low the lower half
     */
    public record Hash(long high, long low) implements Comparable<Hash> {
        @Override
        public int compareTo(Hash other) {
            int byHigh = Long.compareUnsigned(high, other.high);
            return byHigh != 0 ? byHigh : Long.compareUnsigned(low, other.low);
        }
    }

    /**
     * An estimated share.
     *
     * @param share between 0 and 1; 0 if nothing could be compared
     * @param compared of how many units: the estimate's standard deviation is at most 0.5 / √compared, and 0 if
     *     {@code exact}
     * @param exact whether both sketches hold all units
     */
    public record Share(double share, int compared, boolean exact) {}

    public RecordSketch {
        hashes = List.copyOf(hashes);
    }

    /**
     * Sketches a table in a pass of its own.
     *
     * @throws dev.tacit.data.source.DataException as {@link Preparation#open} would
     */
    public static RecordSketch of(DataLocation location, Schema schema, SketchKey key, ReadingOptions options) {
        Builder sketch = new Builder(key, schema.unit().idColumn().isPresent());
        if (schema.corpus().isPresent()) {
            Documents.sketch(location.address(), schema.corpus().get(), sketch);
        } else {
            try (TableSource table = Tables.open(location, RowLayout.ofContents(schema, key), options)) {
                table.read(rows -> rows, sketch::add);
            }
        }
        return sketch.build();
    }

    /**
     * The estimated Jaccard similarity of two bodies of records: units in both over units in either.
     *
     * <p>Of the smallest hashes of the union, the share that is in both. Two empty tables are equal.
     */
    public Share overlap(RecordSketch other) {
        requireComparable(other);
        Hash last = known(other);
        SortedSet<Hash> union = new TreeSet<>(hashes);
        union.addAll(other.hashes);
        SortedSet<Hash> mine = new TreeSet<>(hashes);
        SortedSet<Hash> theirs = new TreeSet<>(other.hashes);
        int compared = 0;
        int both = 0;
        for (Hash hash : union) {
            if (last == null || hash.compareTo(last) <= 0) {
                compared++;
                both += mine.contains(hash) && theirs.contains(hash) ? 1 : 0;
            }
        }
        boolean exact = isWhole() && other.isWhole();
        return new Share(compared == 0 ? (exact ? 1 : 0) : (double) both / compared, compared, exact);
    }

    /**
     * The estimated share of these units that are among the other's.
     *
     * <p>Of those of these hashes that are small enough for the other sketch to hold them, the share that it holds. If
     * these are few and the others many, few can be compared: {@link Share#compared} says how many.
     */
    public Share containedIn(RecordSketch other) {
        requireComparable(other);
        Hash last = known(other);
        SortedSet<Hash> theirs = new TreeSet<>(other.hashes);
        int compared = 0;
        int both = 0;
        for (Hash hash : hashes) {
            if (last == null || hash.compareTo(last) <= 0) {
                compared++;
                both += theirs.contains(hash) ? 1 : 0;
            }
        }
        return new Share(compared == 0 ? 0 : (double) both / compared, compared, isWhole() && other.isWhole());
    }

    /** The sketch of all units of both bodies; the digest is this one's. */
    public RecordSketch union(RecordSketch other) {
        requireComparable(other);
        SortedSet<Hash> both = new TreeSet<>(hashes);
        both.addAll(other.hashes);
        List<Hash> smallest = both.stream().limit(LARGEST).toList();
        return new RecordSketch(keyMark, persons, smallest, digest);
    }

    /** Whether the same records stand in the same order. */
    public boolean sameRecords(RecordSketch other) {
        requireComparable(other);
        return digest.equals(other.digest);
    }

    /** Whether two sketches were made under one key and of units of one kind. */
    public boolean comparable(RecordSketch other) {
        return keyMark == other.keyMark && persons == other.persons;
    }

    private void requireComparable(RecordSketch other) {
        if (!comparable(other)) {
            throw new IllegalArgumentException("sketches are compared under one key and for units of one kind");
        }
    }

    /** The largest hash up to which both sketches hold all that there are; null if both hold all. */
    private Hash known(RecordSketch other) {
        Hash mine = isWhole() ? null : hashes.get(hashes.size() - 1);
        Hash theirs = other.isWhole() ? null : other.hashes.get(other.hashes.size() - 1);
        return mine == null || (theirs != null && theirs.compareTo(mine) < 0) ? theirs : mine;
    }

    /** Whether every unit's hash is here. */
    private boolean isWhole() {
        return hashes.size() < LARGEST;
    }

    /** As a value for {@link dev.tacit.json.Json}; for the holder's own files only. */
    public Map<String, Object> toJson() {
        StringBuilder text = new StringBuilder();
        for (Hash hash : hashes) {
            text.append(HEX.toHexDigits(hash.high())).append(HEX.toHexDigits(hash.low()));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("key", HEX.toHexDigits(keyMark));
        json.put("unit", persons ? "person" : "record");
        json.put("digest", digest);
        json.put("hashes", text.toString());
        return json;
    }

    /** Reads {@link #toJson} back. */
    public static RecordSketch fromJson(Object json, String path) {
        JsonFields fields = JsonFields.of(json, path);
        String key = fields.text("key");
        String unit = fields.text("unit");
        String digest = fields.text("digest");
        String text = fields.text("hashes");
        fields.end();
        try {
            byte[] bytes = HEX.parseHex(text);
            List<Hash> hashes = new ArrayList<>();
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                hashes.add(new Hash(buffer.getLong(), buffer.getLong()));
            }
            return new RecordSketch(HexFormat.fromHexDigitsToLong(key), unit.equals("person"), hashes, digest);
        } catch (IllegalArgumentException | java.nio.BufferUnderflowException e) {
            throw new JsonFieldException(path, "is not a sketch of records");
        }
    }

    /**
     * What a part of a table adds to the sketch of the whole; as secret as the sketch itself.
     *
     * @param hashes halves of the part's smallest hashes, ascending, each once
     * @param sequence a keyed digest of its records in their order, which that of the next part can be put behind
     */
    public record Part(long[] hashes, long[] sequence) implements Serializable {}

    /** Takes records in their order, or parts of a table in theirs. */
    public static final class Builder {
        private final Mac mac;
        private final RecordSequence sequence;
        private final long keyMark;
        private final boolean persons;
        private final TreeSet<Hash> smallest = new TreeSet<>();

        /** Hashes whose higher half is above this are not among the smallest. */
        private long highest = -1;

        private final ByteBuffer sixteen = ByteBuffer.allocate(2 * Long.BYTES);

        public Builder(SketchKey key, boolean persons) {
            this.mac = key.mac();
            this.sequence = new RecordSequence(key);
            this.keyMark = key.mark();
            this.persons = persons;
        }

        /** Rows that were read with marks of their content. */
        public void add(CodedRows rows) {
            for (int row = 0; row < rows.rows(); row++) {
                long high = rows.contentHalf(row, 0);
                long low = rows.contentHalf(row, 1);
                sequence.add(high, low);
                if (!persons && (high != 0 || low != 0)) {
                    if (Long.compareUnsigned(high, highest) <= 0) {
                        keep(new Hash(high, low));
                    }
                } else if (persons && (rows.idHalf(row, 0) != 0 || rows.idHalf(row, 1) != 0)) {
                    keep(hash(sixteen.clear()
                            .putLong(rows.idHalf(row, 0))
                            .putLong(rows.idHalf(row, 1))
                            .array()));
                }
            }
        }

        /** A record that is a text. */
        void add(byte[] record) {
            Hash content = hash(record);
            sequence.add(content.high(), content.low());
            keep(content);
        }

        /** The next part of the table. */
        public void add(Part part) {
            for (int i = 0; i < part.hashes().length; i += 2) {
                keep(new Hash(part.hashes()[i], part.hashes()[i + 1]));
            }
            sequence.addPart(part.sequence());
        }

        private Hash hash(byte[] bytes) {
            ByteBuffer hash = ByteBuffer.wrap(mac.doFinal(bytes));
            return new Hash(hash.getLong(), hash.getLong());
        }

        private void keep(Hash hash) {
            if (smallest.size() < LARGEST) {
                smallest.add(hash);
            } else if (hash.compareTo(smallest.last()) < 0 && smallest.add(hash)) {
                smallest.pollLast();
            }
            if (smallest.size() == LARGEST) {
                highest = smallest.last().high();
            }
        }

        /** What was added, as a part of a larger table. */
        public Part part() {
            long[] halves = new long[2 * smallest.size()];
            int next = 0;
            for (Hash hash : smallest) {
                halves[next++] = hash.high();
                halves[next++] = hash.low();
            }
            return new Part(halves, sequence.part());
        }

        public RecordSketch build() {
            return new RecordSketch(keyMark, persons, List.copyOf(smallest), HEX.formatHex(sequence.digest()));
        }
    }
}
