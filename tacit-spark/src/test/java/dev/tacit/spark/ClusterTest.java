package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.spark.read.PartReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.RDDBlockId;
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

    private static final int PARTS = 12;

    private static final ReleasePlan FIVE = ReleasePlan.of("labels", 5, 1, new SamplingScheme.FullPass());

    private static final ContributionSum LABELS =
            ContributionSum.of(1, (block, row, contribution) -> contribution.add(0, block.label(row)));

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
                PARTS,
                Map.of(
                        "spark.memory.fraction", "0.01", // under 3 MB for records in each executor
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
    @Order(3)
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
    @Order(4)
    void aTableThatIsReplacedIsRefused() throws Exception {
        Path changing = Files.copy(parquet, folder.resolve("changing.parquet"));
        Path other = People.parquet(
                People.csv(folder.resolve("other.csv"), People.ROWS - 1, 3), folder.resolve("other.parquet"));
        Schema schema = People.records();
        try (PrivateDataset data = spark.open(changing.toString(), schema)) {
            Recorded.FreeOfCharge ledger = new Recorded.FreeOfCharge(data.unit());
            PrivateSession session = Recorded.open(data, FIVE, ledger);
            session.release(LABELS, 1);
            session.release(LABELS, 1);
            Files.move(other, changing, StandardCopyOption.REPLACE_EXISTING);
            killAllExecutors();
            assertThatThrownBy(() -> session.release(LABELS, 1))
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

    /** A twin that takes the part as it is now for the part as it was: it releases sums of a table that was never opened. */
    @Test
    @Order(5)
    void anEngineThatForgetsTheDigestIsFound() throws Exception {
        Path changing = folder.resolve("changing.parquet");
        Files.copy(parquet, changing, StandardCopyOption.REPLACE_EXISTING);
        Path other = People.parquet(
                People.csv(folder.resolve("other.csv"), People.ROWS, 4), folder.resolve("other.parquet"));
        Schema schema = People.records();
        List<String> expected;
        try (PrivateDataset data = HERE.open(parquet.toString(), schema)) {
            expected = Recorded.sums(data, FIVE, LABELS, Recorded.NOTHING);
        }
        Wanted wanted = Wanted.of(Wanted.Purpose.FIT, schema, null, Clusters.SECRET);
        SparkTables tables = new SparkTables(spark.session(), OptionalInt.of(PARTS));
        Forgetful forgetful = new Forgetful(tables.open(changing.toString(), wanted));
        try (PrivateDataset data = PrivateDataset.of(forgetful, schema.privacyUnit(), schema.size())) {
            List<String> released = Recorded.sums(data, FIVE, LABELS, release -> {
                if (release == 2) {
                    Files.move(other, changing, StandardCopyOption.REPLACE_EXISTING);
                }
            });
            assertThat(released.subList(0, 2)).isEqualTo(expected.subList(0, 2));
            assertThat(released.subList(2, 5))
                    .as("the twin must be found")
                    .doesNotContainAnyElementsOf(expected.subList(2, 5));
        }
    }

    /** Believes whatever parts say they are, at every release, and keeps none. */
    private record Forgetful(JavaRDD<EncodedPart> parts) implements Summation {
        private SparkEngine now() {
            return new SparkEngine(parts, 0, RollCall.ofDriver());
        }

        @Override
        public int columns() {
            return parts.first().columns();
        }

        @Override
        public long units() {
            return now().units();
        }

        @Override
        public long[] sum(SumRequest request) {
            parts.unpersist(true);
            return now().sum(request);
        }

        @Override
        public void close() {
            parts.unpersist(true);
        }
    }

    /** Two tables that do not fit beside each other: parts are dropped, read and encoded again while releases are made. */
    @Test
    @Order(2)
    void aCacheThatIsTooSmallChangesNothing() {
        Schema wide = People.schema("record", "add-remove", "late", true);
        List<String> expected = labelsOfBoth(HERE, wide, () -> {});
        List<Integer> kept = new ArrayList<>();
        assertThat(labelsOfBoth(spark, wide, () -> kept.add(keptParts()))).isEqualTo(expected);
        assertThat(kept).as("parts in memory after each release, of two tables").allMatch(parts -> parts < 2 * PARTS);
    }

    private static List<String> labelsOfBoth(TableEngine engine, Schema wide, Runnable afterEach) {
        try (PrivateDataset one = engine.open(parquet.toString(), wide);
                PrivateDataset other = engine.open(parquet.toString(), People.persons())) {
            PrivateSession first = Recorded.open(one, FIVE);
            PrivateSession second = Recorded.open(other, FIVE);
            List<String> releases = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                releases.add(Arrays.toString(first.release(LABELS, 1).integers()));
                releases.add(Arrays.toString(second.release(LABELS, 1).integers()));
                afterEach.run();
            }
            return releases;
        }
    }

    /** How many encoded parts executors have in their memory. */
    private static int keptParts() {
        SparkContext context = spark.session().sparkContext();
        int kept = 0;
        for (Object id : scala.jdk.javaapi.CollectionConverters.asJava(context.getPersistentRDDs())
                .keySet()) {
            for (int part = 0; part < PARTS; part++) {
                boolean there = context.env()
                        .blockManager()
                        .master()
                        .getLocations(new RDDBlockId((Integer) id, part))
                        .nonEmpty();
                kept += there ? 1 : 0;
            }
        }
        return kept;
    }

    /**
     * Memory runs out once, inside a query: the executor ends and the task is done again, to the same bits. What a query throws is
     * forgotten together with its unit, so an executor that lived on would release a sum without it.
     */
    @Test
    @Order(6)
    void memoryThatRunsOutLosesNobody() throws Exception {
        ContributionSum hungry = Hungry.once(folder.resolve("hungry"), 1 << 27); // 1 GB, where there are 600 MB
        try (PrivateDataset here = HERE.open(parquet.toString(), People.records());
                PrivateDataset there = spark.open(parquet.toString(), People.records())) {
            List<String> expected = Recorded.sums(here, FIVE, LABELS, Recorded.NOTHING);
            assertThat(Recorded.sums(there, FIVE, hungry, Recorded.NOTHING)).isEqualTo(expected);
            assertThat(folder.resolve("hungry")).as("memory ran out").exists();
            ContributionSum forgotten = Hungry.once(folder.resolve("forgotten"), Hungry.AS_IF);
            assertThat(Recorded.sums(here, FIVE, forgotten, Recorded.NOTHING))
                    .as("the twin, which lives on, must be found")
                    .isNotEqualTo(expected);
        }
    }

    /** Labels, and memory that runs out at the first of them, once. */
    private record Hungry(String file, int numbers) implements ContributionSum.SharedWorker {
        /** Throws what a process throws that is out of memory, and always. */
        static final int AS_IF = -1;

        static ContributionSum once(Path file, int numbers) {
            return ContributionSum.of(1, new Hungry(file.toString(), numbers));
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (block.label(row) > 0 && numbers == AS_IF) {
                throw new OutOfMemoryError();
            }
            if (block.label(row) > 0 && new File(file).mkdir()) {
                contribution.add(0, new double[numbers].length);
            }
            contribution.add(0, block.label(row));
        }
    }

    /** Readers that throw cells are silenced by the guard of every task; a twin without the guard shows them in logs. */
    @Test
    @Order(7)
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
    @Order(8)
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
        List<Path> holding = new ArrayList<>();
        for (Path root : List.of(work(), Path.of(System.getenv("SPARK_LOCAL_DIRS")))) {
            if (!Files.exists(root)) {
                continue;
            }
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (!file.toString().endsWith(".jar")
                            && new String(bytesOf(file), StandardCharsets.ISO_8859_1).contains(text)) {
                        holding.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE; // what was spilled is deleted as queries end
                }
            });
        }
        return holding;
    }

    private static byte[] bytesOf(Path file) throws IOException {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new byte[0]; // what was spilled is deleted as queries end
        }
    }
}
