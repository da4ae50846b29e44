package dev.tacit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.tacit.data.catalogue.NamedCorpus;
import dev.tacit.data.catalogue.corpus.Corpus;
import dev.tacit.data.catalogue.corpus.CorpusSplit;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.json.JsonFields;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.TopicPerplexity;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Prints documents per second of one processor, perplexity and memory of topics without privacy beside scikit-learn's and
 * Spark MLlib's latent Dirichlet allocation, all measured now, on this machine; and then {@link TopicMemory}.
 *
 * <p>Start it with {@code TACIT_DATA=... tacit-benchmarks/run topics}; it needs the data set wikipedia, {@code python3} with
 * scikit-learn, and Maven that can resolve Spark MLlib; a peer that is missing is left out. Every tenth training document,
 * 50 topics, α = η = 1/50, the same number of passes, one thread, CPU time of the whole process from the first document
 * on, compiling and collecting garbage included. The same code scores the topics of all after every pass, by document
 * completion on every twentieth document of the whole collection.
 *
 * <p>Equal perplexity: the lowest one that both a peer and Tacit reach; each is counted up to the pass that reaches it. Memory
 * is the highest use of a heap of at most 1 GB with all documents and what the collector had not cleared, and the largest
 * resident size of Python.
 */
final class TopicsBesidePeers {
    private static final int TOPICS = 50;
    private static final int STRIDE = 10;
    private static final int ONLINE_BATCH = 1024;

    /** Where one library stands after a pass. */
    private record Point(double documents, double seconds, double perplexity) {
        double rate() {
            return documents / seconds;
        }
    }

    private final LatentDirichletAllocation model;
    private final List<RecordBlock> train;
    private final TopicPerplexity test;
    private final RecordSource records;
    private final int passes;

    private TopicsBesidePeers(CorpusSplit split, int passes) {
        Corpus training = split.training().only(document -> document % STRIDE == 0);
        this.model = LatentDirichletAllocation.withoutNoise(training.vocabulary(), TOPICS);
        this.records = training.records();
        this.train = blocks(records);
        this.test = TopicPerplexity.on(blocks(split.test().records()));
        this.passes = passes;
    }

    /**
     * Prints both tables.
     *
     * @param arguments passes, 8 if there is none
     */
    static void print(List<String> arguments) throws IOException {
        String folder = System.getenv("TACIT_DATA");
        if (folder == null) {
            throw new IOException("TACIT_DATA must name the folder that has the data set wikipedia");
        }
        int passes = arguments.isEmpty() ? 8 : Integer.parseInt(arguments.get(0));
        TopicsBesidePeers benchmark;
        try {
            benchmark = new TopicsBesidePeers(NamedCorpus.load("wikipedia", Path.of(folder)), passes);
        } catch (DatasetException e) {
            throw new IOException(e.getMessage(), e);
        }
        benchmark.print();
        new TopicMemory(benchmark.model.vocabulary(), benchmark.train).print();
    }

    private static List<RecordBlock> blocks(RecordSource records) {
        List<RecordBlock> blocks = new ArrayList<>();
        RecordSource.Reader reader = records.reader();
        for (long block = 0; block * records.blockRows() < records.rows(); block++) {
            blocks.add(reader.block(block));
        }
        return blocks;
    }

    private void print() throws IOException {
        System.out.printf(
                Locale.ROOT,
                "%d documents, %d words, %d topics, %d passes, one thread%n%-28s %11s %11s %10s  %s%n",
                records.rows(),
                records.columns(),
                TOPICS,
                passes,
                "",
                "docs/s/core",
                "perplexity",
                "memory MB",
                "docs/s/core at equal perplexity");
        List<Point> ours = tacit();
        Path folder = Files.createTempDirectory("tacit");
        try {
            List<Object> arguments =
                    List.of(folder, records.rows(), records.columns(), write(folder), TOPICS, passes, ONLINE_BATCH);
            Optional<String> spark =
                    Optional.ofNullable(System.getProperty("tacit.spark")).filter(classes -> !classes.isBlank());
            for (TopicPeer peer : List.of(new TopicPeer.Scikit(), new TopicPeer.Spark(spark))) {
                Optional<JsonFields> answer = peer.run(folder, arguments);
                if (answer.isPresent()) {
                    List<Point> points = points(folder, answer.get());
                    row(
                            peer.name() + " " + answer.get().text("version"),
                            points,
                            answer.get().number("megabytes"),
                            beside(points, ours));
                } else {
                    System.out.printf(Locale.ROOT, "%-28s is not installed, or cannot be resolved.%n", peer.name());
                }
            }
        } finally {
            delete(folder);
        }
    }

    // ---- here ------------------------------------------------------------------------------------------------------

