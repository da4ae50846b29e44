package dev.tacit.benchmarks;

import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.json.JsonFields;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Prints what one record costs one step of private variational inference, logistic regression on rows like Adult's, beside
 * vectorised numpy forms of the same clipped sum; both measured now, on this machine.
 *
 * <p>Start it with {@code tacit-benchmarks/run bound-gradients}; it needs {@code python3} with numpy. Times are CPU times of
 * one thread, the least of many passes on both sides; numpy's best form counts, in single or in double precision. Ours is
 * a release through the door without noise, in double precision and rounded to its grid; drawing K points of q and
 * everything else that a step does before it touches records is part of it. Each of ours has a virtual machine of its own
 * with the collector that {@code tacit} chooses, because a loop that was compiled for one query is not the fastest for another.
 */
final class BoundGradientsBesideNumpy {
    private static final int RECORDS = 32_768;
    private static final int DRAWS = 10;
    private static final double SECONDS = 3;
    private static final int MOST_RELEASES = 1_000_000;

    private BoundGradientsBesideNumpy() {}

    static void print() throws IOException {
        int[][] shapes = {{57, 12}, {108, 15}};
        for (int[] shape : shapes) {
            int columns = shape[0];
            int nonZeros = shape[1];
            JsonFields numpy = BesideNumpy.python("bound_gradients.py", RECORDS, columns, nonZeros, DRAWS, SECONDS / 3);
            double best = Double.POSITIVE_INFINITY;
            String form = "";
            for (String precision : new String[] {"single", "double"}) {
                for (String draws : new String[] {"", " mirrored"}) {
                    for (String part : new String[] {"whole", "2048", "256"}) {
                        String name = precision + draws + " " + part;
                        double seconds = numpy.number(name);
                        System.out.printf(Locale.ROOT, "  numpy %s %.3f us%n", name, 1e6 * seconds / RECORDS);
                        if (seconds < best) {
                            best = seconds;
                            form = precision + " precision" + draws + ", rows at once: " + part;
                        }
                    }
                }
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d columns, %d non-zeros, %d draws; numpy %s, best form %s: %.3f us a record%n",
                    columns,
                    nonZeros,
                    DRAWS,
                    numpy.text("numpy"),
                    form,
                    1e6 * best / RECORDS);
            row("draws", columns, nonZeros, best);
            row("independent", columns, nonZeros, best);
            row("expectation", columns, nonZeros, best);
        }
    }

    private static void row(String name, int columns, int nonZeros, double numpy) throws IOException {
        double ours = inOwnMachine(name, columns, nonZeros);
        System.out.printf(
                Locale.ROOT, "  tacit, %-11s %.3f us a record, ratio %.2f%n", name, 1e6 * ours / RECORDS, numpy / ours);
    }

    private static double inOwnMachine(String name, int columns, int nonZeros) throws IOException {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BoundGradientsBesideNumpy.class.getName(),
                        name,
                        Integer.toString(columns),
                        Integer.toString(nonZeros))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return Double.parseDouble(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    /** Prints the seconds of one of ours: its name, columns, non-zeros. */
    public static void main(String[] arguments) {
        int columns = Integer.parseInt(arguments[1]);
        Point point = new Point(columns);
        System.out.println(seconds(
                columns,
                Integer.parseInt(arguments[2]),
                switch (arguments[0]) {
                    case "draws" -> () -> point.pairs(DRAWS / 2);
                    case "independent" -> () -> point.independent(DRAWS);
                    default -> point::expectation;
                }));
    }

    /** A point of the variational family. */
    private static final class Point {
        private final RandomStream random = RandomStream.ofSeed(2);
        private final LogisticRegression model;
        private final double[] means;
        private final double[] scales;

        Point(int columns) {
            this.model = new LogisticRegression(
                    IntStream.range(0, columns).mapToObj(i -> "x" + i).toList(), 4, 1);
            this.means = new double[columns];
            this.scales = new double[columns];
            random.fillNormal(means);
            Arrays.setAll(means, j -> 0.3 * means[j]);
            Arrays.fill(scales, 0.05);
        }

        ContributionSum independent(int count) {
            return MeanFieldGradient.of(model, means, scales, scales, noise(count), 20);
        }

        ContributionSum pairs(int count) {
            return MeanFieldGradient.inPairs(model, means, scales, scales, noise(count), 20);
        }

        private double[] noise(int count) {
            double[] noise = new double[count * means.length];
            random.fillNormal(noise);
            return noise;
        }

        ContributionSum expectation() {
            return MarginExpectationGradient.ofLinks(model, means, scales, scales, 20);
        }
    }

    private static double seconds(int columns, int nonZeros, Supplier<ContributionSum> query) {
        PrivateSession session = LocalSummation.dataset(
                        new RecordsInMemory(columns, true, List.of(records(columns, nonZeros)), null),
                        PrivacyUnit.record(Neighbours.ADD_REMOVE),
                        RECORDS,
                        1)
                .openNotPrivate(
                        RunRequest.of(
                                "benchmark",
                                ReleasePlan.of("gradients", MOST_RELEASES, 2 * columns, new SamplingScheme.FullPass())),
                        ReplayNoise.ofSeed(1));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double least = Double.POSITIVE_INFINITY;
        long start = threads.getCurrentThreadCpuTime();
        while ((threads.getCurrentThreadCpuTime() - start) * 1e-9 < 2 * SECONDS) {
            long before = threads.getCurrentThreadCpuTime();
            session.release(query.get(), 2);
            least = Math.min(least, (threads.getCurrentThreadCpuTime() - before) * 1e-9);
        }
        return least;
    }

    /** Rows of ones, as one-hot columns make them. */
    private static SparseBlock records(int columns, int nonZeros) {
        RandomStream random = RandomStream.ofSeed(1);
        int[] starts = new int[RECORDS + 1];
        int[] indices = new int[RECORDS * nonZeros];
        double[] values = new double[RECORDS * nonZeros];
        double[] labels = new double[RECORDS];
        Arrays.fill(values, 1);
        for (int row = 0; row < RECORDS; row++) {
            int[] chosen = Arrays.copyOf(random.permutation(columns), nonZeros);
            Arrays.sort(chosen);
            System.arraycopy(chosen, 0, indices, row * nonZeros, nonZeros);
            starts[row + 1] = (row + 1) * nonZeros;
            labels[row] = random.uniform() < 0.3 ? 1 : 0;
        }
        return SparseBlock.of(RECORDS, columns, starts, indices, values, labels);
    }
}
