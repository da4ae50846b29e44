package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.spark.read.PartReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole fits on a cluster whose executors are processes of their own, with authentication and encryption, against the engine of one
 * machine: the same bits, with tasks that run twice and executors that are killed; and nothing about records where it does not belong.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // ends a test that hangs
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterTest {
    private static final TableEngine HERE = new LocalTables(2);

    /** Stands in a cell of the table, whole and as a number, and must be found nowhere else. */
    private static final String CANARY = "nightingale7391";

    private static final double CANARY_NUMBER = 73911.625;

    @TempDir
    static Path folder;

    private static SparkTableEngine spark;
    private static Path csv;
    private static Path parquet;
    private static Path documents;

    @BeforeAll
    static void start() throws IOException {
        csv = People.csv(folder.resolve("people.csv"), People.ROWS, 2);
        String text = Files.readString(csv);
        int third = text.indexOf('\n', text.length() / 3);
        Files.writeString(
                csv,
                text.substring(0, third + 1)
                        + "77,44.5," + CANARY_NUMBER + ",12.50," + CANARY + ",3,true,1950-03-11\n"
                        + text.substring(third + 1));
        parquet = People.parquet(csv, folder.resolve("people.parquet"));
        documents = documents(folder.resolve("documents.txt"));
        deleteWork();
        spark = Clusters.processes(
                12,
                Map.of(
                        "spark.speculation", "true",
                        "spark.speculation.multiplier", "1.05",
                        "spark.speculation.quantile", "0.3",
                        "spark.speculation.interval", "50ms",
                        "spark.speculation.minTaskRuntime", "10ms"));
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    private static Path work() {
        return Path.of(System.getenv("SPARK_HOME"), "work");
    }

    private static void deleteWork() throws IOException {
        if (Files.exists(work())) {
            try (Stream<Path> old = Files.walk(work())) {
                for (Path path : old.sorted(java.util.Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static Path documents(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            for (int word = 0; word < 1 + i % 7; word++) {
                text.append("word").append((i * 31 + word * 7 + i / 13) % 25).append(' ');
            }
            text.append('\n');
        }
        return Files.writeString(file, text.toString());
    }

    private static Schema corpus() {
        List<String> words = java.util.stream.IntStream.range(0, 20)
                .mapToObj(i -> "word" + i)
                .toList();
        return Schema.fromJson(
                Map.of("unit", "record", "size", 3000L, "corpus", Map.of("format", "text", "vocabulary", words)));
    }

    private static List<String> fit(
            TableEngine engine, Path file, Schema schema, String model, String method, Map<String, String> settings) {
        try (PrivateDataset data = engine.open(file.toString(), schema)) {
            return Recorded.fit(data, schema, model, method, settings, Recorded.NOTHING);
        }
    }

    private static void requireSame(
            Path file, Schema schema, String model, String method, Map<String, String> settings) {
        List<String> there = fit(spark, file, schema, model, method, settings);
        assertThat(there).as(model + "/" + method).isEqualTo(fit(HERE, file, schema, model, method, settings));
        assertThat(there).hasSizeGreaterThan(1);
    }

    @Test
    @Order(1)
    void wholeFitsAreTheSameBits() {
        Schema counts = SchemaYaml.read(SchemaYaml.write(People.schema("record", "add-remove", "visits", true)));
        requireSame(parquet, People.records(), "logistic-regression", "residual-newton", Map.of());
        requireSame(
                parquet,
                People.schema("record", "add-remove", "late", true),
                "logistic-regression",
                "residual-newton",
                Map.of());
        requireSame(parquet, People.persons(), "logistic-regression", "residual-newton", Map.of());
        requireSame(
                parquet,
                formula("late ~ age + log2(income + 1) + job", "bernoulli"),
                "logistic-regression",
                "private-likelihood",
                Map.of());
        requireSame(
                csv, formula("debt ~ age + visits", "gaussian"), "linear-regression", "private-likelihood", Map.of());
        requireSame(
                parquet,
                formula("visits ~ age + job", "poisson"),
                "poisson-regression",
                "private-likelihood",
                Map.of());
        requireSame(parquet, counts, "poisson-regression", "dpvi", Map.of("steps", "10"));
        requireSame(parquet, People.persons(), "logistic-regression", "dpvi", Map.of("steps", "10"));
        requireSame(parquet, mixture(), "gaussian-mixture", "private-vb", Map.of("steps", "4"));
        requireSame(documents, corpus(), "lda", "private-vb", Map.of("steps", "4", "topics", "4"));
    }

    private static Schema formula(String formula, String family) {
        return FormulaRequest.of(People.records(), formula, family).schema();
    }

    private static Schema mixture() {
        return SchemaYaml.read("""
                unit: record
                size: %d
                encoding: {intercept: false}
                columns:
                  age: {type: number, bounds: [18, 90], center: true}
                  debt: {type: number, bounds: [0, 5000], center: true}
                """.formatted(People.ROWS));
    }

    /** Executors die between releases and in the middle of one; what they held is read again, and nothing changes. */
    @Test
    @Order(2)
    void killedExecutorsChangeNothing() {
        for (Schema schema : List.of(People.records(), People.persons())) {
            Map<String, String> settings = Map.of("steps", "10");
            List<String> whole = fit(HERE, parquet, schema, "logistic-regression", "dpvi", settings);
            try (PrivateDataset data = spark.open(parquet.toString(), schema)) {
                List<String> cut = Recorded.fit(data, schema, "logistic-regression", "dpvi", settings, release -> {
                    if (release == 1) {
                        kill(Clusters.executors()[0]);
                    }
                    if (release == 3) {
                        CompletableFuture.delayedExecutor(30, TimeUnit.MILLISECONDS)
                                .execute(() -> Arrays.stream(Clusters.executors())
                                        .limit(1)
                                        .forEach(ClusterTest::kill));
                    }
                });
                assertThat(cut).isEqualTo(whole);
            }
        }
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }

    /** What is computed again is another table: the release is refused, and the ledger knows of none but those before. */
    @Test
    @Order(3)
    void aTableThatIsReplacedIsRefused() throws Exception {
        Path changing = Files.copy(parquet, folder.resolve("changing.parquet"));
        Path other = People.parquet(
                People.csv(folder.resolve("other.csv"), People.ROWS - 1, 3), folder.resolve("other.parquet"));
        Schema schema = People.records();
        var plan = dev.tacit.door.session.ReleasePlan.of(
                "rows", 5, 1, new dev.tacit.door.sampling.SamplingScheme.FullPass());
        var query = dev.tacit.query.ContributionSum.of(
                1, (block, row, contribution) -> contribution.add(0, block.label(row)));
        try (PrivateDataset data = spark.open(changing.toString(), schema)) {
            Recorded.FreeOfCharge ledger = new Recorded.FreeOfCharge(data.unit());
            var session = Recorded.open(data, plan, ledger);
            session.release(query, 1);
            session.release(query, 1);
            Files.move(other, changing, StandardCopyOption.REPLACE_EXISTING);
            killAllExecutors();
            assertThatThrownBy(() -> session.release(query, 1))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("not what it was when it was first read")
                    .hasNoCause();
            assertThat(ledger.announced).isEqualTo(2);
            assertThat(session.released()).isEqualTo(2);
        }
    }

    private static void killAllExecutors() throws InterruptedException {
        long[] before = Clusters.executors();
        Arrays.stream(before).forEach(ClusterTest::kill);
        while (Arrays.stream(before)
                .anyMatch(
                        pid -> ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false))) {
            Thread.sleep(20);
        }
    }

    /** A twin that forgets the digest: it takes the part as it is now for the part as it was, and sums another table. */
    @Test
    @Order(4)
    void anEngineThatForgetsTheDigestIsFound() throws Exception {
        Path changing = folder.resolve("changing.parquet");
        Files.copy(parquet, changing, StandardCopyOption.REPLACE_EXISTING);
        Schema schema = People.records();
        Wanted wanted = Wanted.of(Wanted.Purpose.FIT, schema, null, Clusters.SECRET);
        SparkTables tables = new SparkTables(spark.session(), java.util.OptionalInt.of(12));
        JavaRDD<EncodedPart> parts = tables.open(changing.toString(), wanted);
        List<PartFacts> before = parts.map(EncodedPart::facts).collect();
        Path other = People.parquet(
                People.csv(folder.resolve("other.csv"), People.ROWS, 4), folder.resolve("other.parquet"));
        Files.move(other, changing, StandardCopyOption.REPLACE_EXISTING);
        List<PartFacts> forgetful = parts.map(EncodedPart::facts).collect();
        assertThat(digests(forgetful)).isNotEqualTo(digests(before));
    }

    private static List<Long> digests(List<PartFacts> facts) {
        return facts.stream().map(PartFacts::digest).toList();
    }

    /** Readers that throw cells are silenced by the guard of every task; a twin without the guard shows them in logs. */
    @Test
    @Order(5)
    void whatReadersThrowIsSaidNowhere() throws Exception {
        JavaSparkContext context =
                JavaSparkContext.fromSparkContext(spark.session().sparkContext());
        Wanted wanted = Wanted.of(Wanted.Purpose.FIT, People.records(), null, Clusters.SECRET);
        JavaRDD<EncodedPart> guarded = context.parallelize(List.of(1), 1)
                .mapPartitions(new EncodeTask<>(new Throwing("woodpecker2218"), wanted), true);
        assertThatThrownBy(() -> new SparkEngine(guarded, 1, RollCall.ofDriver()))
                .isInstanceOf(EngineException.class)
                .hasNoCause()
                .hasMessageNotContaining("woodpecker2218");
        assertThatThrownBy(() -> context.parallelize(List.of(1), 1)
                        .mapPartitions(new Unguarded("kingfisher5150"), true)
                        .collect())
                .hasMessageContaining("kingfisher5150");
        assertThat(found("woodpecker2218")).isEmpty();
        assertThat(found("kingfisher5150")).as("the twin must be found").isNotEmpty();
    }

    private record Throwing(String cell) implements PartSource.Reading<Integer> {
        @Override
        public PartReader of(Iterator<Integer> handed, dev.tacit.data.source.RowLayout layout) {
            return take -> {
                throw new IllegalStateException("the cell " + cell);
            };
        }
    }

    private record Unguarded(String cell)
            implements org.apache.spark.api.java.function.FlatMapFunction<Iterator<Integer>, Integer> {
        @Override
        public Iterator<Integer> call(Iterator<Integer> handed) {
            throw new IllegalStateException("the cell " + cell);
        }
    }

    /** After all that was done above, and killed: no log, spilled file or message holds a cell, or how large a part is. */
    @Test
    @Order(6)
    void canariesAreFoundNowhere() throws Exception {
        for (String secret : List.of(CANARY, Double.toString(CANARY_NUMBER), "Block rdd_", "Reading File path")) {
            assertThat(found(secret)).as(secret).isEmpty();
        }
        byte[] number = java.nio.ByteBuffer.allocate(8).putDouble(CANARY_NUMBER).array();
        byte[] scaled = java.nio.ByteBuffer.allocate(8)
                .putDouble(CANARY_NUMBER / 250000)
                .array();
        for (byte[] bytes : List.of(number, scaled, reversed(number), reversed(scaled))) {
            assertThat(found(new String(bytes, StandardCharsets.ISO_8859_1))).isEmpty();
        }
        try (Stream<Path> files = Files.walk(work())) {
            assertThat(files.filter(file -> file.endsWith("stderr")))
                    .as("logs that were searched")
                    .isNotEmpty();
        }
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] other = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            other[i] = bytes[bytes.length - 1 - i];
        }
        return other;
    }

    /** Files of workers, executors and their disks that hold a text. */
    private static List<Path> found(String text) throws IOException {
        List<Path> holding = new java.util.ArrayList<>();
        for (Path root : List.of(work(), Path.of(System.getenv("SPARK_LOCAL_DIRS")))) {
            if (!Files.exists(root)) {
                continue;
            }
            List<Path> files;
            try (Stream<Path> all = Files.walk(root)) {
                files = all.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().endsWith(".jar"))
                        .toList();
            }
            for (Path file : files) {
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
                    holding.add(file);
                }
            }
        }
        return holding;
    }
}
