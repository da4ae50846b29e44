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
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.json.JsonFields;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints what one record costs stochastic EP of a mixture with four components in four columns: whole sites, and centred gradients alone,
 * through the door without noise; beside numpy forms of whole sites, one record at a time and vectorised over records, measured now, and
 * beside recorded figures.
 *
 * <p>Start it with {@code tacit-benchmarks/run ep}; it needs {@code python3} with numpy. Times are CPU times of one thread, the least of many
 * passes.
 */
final class EpBesideNumpy {
    private static final int RECORDS = 1000;
    private static final int COLUMNS = 4;
    private static final int COMPONENTS = 4;
    private static final double SECONDS = 4;
    private static final int MOST_RELEASES = 10_000_000;

    private EpBesideNumpy() {}

    static void print() throws IOException {
        MixtureMeans model = model();
        SamplingScheme full = new SamplingScheme.FullPass();
        double sites = secondsARecord(
                new DpStochasticEp(new DpStochasticEp.Settings(1, full, 50, 1, true, 1, 1, 0, 0)), model);
        double scores = secondsARecord(
                new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(1, full, 0.8, 0.01, 1, 0, 0)),
                model);
        JsonFields numpy = BesideNumpy.python("ep.py", RECORDS, COLUMNS, COMPONENTS, SECONDS);
        System.out.printf(
                Locale.ROOT,
                "%d components, %d columns, us a record: tacit whole sites %.2f, centred gradients %.2f;"
                        + " numpy %s one by one %.1f, vectorised over records %.2f%n",
                COMPONENTS,
                COLUMNS,
                1e6 * sites,
                1e6 * scores,
                numpy.text("numpy"),
                1e6 * numpy.number("oneByOne"),
                1e6 * numpy.number("vectorised"));
        System.out.println(
                "recorded in other runs on 2 cores, not now: the authors' code with numpy 1.19.5 466 us at least"
                        + " (CPU), a C form 5 to 9 us (wall)");
    }

    private static MixtureMeans model() {
        double[] priorMean = new double[COMPONENTS * COLUMNS];
        RandomStream.ofSeed(1).fillNormal(priorMean);
        return new MixtureMeans(
                List.of("a", "b", "c", "d"),
                MixtureMeans.equalWeights(COMPONENTS),
                0.25,
                priorMean,
                0.1,
                RECORDS,
                Optional.empty());
    }

    private static <S extends Record> double secondsARecord(
            InferenceKernel<? super MixtureMeans, S> kernel, MixtureMeans model) {
        RandomStream random = RandomStream.ofSeed(2);
        double[] values = new double[RECORDS * COLUMNS];
        random.fillNormal(values);
        int dimension = kernel.plan(model, RECORDS).phases().get(0).dimension();
        ReleasePlan plan = ReleasePlan.of("sites", MOST_RELEASES, dimension, new SamplingScheme.FullPass());
        PrivateSession session = LocalSummation.dataset(
                        RecordsInMemory.of(DenseBlock.of(RECORDS, COLUMNS, values, null), false),
                        PrivacyUnit.record(Neighbours.ADD_REMOVE),
                        RECORDS,
                        1)
                .openNotPrivate(RunRequest.of("benchmark", plan), ReplayNoise.ofSeed(1));
        S state = kernel.init(model, RECORDS, random);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double least = Double.POSITIVE_INFINITY;
        long start = threads.getCurrentThreadCpuTime();
        while ((threads.getCurrentThreadCpuTime() - start) * 1e-9 < SECONDS) {
            long before = threads.getCurrentThreadCpuTime();
            kernel.step(state, model, session, random);
            least = Math.min(least, (threads.getCurrentThreadCpuTime() - before) * 1e-9);
        }
        return least / RECORDS;
    }
}
