package dev.tacit.benchmarks.spark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Logistic regression by Spark MLlib on one local thread, without privacy, with the CPU time of this process.
 *
 * <p>Arguments: a Parquet file whose column {@code y} is the label and whose others are features, and how many parts it is read
 * in. Two fits with standard settings, the second of a table that was cached first. Prints for each a line: microseconds a row of the
 * whole fit with reading, how many passes over the rows the optimiser made, and nanoseconds a row of such a pass (the median of the
 * second half of them, in which the process is warm).
 */
public final class SparkLogistic {
    private SparkLogistic() {}

    /** The entry point. */
    public static void main(String[] arguments) throws Exception {
        try (SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .appName("logistic")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .getOrCreate()) {
            spark.sparkContext().setLogLevel("ERROR");
            Dataset<Row> table = spark.read().parquet(arguments[0]).coalesce(Integer.parseInt(arguments[1]));
            long rows = table.count();
            String[] features =
                    Arrays.stream(table.columns()).filter(name -> !name.equals("y")).toArray(String[]::new);
            Dataset<Row> assembled = new VectorAssembler()
                    .setInputCols(features)
                    .setOutputCol("features")
                    .transform(table)
                    .select("features", "y");
            fit(spark, assembled, rows, false);
            fit(spark, assembled, rows, true);
        }
    }

    private static void fit(SparkSession spark, Dataset<Row> rows, long count, boolean cached) throws Exception {
        Passes passes = new Passes();
        spark.sparkContext().addSparkListener(passes);
        double start = processSeconds();
        if (cached) {
            rows.cache().count();
        }
        LogisticRegressionModel model =
                new LogisticRegression().setLabelCol("y").fit(rows);
        double whole = processSeconds() - start;
        spark.sparkContext().listenerBus().waitUntilEmpty();
        int evaluations = model.summary().totalIterations() + 1;
        System.out.printf(
                Locale.ROOT,
                "MLlib %s, one thread%s: whole fit %.2f µs a row, %d passes of %.0f ns a record%n",
                spark.version(),
                cached ? ", table cached first" : "",
                whole / count * 1e6,
                evaluations,
                passes.secondsOfLast((evaluations + 1) / 2) / count * 1e9);
        rows.unpersist(true);
    }

    /** CPU time between the ends of jobs; every pass of the optimiser is a job. */
    private static final class Passes extends SparkListener {
        private final List<Double> ends = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void onJobEnd(SparkListenerJobEnd end) {
            ends.add(processSeconds());
        }

        double secondsOfLast(int jobs) {
            double[] seconds = new double[jobs];
            for (int i = 0; i < jobs; i++) {
                int end = ends.size() - 1 - i;
                seconds[i] = ends.get(end) - ends.get(end - 1);
            }
            Arrays.sort(seconds);
            return seconds[jobs / 2];
        }
    }

    private static double processSeconds() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() * 1e-9;
    }
}
