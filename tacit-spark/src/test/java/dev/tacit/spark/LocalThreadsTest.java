package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PrivateBounds;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.Fit;
import dev.tacit.fit.FitListener;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.ReleaseNote;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format, encoding and way of sampling against the engine of one machine, bit by bit; Spark in this process. */
class LocalThreadsTest {
    private static final SketchKey KEY = new SketchKey(Clusters.SECRET);
    private static final TableEngine HERE = new LocalTables(2);

    @TempDir
    static Path folder;

    private static SparkTableEngine spark;
    private static Path csv;
    private static Path parquet;

    @BeforeAll
    static void start() {
        csv = People.csv(folder.resolve("people.csv"), People.ROWS, 1);
        parquet = People.parquet(csv, folder.resolve("people.parquet"));
        spark = Clusters.threads(13);
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    private static List<String> releases(PrivateDataset data, List<SamplingScheme> ways) {
        int columns = data.columns();
        ContributionSum query = ContributionSum.of(columns + 1, (block, row, contribution) -> {
            contribution.addRow(0, 0.7);
            contribution.add(columns, block.label(row));
        });
        List<ReleasePlan.Phase> phases = ways.stream()
                .map(way -> new ReleasePlan.Phase("rows", 2, columns + 1, way, 1))
                .toList();
        return Recorded.sums(data, new ReleasePlan(phases), query, Recorded.NOTHING);
    }

    private static void requireSame(Path file, Schema schema, SamplingScheme... ways) {
        requireSame(file.toString(), file.toString(), schema, ways);
    }

    private static void requireSame(String here, String there, Schema schema, SamplingScheme... ways) {
        Preparation.Sketched local = HERE.openSketched(here, schema, KEY);
        Preparation.Sketched remote = spark.openSketched(there, schema, KEY);
        try (PrivateDataset one = local.dataset();
                PrivateDataset other = remote.dataset()) {
            assertThat(releases(other, List.of(ways))).isEqualTo(releases(one, List.of(ways)));
            assertThat(remote.sketch()).isEqualTo(local.sketch());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsOfParquet(boolean wide) {
        requireSame(
                parquet,
                People.schema("record", "add-remove", "late", wide),
                new SamplingScheme.FullPass(),
                new SamplingScheme.PoissonSampling(0.01),
                new SamplingScheme.PoissonSampling(0.7));
    }

    /** Spark hands over rows instead of batches of columns where there are more than 100 columns. */
    @Test
    void manyColumns() {
        StringBuilder more = new StringBuilder();
        for (int i = 0; i < 110; i++) {
            more.append(", income / ").append(i + 1).append(" AS more").append(i);
        }
        Path file = folder.resolve("many-columns.parquet");
        People.sql("COPY (SELECT *" + more + " FROM read_parquet('" + parquet + "')) TO '" + file
                + "' (FORMAT PARQUET, ROW_GROUP_SIZE 2048)");
        requireSame(file, People.records(), SOME);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void personsOfParquet(boolean wide) {
        requireSame(
                parquet,
                People.schema("{person: id, maxRecords: 2}", "add-remove", "late", wide),
                new SamplingScheme.FullPass(),
                new SamplingScheme.PoissonSampling(0.05));
    }

    @Test
    void batchesOfFixedSize() {
        requireSame(
                parquet,
                People.schema("record", "replace-one", "late", false),
                new SamplingScheme.FixedSizeSampling(100, People.ROWS),
                new SamplingScheme.FixedSizeSampling(9000, People.ROWS));
    }

    @Test
    void recordsAndPersonsOfText() {
        requireSame(csv, People.records(), new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.03));
        requireSame(csv, People.persons(), new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.03));
    }

    private static final SamplingScheme[] SOME = {
        new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.02)
    };

    /** Cells in quotes with line ends in them, and compressed files, are read by one task a file. */
    @Test
    void filesThatCannotBeCut() throws Exception {
        Path quoted = folder.resolve("quoted.csv");
        Files.writeString(
                quoted,
                Files.readString(csv).replace(",clerk,", ",\"cle\nrk\",").replace("miner", "\"miner\""));
        Schema schema = SchemaYaml.read(
                SchemaYaml.write(People.records()).replaceAll("(?s)format:.*?(?=\\n\\S)", "format: {header: true}"));
        requireSame(quoted, schema, SOME);
        Path compressed = folder.resolve("people.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            Files.copy(csv, out);
        }
        requireSame(compressed, People.records(), SOME);
    }

    /** Odd bytes, odd lines, a mark of the byte order in front and one in the middle. */
    @Test
    void oddText() throws Exception {
        StringBuilder text = new StringBuilder("\ufeff" + Files.readString(csv));
        for (int place = text.indexOf("\n", 500); place > 0 && place < text.length() - 2000; ) {
            text.insert(
                    place + 1,
                    "\ufeff,\"x,,\r\n\n# no comment,,,,\n1\n,,,,,,,,,,,,\n\u0000\u2603,nan,-Infinity,1e999,baker,3.5,true,\n");
            place = text.indexOf("\n", place + 20_000);
        }
        Path odd = Files.writeString(folder.resolve("odd.csv"), text.toString());
        requireSame(odd, People.records(), SOME);
        requireSame(odd, People.persons(), SOME);
    }

    /** A table in several files is the table of their rows, by the files' names. */
    @Test
    void foldersPatternsOrcAndCatalogues() throws Exception {
        Path many = Files.createDirectories(folder.resolve("many"));
        for (int part = 0; part < 3; part++) {
            People.sql("COPY (SELECT * FROM (SELECT *, row_number() OVER () AS n FROM read_parquet('" + parquet
                    + "')) WHERE n > " + 7000 * part + " AND n <= " + 7000 * (part + 1) + ") TO '"
                    + many.resolve("part-" + part + ".parquet") + "' (FORMAT PARQUET, ROW_GROUP_SIZE 2048)");
        }
        Path one = folder.resolve("one.parquet");
        People.sql("COPY (SELECT * FROM read_parquet(['" + many.resolve("part-0.parquet") + "', '"
                + many.resolve("part-1.parquet") + "', '" + many.resolve("part-2.parquet") + "'])) TO '" + one
                + "' (FORMAT PARQUET)");
        requireSame(one.toString(), many.toString(), People.records(), SOME);
        requireSame(one.toString(), many + "/part-*.parquet", People.persons(), SOME);
        var rows = spark.session().read().parquet(one.toString());
        rows.coalesce(1).write().orc(folder.resolve("moments").toString());
        requireRefused(folder.resolve("moments").toString(), "\"moment\" stores points in time");
        Path timeless = folder.resolve("timeless.parquet");
        People.sql("COPY (SELECT * EXCLUDE (moment) FROM read_parquet('" + one + "')) TO '" + timeless
                + "' (FORMAT PARQUET)");
        rows.drop("moment").coalesce(1).write().orc(folder.resolve("orc").toString());
        requireSame(timeless.toString(), folder.resolve("orc").toString(), People.records(), SOME);
        spark.session().sql("CREATE TABLE people USING PARQUET LOCATION '" + many + "'");
        requireSame(one.toString(), "table:people", People.records(), SOME);
        spark.session().sql("CREATE TEMPORARY VIEW old AS SELECT * FROM people WHERE age > 30");
        requireRefused("table:old", "stage it as Parquet");
        rows.createOrReplaceTempView("joined");
        spark.session().sql("CREATE TEMPORARY VIEW some AS SELECT * FROM people TABLESAMPLE (10 PERCENT)");
        requireRefused("table:some", "stage it as Parquet");
        spark.session().sql("CREATE TEMPORARY VIEW two AS SELECT p.* FROM people p JOIN joined j ON p.id = j.id");
        requireRefused("table:two", "stage it as Parquet");
        assertThatThrownBy(() -> spark.open("table:nobody", People.records())).isInstanceOf(NoInputException.class);
    }

    private static void requireRefused(String data, String words) {
        assertThatThrownBy(() -> spark.open(data, People.records()))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining(words);
    }

    @Test
    void whatCannotBeReadAlikeIsRefused() throws Exception {
        Path file = folder.resolve("nested.parquet");
        People.sql("COPY (SELECT [1, 2] AS list, 3.5 AS age) TO '" + file + "' (FORMAT PARQUET)");
        Schema schema = SchemaYaml.read("unit: record\nsize: 10\ncolumns: {age: {type: number, bounds: [0, 9]}}\n");
        assertThatThrownBy(() -> spark.openSketched(file.toString(), schema, KEY))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("\"list\"");
        assertThatThrownBy(() -> spark.open(folder.resolve("none.parquet").toString(), schema))
                .isInstanceOf(NoInputException.class);
        Path json = Files.writeString(folder.resolve("people.json"), "{\"age\": 3}\n");
        assertThatThrownBy(() -> spark.open(json.toString(), schema))
                .hasMessageContaining("stage the table as Parquet");
        Path broken = Files.writeString(folder.resolve("broken.parquet"), "PAR1 no more");
        assertThatThrownBy(() -> spark.open(broken.toString(), schema)).isInstanceOf(DataException.class);
        Path other = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
        assertThatThrownBy(() -> spark.open(other.toString(), schema)).isInstanceOf(DataException.class);
        ReleasePlan large = ReleasePlan.of("x", 1, 1, new SamplingScheme.FixedSizeSampling(10_000_001, 100_000_000));
        assertThatThrownBy(() -> spark.require(large)).isInstanceOf(EngineException.class);
        spark.require(ReleasePlan.of("x", 1, 1, new SamplingScheme.FixedSizeSampling(10_000_000, 100_000_000)));
    }

    /** One cell out of range would stop a fit, in whatever column it is: so the type is refused, before a row is read. */
    @ParameterizedTest
    @ValueSource(strings = {"TIMESTAMP_MS", "TIMESTAMP_NS"})
    void pointsInTimeThatMayNotFitAreRefused(String type) {
        Path file = folder.resolve(type + ".parquet");
        People.sql("COPY (SELECT 3.5::DOUBLE AS age, '2001-01-01'::" + type + " AS moment) TO '" + file
                + "' (FORMAT PARQUET)");
        Schema schema = SchemaYaml.read("unit: record\nsize: 10\ncolumns: {age: {type: number, bounds: [0, 9]}}\n");
        assertThatThrownBy(() -> spark.open(file.toString(), schema))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("TIMESTAMP_MICROS");
        spark.session().sql("CREATE TABLE IF NOT EXISTS moments (age DOUBLE) USING PARQUET LOCATION '" + file + "'");
        assertThatThrownBy(() -> spark.open("table:moments", schema)).isInstanceOf(EngineException.class);
    }

    /** A file without a byte is a table without documents. */
    @Test
    void noDocuments() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.txt"), "");
        Schema corpus = Schema.fromJson(Map.of(
                "unit",
                "record",
                "size",
                10L,
                "corpus",
                Map.of("format", "text", "vocabulary", List.of("bread", "coal"))));
        requireSame(empty, corpus, new SamplingScheme.FullPass());
    }

