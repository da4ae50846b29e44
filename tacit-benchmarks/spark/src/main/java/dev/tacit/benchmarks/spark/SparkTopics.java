package dev.tacit.benchmarks.spark;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.clustering.LDA;
import org.apache.spark.mllib.clustering.OnlineLDAOptimizer;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import scala.Tuple2;

/**
 * Topics by Spark MLlib's online latent Dirichlet allocation on one local thread, with its CPU time and peak memory.
 *
 * <p>Arguments: folder, documents, words, entries, topics, passes, documents in a batch. The folder has {@code starts},
 * {@code columns} (32 bits) and {@code counts} (64 bits) of the documents; after each pass the topics are written there,
 * topic after topic. Prints one JSON object. Concentrations are 1/K, step (10 + t)^−0.7, batches are drawn by Spark. CPU
 * time is that of the whole process, from the first batch on.
 */
public final class SparkTopics {
    private SparkTopics() {}

    /** The entry point. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int[] numbers = new int[arguments.length - 1];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = Integer.parseInt(arguments[i + 1]);
        }
        int documents = numbers[0];
        int topics = numbers[3];
        int passes = numbers[4];
        int batches = (documents + numbers[5] - 1) / numbers[5];
        SparkConf settings = new SparkConf()
                .setMaster("local[1]")
                .setAppName("topics")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.driver.host", "127.0.0.1");
        try (JavaSparkContext context = new JavaSparkContext(settings)) {
            context.setLogLevel("ERROR");
            JavaRDD<Tuple2<Object, Vector>> rows =
                    context.parallelize(read(folder, documents, numbers[1], numbers[2]), 1).cache();
            rows.count();
            OnlineLDAOptimizer optimizer = new OnlineLDAOptimizer()
                    .setMiniBatchFraction(1.0 / batches)
                    .setTau0(10)
                    .setKappa(0.7)
                    .initialize(
                            rows.rdd(),
                            new LDA()
                                    .setK(topics)
                                    .setDocConcentration(1.0 / topics)
                                    .setTopicConcentration(1.0 / topics)
                                    .setSeed(1));
            System.gc();
            List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .toList();
            heap.forEach(MemoryPoolMXBean::resetPeakUsage);
            double seconds = 0;
            List<String> times = new ArrayList<>();
            for (int pass = 1; pass <= passes; pass++) {
                double start = processSeconds();
                for (int batch = 0; batch < batches; batch++) {
                    optimizer.next();
                }
                seconds += processSeconds() - start;
                times.add(String.format(Locale.ROOT, "%.3f", seconds));
                write(
                        folder.resolve("topics-" + pass),
                        optimizer.getLDAModel(new double[0]).topicsMatrix().toArray());
            }
            System.out.printf(
                    Locale.ROOT,
                    "{\"version\": \"%s\", \"seconds\": %s, \"megabytes\": %.1f}%n",
                    context.version(),
                    times,
                    heap.stream().mapToDouble(pool -> pool.getPeakUsage().getUsed()).sum() * 1e-6);
        }
    }

    private static double processSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }

    private static List<Tuple2<Object, Vector>> read(Path folder, int documents, int words, int entries)
            throws IOException {
        int[] starts = new int[documents + 1];
        int[] columns = new int[entries];
        double[] counts = new double[entries];
        bytes(folder, "starts").asIntBuffer().get(starts);
        bytes(folder, "columns").asIntBuffer().get(columns);
        bytes(folder, "counts").asDoubleBuffer().get(counts);
        List<Tuple2<Object, Vector>> rows = new ArrayList<>(documents);
        for (int document = 0; document < documents; document++) {
            int size = starts[document + 1] - starts[document];
            int[] own = new int[size];
            double[] values = new double[size];
            System.arraycopy(columns, starts[document], own, 0, size);
            System.arraycopy(counts, starts[document], values, 0, size);
            rows.add(new Tuple2<>((long) document, Vectors.sparse(words, own, values)));
        }
        return rows;
    }

    private static ByteBuffer bytes(Path folder, String name) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(folder.resolve(name))).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void write(Path file, double[] numbers) throws IOException {
        byte[] bytes = new byte[Math.multiplyExact(Double.BYTES, numbers.length)];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer().put(numbers);
        Files.write(file, bytes);
    }
}
