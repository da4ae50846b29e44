package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.SketchKey;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies of records are told apart under a key, whatever their format and whatever the schema names of them. */
class RecordSketchTest {
    private static final SketchKey KEY = key(1);
    private static final String COLUMNS = """
            columns:
              a: {type: number, bounds: [0, 10]}
              b: {type: ignore}
            """;
    private static final Schema RECORDS = SchemaYaml.read("unit: record\nsize: 10\n" + COLUMNS);
    private static final Schema OTHER_COLUMNS = SchemaYaml.read("""
            unit: record
            size: 10
            columns: {b: {type: category, categories: [u, v]}}
            """);
    private static final Schema PERSONS = SchemaYaml.read("unit: {person: b, maxRecords: 2}\nsize: 10\n" + COLUMNS);

    @TempDir
    Path folder;

    private static SketchKey key(int fill) {
        byte[] secret = new byte[SketchKey.BYTES];
        Arrays.fill(secret, (byte) fill);
        return new SketchKey(secret);
    }

    private static RecordSketch sketch(Path file, Schema schema) {
        return RecordSketch.of(DataLocation.of(file), schema, KEY, new ReadingOptions(2, 256 << 20));
    }

    private Path csv(String name, int from, int to) throws IOException {
        StringBuilder text = new StringBuilder("a,b\n");
        for (int i = from; i < to; i++) {
            text.append(i).append(",p").append(i / 2).append('\n');
        }
        return Tables.write(folder, name, text.toString());
    }

    @Test
    void fewRecordsAreComparedExactly() throws IOException {
        RecordSketch all = sketch(csv("all.csv", 0, 40), RECORDS);
        RecordSketch some = sketch(csv("some.csv", 30, 50), RECORDS);
        assertThat(all.overlap(some)).isEqualTo(new RecordSketch.Share(0.2, 50, true));
        assertThat(some.containedIn(all)).isEqualTo(new RecordSketch.Share(0.5, 20, true));
        assertThat(all.containedIn(some).share()).isEqualTo(0.25);
        assertThat(all.overlap(all).share()).isEqualTo(1);
        assertThat(all.sameRecords(sketch(csv("again.csv", 0, 40), RECORDS))).isTrue();
        assertThat(all.sameRecords(some)).isFalse();
    }

    /** With 4096 compared units the standard deviation is at most 0.008; the hashes are fixed by key and records. */
    @Test
    void manyRecordsAreComparedByTheirSmallestHashes() throws IOException {
        RecordSketch one = sketch(csv("one.csv", 0, 30_000), RECORDS);
        RecordSketch other = sketch(csv("other.csv", 10_000, 40_000), RECORDS);
        RecordSketch.Share overlap = one.overlap(other);
        assertThat(overlap.exact()).isFalse();
        assertThat(overlap.share()).isEqualTo(0.5, within(0.04));
        RecordSketch part = sketch(csv("part.csv", 20_000, 33_000), RECORDS);
        assertThat(part.containedIn(one).share()).isEqualTo(10.0 / 13, within(0.05));
        assertThat(part.containedIn(one).compared()).isBetween(1500, 2100);
    }

    @Test
    void aChangeOrAnotherOrderIsNoticed() throws IOException {
        RecordSketch before = sketch(Tables.write(folder, "t.csv", "a,b\n1,u\n2,v\n"), RECORDS);
        RecordSketch swapped = sketch(Tables.write(folder, "t.csv", "a,b\n2,v\n1,u\n"), RECORDS);
        assertThat(swapped.sameRecords(before)).isFalse();
        assertThat(swapped.overlap(before).share()).isEqualTo(1);
        RecordSketch unused = sketch(Tables.write(folder, "t.csv", "a,b\n1,u\n2,w\n"), RECORDS);
        assertThat(unused.sameRecords(before)).isFalse();
        RecordSketch moved = sketch(Tables.write(folder, "t.csv", "a,b\n1u,\n2v,\n"), RECORDS);
        assertThat(moved.overlap(before).share()).isZero();
    }

    @Test
    void whichColumnsAreDeclaredDoesNotMatter() throws IOException {
        Path file = csv("t.csv", 0, 20);
        assertThat(sketch(file, OTHER_COLUMNS)).isEqualTo(sketch(file, RECORDS));
        PreparationOptions options = Tables.options(folder, 1 << 20);
        Preparation.Sketched opened =
                Preparation.openSketched(DataLocation.of(file), RECORDS, options, KEY, Optional.empty());
        try (var dataset = opened.dataset()) {
            assertThat(opened.sketch()).isEqualTo(sketch(file, RECORDS));
            assertThat(dataset.publicSize()).isEqualTo(10);
        }
    }

