package dev.tacit.benchmarks;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.json.JsonFields;
import dev.tacit.model.belief.BeliefGradients;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints what one image costs a sigmoid belief network, inference and clipped gradient, beside a numpy form of the same
 * sweeps that is vectorised over images; both measured now, on this machine.
 *
 * <p>Start it with {@code tacit-benchmarks/run belief}; it needs {@code python3} with numpy. Times are CPU times of one
 * thread, the least of many passes on both sides.
 */
final class BeliefBesideNumpy {
    private static final int IMAGES = 512;
    private static final int COLUMNS = 784;
    private static final int SWEEPS = 3;
    private static final double L2_BOUND = 10;
    private static final double SECONDS = 5;
    private static final int MOST_RELEASES = 1_000_000;

    private BeliefBesideNumpy() {}

    static void print() throws IOException {
        for (int hidden : new int[] {50, 100}) {
            JsonFields numpy = BesideNumpy.python("belief.py", IMAGES, COLUMNS, hidden, SWEEPS, SECONDS);
            double peer = numpy.number("seconds") / IMAGES;
            double ours = secondsAnImage(hidden);
            System.out.printf(
                    Locale.ROOT,
                    "%d columns, %d hidden units, %d sweeps: tacit %.0f us an image, numpy %s %.0f us, ratio %.2f%n",
                    COLUMNS,
                    hidden,
                    SWEEPS,
                    1e6 * ours,
                    numpy.text("numpy"),
                    1e6 * peer,
                    peer / ours);
        }
    }

    private static double secondsAnImage(int hidden) {
        RandomStream random = RandomStream.ofSeed(1);
        double[] values = new double[IMAGES * COLUMNS];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.uniform() < 0.15 ? 1 : 0;
        }
        SigmoidBeliefNetwork network = new SigmoidBeliefNetwork(
                IntStream.range(0, COLUMNS).mapToObj(i -> "pixel" + i).toList(), hidden, SWEEPS, 0.5, 0);
        BeliefGradients model = new BeliefGradients(network, IMAGES, L2_BOUND, 2, 0.3, 1);
        double[] parameters = new double[model.dimension()];
        random.fillNormal(parameters);
        ContributionSum query = model.boundGradient(parameters);
        ReleasePlan plan = ReleasePlan.of("gradients", MOST_RELEASES, query.dimension(), new SamplingScheme.FullPass());
        PrivateSession session = LocalSummation.dataset(
                        new RecordsInMemory(
                                COLUMNS, false, List.of(DenseBlock.of(IMAGES, COLUMNS, values, null)), null),
                        PrivacyUnit.record(Neighbours.ADD_REMOVE),
                        IMAGES,
                        1)
                .openNotPrivate(RunRequest.of("benchmark", plan), ReplayNoise.ofSeed(1));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double least = Double.POSITIVE_INFINITY;
        long start = threads.getCurrentThreadCpuTime();
        while ((threads.getCurrentThreadCpuTime() - start) * 1e-9 < 2 * SECONDS) {
            long before = threads.getCurrentThreadCpuTime();
            session.release(query, L2_BOUND);
            least = Math.min(least, (threads.getCurrentThreadCpuTime() - before) * 1e-9);
        }
        return least / IMAGES;
    }
}
