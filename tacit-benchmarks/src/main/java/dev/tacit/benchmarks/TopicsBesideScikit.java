package dev.tacit.benchmarks;

import dev.tacit.data.catalogue.Corpus;
import dev.tacit.data.catalogue.CorpusSplit;
import dev.tacit.data.catalogue.DatasetException;
import dev.tacit.inference.PrivateVariationalBayes;
import dev.tacit.model.LatentDirichletAllocation;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.ScaledDirichletPosterior;
import dev.tacit.privacy.data.LocalDataset;
import dev.tacit.privacy.data.PrivateSession;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSource;
import dev.tacit.privacy.data.RunRequest;
import dev.tacit.privacy.data.SparseBlock;
import dev.tacit.privacy.json.JsonFields;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.sampling.SamplingScheme.FullPass;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;
import dev.tacit.run.InferenceRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints documents per second of one processor and perplexity of topics without privacy beside scikit-learn's latent
 * Dirichlet allocation, batch and online, both measured now, on this machine.
 *
 * <p>Start it with {@code TACIT_DATA=... tacit-benchmarks/run topics}; it needs the data set wikipedia and {@code python3}
 * with scikit-learn. Every tenth training document, 50 topics, the same number of passes, rounds and tolerance of the
 * local step, one thread, CPU times. The same code scores the topics of all, by document completion on every twentieth
 * document of the whole collection, with α = 1/50. Memory is the highest use of the heap, all documents and what the
 * collector had not cleared included, and the largest resident size of Python.
 */
final class TopicsBesideScikit {
    private static final int TOPICS = 50;
    private static final int STRIDE = 10;
    private static final int ONLINE_BATCH = 1024;
    private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");

    private final LatentDirichletAllocation model;
    private final List<RecordBlock> train;
    private final List<RecordBlock> test;
    private final RecordSource records;
    private final int passes;

    private TopicsBesideScikit(CorpusSplit split, int passes) {
        Corpus training = split.training().only(document -> document % STRIDE == 0);
        this.model = LatentDirichletAllocation.withoutNoise(training.vocabulary(), TOPICS);
        this.records = training.records();
        this.train = blocks(records);
        this.test = blocks(split.test().records());
        this.passes = passes;
    }

    /**
     * Prints the table.
     *
     * @param arguments passes, 8 if there is none
     */
    static void print(List<String> arguments) throws IOException {
        String folder = System.getenv("TACIT_DATA");
        if (folder == null) {
            throw new IOException("TACIT_DATA must name the folder that has the data set wikipedia");
        }
        int passes = arguments.isEmpty() ? 8 : Integer.parseInt(arguments.get(0));
        try {
            new TopicsBesideScikit(CorpusSplit.load("wikipedia", Path.of(folder)), passes).print();
        } catch (DatasetException e) {
            throw new IOException(e.getMessage(), e);
        }
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
                "%d documents, %d words, %d topics, %d passes, one thread%n",
                records.rows(),
                records.columns(),
                TOPICS,
                passes);
        double ours = tacit();
        Path folder = Files.createTempDirectory("tacit");
        try {
            long entries = write(folder);
            for (String method : List.of("online", "batch")) {
                scikit(folder, entries, method, ours);
            }
        } finally {
            for (String name : List.of("starts", "columns", "counts", "topics")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    /** Documents a second. */
    private double tacit() {
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(passes, new FullPass(), new StepSchedule.Last()));
        PrivateSession session = new LocalDataset(records, PrivacyUnit.record(Neighbours.ADD_REMOVE), records.rows(), 1)
                .openNotPrivate(RunRequest.of("benchmark", kernel.plan(model, records.rows())), ReplayNoise.ofSeed(1));
        System.gc();
        List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        heap.forEach(MemoryPoolMXBean::resetPeakUsage);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long start = threads.getCurrentThreadCpuTime();
        Posterior posterior = InferenceRun.once(kernel, model, session, RandomStream.ofSeed(1))
                .posterior();
        double rate = passes * records.rows() / ((threads.getCurrentThreadCpuTime() - start) * 1e-9);
        double bytes =
                heap.stream().mapToDouble(pool -> pool.getPeakUsage().getUsed()).sum();
        row("tacit, batch", rate, posterior, bytes * 1e-6, rate);
        return rate;
    }

    private void scikit(Path folder, long entries, String method, double ours) throws IOException {
        JsonFields answer = null;
        for (int i = 0; i < PYTHONS.size() && answer == null; i++) {
            try {
                answer = BesideNumpy.pythonAt(
                        PYTHONS.get(i),
                        "topics.py",
                        folder,
                        records.rows(),
                        records.columns(),
                        entries,
                        TOPICS,
                        passes,
                        method,
                        ONLINE_BATCH);
            } catch (IOException e) {
                // the next one may have scikit-learn
            }
        }
        if (answer == null) {
            System.out.printf(Locale.ROOT, "%-32s python3 with scikit-learn is missing%n", "scikit-learn, " + method);
            return;
        }
        double[] lambda = new double[TOPICS * records.columns()];
        littleEndian(Files.readAllBytes(folder.resolve("topics")))
                .asDoubleBuffer()
                .get(lambda);
        Posterior topics = ScaledDirichletPosterior.dirichlets(
                IntStream.rangeClosed(1, TOPICS).mapToObj(k -> "topic-" + k).toList(), model.vocabulary(), lambda);
        row(
                "scikit-learn " + answer.text("version") + ", " + method,
                passes * records.rows() / answer.number("seconds"),
                topics,
                answer.number("megabytes"),
                ours);
    }

    private void row(String name, double rate, Posterior topics, double megabytes, double ours) {
        System.out.printf(
                Locale.ROOT,
                "%-32s %6.0f documents a second   perplexity %.0f   %.0f MB   tacit is %.2f times as fast%n",
                name,
                rate,
                model.scores(topics, test).get("perplexity"),
                megabytes,
                ours / rate);
    }

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
}