    @Test
    void personsAreKnownByTheirIdentifierAlone() throws IOException {
        RecordSketch one = sketch(csv("one.csv", 0, 40), PERSONS);
        assertThat(one.hashes()).hasSize(20);
        RecordSketch other = sketch(Tables.write(folder, "t.csv", "a,b\n9,p3\n9,p4\n9,new\n9,\n"), PERSONS);
        assertThat(other.containedIn(one).share()).isEqualTo(2.0 / 3);
        assertThat(one.comparable(sketch(csv("one.csv", 0, 40), RECORDS))).isFalse();
        assertThatThrownBy(() -> one.overlap(sketch(csv("one.csv", 0, 40), RECORDS)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyFormatIsSketched() throws IOException, SQLException {
        Path parquet = folder.resolve("t.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "COPY (SELECT i AS a, 'p' || i AS b FROM range(3) AS t(i)) TO '" + parquet + "' (FORMAT parquet)");
        }
        String lines = "{\"a\": 0, \"b\": \"p0\"}\n{\"a\": 1, \"b\": \"p1\"}\n{\"a\": 2, \"b\": \"p2\"}\n";
        Path array = Tables.write(folder, "t.json", "[" + lines.strip().replace("\n", ",") + "]");
        Path ndjson = Tables.write(folder, "t.ndjson", lines);
        Path csv = Tables.write(folder, "t.csv", "a,b\n0,p0\n1,p1\n2,p2\n");
        for (Path file : List.of(csv, parquet, array, ndjson)) {
            assertThat(sketch(file, RECORDS).hashes()).as(file.toString()).hasSize(3);
            assertThat(sketch(file, OTHER_COLUMNS)).isEqualTo(sketch(file, RECORDS));
            assertThat(sketch(file, PERSONS).overlap(sketch(csv, PERSONS)).share())
                    .as(file.toString())
                    .isEqualTo(1);
        }
        Schema corpus = SchemaYaml.read("unit: record\nsize: 9\ncorpus: {format: text, vocabulary: [a, b]}\n");
        Path text = Tables.write(folder, "t.txt", "a\nb\na b\n");
        assertThat(sketch(text, corpus).hashes()).hasSize(3);
        Preparation.Sketched opened = Preparation.openSketched(
                DataLocation.of(text), corpus, Tables.options(folder, 1 << 20), KEY, Optional.empty());
        opened.dataset().close();
        assertThat(opened.sketch()).isEqualTo(sketch(text, corpus));
        Schema docword = SchemaYaml.read("unit: record\nsize: 9\ncorpus: {format: docword, vocabulary: [a, b]}\n");
        Path triples = Tables.write(folder, "d.txt", "2\n2\n3\n1 1 1\n1 2 1\n2 1 4\n");
        assertThat(sketch(triples, docword).hashes()).hasSize(2);
    }

    @Test
    void hashesNeedTheKey() throws IOException {
        Path file = csv("t.csv", 0, 20);
        RecordSketch one = sketch(file, RECORDS);
        RecordSketch other = RecordSketch.of(DataLocation.of(file), RECORDS, key(2), new ReadingOptions(1, 256 << 20));
        Set<RecordSketch.Hash> common = new HashSet<>(one.hashes());
        common.retainAll(other.hashes());
        assertThat(common).isEmpty();
        assertThat(one.comparable(other)).isFalse();
        assertThat(one.digest()).isNotEqualTo(other.digest());
        assertThatThrownBy(() -> new SketchKey(new byte[16])).isInstanceOf(IllegalArgumentException.class);
        assertThat(KEY.toString()).isEqualTo("SketchKey");
    }

    @Test
    void theJsonFormReadsBack() throws IOException {
        RecordSketch sketch = sketch(csv("t.csv", 0, 20), PERSONS);
        assertThat(RecordSketch.fromJson(Json.read(Json.write(sketch.toJson())), "sketch"))
                .isEqualTo(sketch);
        for (String wrong : List.of("0", "zz", "00112233")) {
            var json = sketch.toJson();
            json.put("hashes", wrong);
            assertThatThrownBy(() -> RecordSketch.fromJson(json, "sketch")).isInstanceOf(JsonFieldException.class);
        }
    }
}