    /** Full passes: what a fit without privacy does. */
    private List<Point> tacit() {
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(passes, new FullPass(), new StepSchedule.Last()));
        PrivateSession session = LocalSummation.dataset(
                        records, PrivacyUnit.record(Neighbours.ADD_REMOVE), records.rows(), 1)
                .openNotPrivate(RunRequest.of("benchmark", kernel.plan(model, records.rows())), ReplayNoise.ofSeed(1));
        System.gc();
        List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        double bytes = 0;
        double seconds = 0;
        List<Point> points = new ArrayList<>();
        RandomStream random = RandomStream.ofSeed(1);
        PrivateVariationalBayes.State state = kernel.init(model, records.rows(), random.fork("init"));
        for (int pass = 1; pass <= passes; pass++) {
            heap.forEach(MemoryPoolMXBean::resetPeakUsage);
            double start = processSeconds();
            state = kernel.step(state, model, session, random.fork(state.releases()))
                    .state();
            ScaledDirichletPosterior posterior = kernel.posterior(state, model);
            seconds += processSeconds() - start;
            bytes = Math.max(
                    bytes,
                    heap.stream()
                            .mapToDouble(pool -> pool.getPeakUsage().getUsed())
                            .sum());
            points.add(new Point(pass * (double) records.rows(), seconds, perplexity(posterior)));
        }
        row("tacit, full passes", points, bytes * 1e-6, "");
        return points;
    }

    private static double processSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    private double perplexity(Posterior topics) {
        double[] byTopic = topics.mean();
        double[] byWord = new double[byTopic.length];
        for (int i = 0; i < byTopic.length; i++) {
            byWord[i % records.columns() * TOPICS + i / records.columns()] = byTopic[i];
        }
        return test.of(TOPICS, byWord, model.describer(topics)::describe);
    }

    // ---- elsewhere -------------------------------------------------------------------------------------------------

    private List<Point> points(Path folder, JsonFields answer) throws IOException {
        List<?> seconds = answer.list("seconds");
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < seconds.size(); i++) {
            double[] lambda = new double[TOPICS * records.columns()];
            littleEndian(Files.readAllBytes(folder.resolve("topics-" + (i + 1))))
                    .asDoubleBuffer()
                    .get(lambda);
            for (int cell = 0; cell < lambda.length; cell++) {
                lambda[cell] = Math.max(lambda[cell], Double.MIN_NORMAL);
            }
            Posterior topics = ScaledDirichletPosterior.dirichlets(
                    IntStream.rangeClosed(1, TOPICS).mapToObj(k -> "topic-" + k).toList(), model.vocabulary(), lambda);

            points.add(
                    new Point((i + 1.0) * records.rows(), ((Number) seconds.get(i)).doubleValue(), perplexity(topics)));
        }
        return points;
    }

    private static void row(String name, List<Point> points, double megabytes, String beside) {
        Point last = points.get(points.size() - 1);
        System.out.printf(
                Locale.ROOT,
                "%-28s %11.0f %11.1f %10.0f  %s%n",
                name,
                last.rate(),
                last.perplexity(),
                megabytes,
                beside);
    }

    /** Both up to the lowest perplexity that both reach. */
    private static String beside(List<Point> points, List<Point> ours) {
        double common = Math.max(lowest(points), lowest(ours));
        Point there = reached(points, common);
        Point here = reached(ours, common);
        return String.format(
                Locale.ROOT,
                "%.0f: %.0f in %.1f s, tacit %.0f in %.1f s: %.1f times the documents, %.1f times as soon",
                common,
                there.rate(),
                there.seconds(),
                here.rate(),
                here.seconds(),
                here.rate() / there.rate(),
                there.seconds() / here.seconds());
    }

    private static double lowest(List<Point> points) {
        return points.stream().mapToDouble(Point::perplexity).min().orElseThrow();
    }

    private static Point reached(List<Point> points, double perplexity) {
        return points.stream()
                .filter(point -> point.perplexity() <= perplexity)
                .findFirst()
                .orElseThrow();
    }

    // ---- files -----------------------------------------------------------------------------------------------------

    /** Writes the training documents; returns the number of entries. */
    private long write(Path folder) throws IOException {
        int entries = train.stream()
                .mapToInt(block -> ((SparseBlock) block).end(block.rows() - 1) - ((SparseBlock) block).start(0))
                .sum();
        byte[] startBytes = new byte[Math.toIntExact(Integer.BYTES * (records.rows() + 1))];
        byte[] columnBytes = new byte[Math.multiplyExact(Integer.BYTES, entries)];
        byte[] countBytes = new byte[Math.multiplyExact(Double.BYTES, entries)];
        ByteBuffer starts = littleEndian(startBytes);
        ByteBuffer columns = littleEndian(columnBytes);
        ByteBuffer counts = littleEndian(countBytes);
        starts.putInt(0);
        int written = 0;
        for (RecordBlock block : train) {
            SparseBlock sparse = (SparseBlock) block;
            for (int row = 0; row < sparse.rows(); row++) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    columns.putInt(sparse.columnIndices()[entry]);
                    counts.putDouble(sparse.values()[entry]);
                    written++;
                }
                starts.putInt(written);
            }
        }
        Files.write(folder.resolve("starts"), startBytes);
        Files.write(folder.resolve("columns"), columnBytes);
        Files.write(folder.resolve("counts"), countBytes);
        return entries;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