    /** Whoever started it chose its settings. */
    @Test
    void anApplicationThatRunsIsNotTaken() {
        assertThatThrownBy(() -> Clusters.threads(2))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("already runs");
    }

    /** Nothing is kept between releases, as if memory were too small: parts are read and encoded at every one. */
    @Test
    void whatIsNotKeptIsReadAgain() {
        try (PrivateDataset one = HERE.open(parquet.toString(), People.records());
                PrivateDataset other = spark.open(parquet.toString(), People.records())) {
            spark.session().sparkContext().getPersistentRDDs().values().foreach(rdd -> rdd.unpersist(true));
            assertThat(releases(other, List.of(SOME))).isEqualTo(releases(one, List.of(SOME)));
        }
    }

    /** A fit begins on one engine, is interrupted after any release, and ends on the other as if nothing had happened. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFitGoesOnOnTheOtherEngine(boolean beginsHere) throws Exception {
        Path whole = folder.resolve("whole" + beginsHere);
        fit(HERE, FitListener.NONE).run(whole);
        Path cut = folder.resolve("cut" + beginsHere);
        TableEngine first = beginsHere ? HERE : spark;
        TableEngine second = beginsHere ? spark : HERE;
        FitListener interrupting = new FitListener() {
            @Override
            public void released(ReleaseNote note, long made, long planned) {
                if (made == 4) {
                    throw new IllegalStateException("cut");
                }
            }
        };
        assertThatThrownBy(() -> fit(first, interrupting).run(cut)).hasMessage("cut");
        fit(second, FitListener.NONE).runOrResume(cut);
        assertThat(cut.resolve("posterior.json")).hasSameTextualContentAs(whole.resolve("posterior.json"));
        assertThat(cut.resolve("likelihood.json")).hasSameTextualContentAs(whole.resolve("likelihood.json"));
    }

    private static Fit fit(TableEngine engine, FitListener listener) {
        return Fit.of(parquet, People.records())
                .formula("late ~ age + job + visits")
                .epsilon(1)
                .delta(1e-6)
                .simulated(7)
                .withoutTwins()
                .engine(engine)
                .listener(listener)
                .build();
    }

    /** Bounds are bought on the cluster as they are here. */
    @Test
    void boundsAreBoughtAlike() {
        Schema open = SchemaYaml.read(SchemaYaml.write(People.records())
                .replace("[18, 90]", "PRIVATE")
                .replace("[18.0, 90.0]", "PRIVATE"));
        ReleasePlan plan = PrivateBounds.plan(open);
        try (PrivateDataset one = HERE.openForBounds(parquet.toString(), open);
                PrivateDataset other = spark.openForBounds(parquet.toString(), open)) {
            assertThat(PrivateBounds.buy(Recorded.open(other, plan), open).schema())
                    .isEqualTo(PrivateBounds.buy(Recorded.open(one, plan), open).schema());
        }
    }
}
