package dev.tacit.benchmarks;

import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Likelihood;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.json.JsonFields;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints what one record costs a Bayesian neural network: an update of stochastic EP (moments forwards, gradients backwards,
 * new moments of every weight), beside the same update in numpy and recorded figures, a clipped gradient through the door
 * without noise, and the noise of a release.
 *
 * <p>Start it with {@code tacit-benchmarks/run network}; it needs {@code python3} with numpy. Times are CPU times of one
 * thread, the least of many passes on both sides. With {@code network-year} it measures one pass over 515 345 synthetic
 * records of 90 columns, the shape of YearPredictionMSD.
 */
final class NetworkBesideNumpy {
    private static final int RECORDS = 1439;
    private static final int HIDDEN = 50;

    /** As many as the default batch of so few records, and its noise at epsilon 1. */
    private static final int BATCH = 72;

    private static final double MULTIPLIER = 4.9;

    /** So many that random bits are made among them. */
    private static final int RELEASES = 500;

    private static final double SECONDS = 3;
    private static final int MOST_STEPS = 1_000_000;

    private static final int YEAR_RECORDS = 515_345;
    private static final int YEAR_COLUMNS = 90;
    private static final int YEAR_HIDDEN = 100;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private NetworkBesideNumpy() {}

    static void print() throws IOException {
        for (int columns : new int[] {4, 11, 16}) {
            NetworkShape shape = new NetworkShape(columns, List.of(HIDDEN));
            DenseBlock rows = rows(RECORDS, columns);
            JsonFields numpy = BesideNumpy.python("network.py", columns, HIDDEN, SECONDS);
            double noise = noise(shape.size() + 1);
            System.out.printf(
                    Locale.ROOT,
                    "%d columns, %d hidden units, %d weights: tacit %.2f us an update, numpy %s %.0f us; %.2f us a record"
                            + " through the door; %.0f us for the noise of a release, %.2f us a record of a batch of %d%n",
                    columns,
                    HIDDEN,
                    shape.size(),
                    1e6 * update(shape, rows),
                    numpy.text("numpy"),
                    1e6 * numpy.number("seconds"),
                    1e6 * gradient(rows),
                    1e6 * noise,
                    1e6 * noise / BATCH,
                    BATCH);
        }
        System.out.println(
                "recorded in other runs on 2 cores, not now: the authors' code with Theano 1.0.5 498 us at least (CPU)"
                        + " for 651 weights, a C form 11 us");
    }

    static void year() {
        DenseBlock rows = rows(YEAR_RECORDS, YEAR_COLUMNS);
        NetworkShape shape = new NetworkShape(YEAR_COLUMNS, List.of(YEAR_HIDDEN));
        ProbabilisticBackpropagation sep = sep(shape, rows);
        long wall = System.nanoTime();
        long cpu = THREADS.getCurrentThreadCpuTime();
        sep.epoch(rows, RandomStream.ofSeed(2));
        System.out.printf(
                Locale.ROOT,
                "%d records, %d columns, %d weights: an epoch of SEP in %.0f s CPU, %.0f s wall%n",
                YEAR_RECORDS,
                YEAR_COLUMNS,
                shape.size(),
                (THREADS.getCurrentThreadCpuTime() - cpu) * 1e-9,
                (System.nanoTime() - wall) * 1e-9);
        Door door = new Door(rows, YEAR_HIDDEN);
        wall = System.nanoTime();
        door.step();
        System.out.printf(
                Locale.ROOT,
                "a full pass of clipped gradients through the door, one thread: %.0f s wall%n",
                (System.nanoTime() - wall) * 1e-9);
    }

    private static DenseBlock rows(int records, int columns) {
        RandomStream random = RandomStream.ofSeed(1);
        double[] values = new double[records * columns];
        double[] labels = new double[records];
        for (int row = 0; row < records; row++) {
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = 2 * random.uniform() - 1;
            }
            labels[row] = Math.sin(3 * values[row * columns]) + 0.3 * random.normal();
        }
        return DenseBlock.of(records, columns, values, labels);
    }

    private static ProbabilisticBackpropagation sep(NetworkShape shape, DenseBlock rows) {
        return new ProbabilisticBackpropagation(
                shape, Method.SEP, Likelihood.GAUSSIAN, rows.rows(), Double.POSITIVE_INFINITY, RandomStream.ofSeed(1));
    }

    private static double update(NetworkShape shape, DenseBlock rows) {
        ProbabilisticBackpropagation sep = sep(shape, rows);
        RandomStream order = RandomStream.ofSeed(2);
        return least(() -> sep.epoch(rows, order)) / rows.rows();
    }

    /** Noise for release, of all weights and the statistic of the noise variance. */
    private static double noise(int numbers) {
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(MULTIPLIER);
        SecureNoise source = SecureNoise.create();
        return least(() -> {
                    for (int release = 0; release < RELEASES; release++) {
                        mechanism.addNoise(new long[numbers], 1, source);
                    }
                })
                / RELEASES;
    }

    private static double gradient(DenseBlock rows) {
        Door door = new Door(rows, HIDDEN);
        return least(door::step) / rows.rows();
    }

    /** Steps of private stochastic EP on full passes without noise, after the start. */
    private static final class Door {
        private final FixedPrecisionStochasticEp kernel =
                new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                        MOST_STEPS, new SamplingScheme.FullPass(), 1, 0.1, 1, 0.5, 0.2));
        private final NeuralNetwork model;
        private final PrivateSession session;
        private FixedPrecisionStochasticEp.State state;

        Door(DenseBlock rows, int hiddenUnits) {
            NeuralNetwork.Design standard = NeuralNetwork.Design.standard();
            model = NeuralNetwork.regression(
                    IntStream.range(0, rows.columns()).mapToObj(i -> "x" + i).toList(),
                    -3,
                    3,
                    new NeuralNetwork.Design(
                            List.of(hiddenUnits),
                            standard.hiddenPriorPrecision(),
                            standard.outputPriorPrecision(),
                            standard.hiddenPrecision(),
                            standard.outputPrecision(),
                            standard.outputWeight(),
                            standard.startDeviation(),
                            standard.scaleShare(),
                            standard.noiseShare()));
            PrivateDataset data = LocalSummation.dataset(
                    RecordsInMemory.of(rows, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), rows.rows(), 1);
            session = data.openNotPrivate(
                    RunRequest.of("benchmark", kernel.plan(model, rows.rows())), ReplayNoise.ofSeed(1));
            state = kernel.init(model, rows.rows(), RandomStream.ofSeed(1));
            int starts = model.privateStart().map(PrivateStart::releases).orElse(0);
            for (int i = 0; i < starts; i++) {
                step();
            }
        }

        void step() {
            state = kernel.step(state, model, session, RandomStream.ofSeed(1)).state();
        }
    }

    private static double least(Runnable work) {
        double least = Double.POSITIVE_INFINITY;
        long start = THREADS.getCurrentThreadCpuTime();
        while ((THREADS.getCurrentThreadCpuTime() - start) * 1e-9 < 2 * SECONDS) {
            long before = THREADS.getCurrentThreadCpuTime();
            work.run();
            least = Math.min(least, (THREADS.getCurrentThreadCpuTime() - before) * 1e-9);
        }
        return least;
    }
}
