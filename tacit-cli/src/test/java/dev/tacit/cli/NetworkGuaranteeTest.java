package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.Plans;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A whole private fit of a network keeps its epsilon on neighbouring records, and twins broken as published code is broken
 * do not: noise computed and not used, everybody visited where a random batch is claimed, noise for a step that is smaller
 * than the one taken, and a record that decides whether there is a step at all. The scaling of columns, published without
 * noise, is tested by itself.
 *
 * <p>The probability that a correct fit fails is below 1e-6 for each test; batches and noise are replayed from a fixed
 * seed, which a failing verdict names.
 */
class NetworkGuaranteeTest {
    private static final long SEED = 73_411L;
    private static final int OUTPUTS = 2_500;
    private static final double DELTA = 0.1;
    private static final double NOISE_MULTIPLIER = 0.9;

    /** Of all steps; the first release has a multiple of it. */
    private static final double SCALE_NOISE = 0.4;

    private static final int STEPS = 2;
    private static final int OUTPUT_BIAS = 8;

    /** Between the first sums of the output's bias with the one (−1.12) and without (−1.24). */
    private static final double THRESHOLD = -1.18;

    private static final NeuralNetwork NETWORK = NeuralNetwork.regression(
            List.of("x0", "x1"), -1, 1, new NeuralNetwork.Design(List.of(2), 1, 1, 4, 4, 0.5, 0.7, 0.2, 0.3));

    private static final int START_RELEASES =
            NETWORK.privateStart().orElseThrow().releases();

    /** The one who is added or removed, and others, unlike it: inputs, then the target. */
    private static final double[] SOMEBODY = {1, 1, 1};

    private static final double[][] OTHERS = {{-1, -1, -1}, {-1, -0.8, -1}, {-0.9, -1, -1}, {-1, -1, -0.9}};

    /** Ways to break the steps that a test must notice. */
    enum Broken {
        NOT(0.4),
        /** As published: the noise is drawn, and the state without it is kept. */
        NOISE_DROPPED(0.4),
        /** As published: every record in turn, accounted as random batches. */
        EVERYBODY(0.1),
        /** As published: noise for the share 1/N of a step, and the whole step. */
        NOISE_OF_A_SMALLER_STEP(0.4),
        /** As published: if the update is not valid, the state stays as it is, without noise. */
        SKIPPED(1);

        private final double rate;

        /** With the sampling rate at which it shows: chance in the batch would hide some, and others are about chance. */
        Broken(double rate) {
            this.rate = rate;
        }

        FixedPrecisionStochasticEp kernel() {
            SamplingScheme sampling =
                    rate < 1 ? new SamplingScheme.PoissonSampling(rate) : new SamplingScheme.FullPass();
            return new FixedPrecisionStochasticEp(
                    new FixedPrecisionStochasticEp.Settings(STEPS, sampling, 0.4, 0.5, 1, 0, 0));
        }

        ReleasePlan plan() {
            ReleasePlan all = kernel().plan(NETWORK, OTHERS.length + 1);
            return new ReleasePlan(all.phases().subList(1, all.phases().size()));
        }
    }

    private static PrivateDataset dataset(double[]... rows) {
        double[] values = new double[2 * rows.length];
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(rows[row], 0, values, 2 * row, 2);
            labels[row] = rows[row][2];
        }
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(rows.length, 2, values, labels), true),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                OTHERS.length + 1,
                1);
    }

    private static double[][] everybody() {
        double[][] all = Arrays.copyOf(OTHERS, OTHERS.length + 1);
        all[OTHERS.length] = SOMEBODY;
        return all;
    }

    private static PrivateSession open(PrivateDataset data, ReleasePlan plan, double noise, long seed) {
        try {
            return data.open(
                    RunRequest.of("test", plan),
                    new DiscreteGaussianMechanism(noise),
                    new FreeLedger(data.unit()),
                    ReplayNoise.ofSeed(seed));
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    private static PrivateSession session(PrivateDataset data, Broken broken, long seed) {
        ReleasePlan plan = broken.plan();
        return switch (broken) {
            case NOT -> open(data, plan, NOISE_MULTIPLIER, seed);
            case NOISE_DROPPED -> changed(data, seed, plan, plan, NOISE_MULTIPLIER, (noisy, silent) -> silent);
            case EVERYBODY ->
                changed(data, seed, plan, Plans.withoutSampling(plan), NOISE_MULTIPLIER, (noisy, silent) -> noisy);
            case NOISE_OF_A_SMALLER_STEP ->
                changed(data, seed, plan, plan, NOISE_MULTIPLIER / 5, (noisy, silent) -> noisy);
            case SKIPPED ->
                changed(
                        data,
                        seed,
                        plan,
                        plan,
                        NOISE_MULTIPLIER,
                        (noisy, silent) -> silent[OUTPUT_BIAS] > THRESHOLD ? new double[silent.length] : noisy);
        };
    }

    private interface Choice {
        double[] of(double[] noisy, double[] silent);
    }

    /** A door that hands out something else than it says, made from the true one and one without noise. */
    private static PrivateSession changed(
            PrivateDataset data, long seed, ReleasePlan claimed, ReleasePlan made, double noise, Choice choice) {
        PrivateSession noisy = open(data, made, noise, seed);
        PrivateSession silent = data.openNotPrivate(RunRequest.of("test", made), ReplayNoise.ofSeed(seed));
        return new SabotagedSession(List.of(noisy), 1, claimed) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                NoisySum clean = silent.release(query, l2Bound);
                NoisySum said = super.release(query, l2Bound);
                return said.derived(
                        choice.of(said.value(), clean.value()),
                        said.noiseStandardDeviation(),
                        said.expectedBatchSize());
            }
        };
    }

    /** The means of the weights after every step, from the same first point and with columns scaled by their bounds. */
    private static Supplier<double[]> fits(FixedPrecisionStochasticEp kernel, LongFunction<PrivateSession> door) {
        long[] next = {SEED};
        double[] scales = NETWORK.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        double[] start = NETWORK.startMean(scales, RandomStream.ofSeed(1));
        return () -> {
            PrivateSession session = door.apply(next[0]++);
            double[] none = {};
            FixedPrecisionStochasticEp.State state = new FixedPrecisionStochasticEp.State(
                    START_RELEASES, start, new double[start.length], scales, 0, none, none, 0, none, none, 0, 0);
            double[] means = new double[STEPS * start.length];
            for (int step = 0; step < STEPS; step++) {
                state = kernel.step(state, NETWORK, session, RandomStream.ofSeed(1))
                        .state();
                System.arraycopy(state.mean(), 0, means, step * start.length, start.length);
            }
            return means;
        };
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aFitKeepsItsEpsilon(Broken broken) {
        double epsilon = new ExactAccountant()
                .epsilon(
                        broken.plan().event(new DiscreteGaussianMechanism(NOISE_MULTIPLIER)),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        PrivateDataset with = dataset(everybody());
        PrivateDataset without = dataset(OTHERS);
        Verdict verdict = NeighbourTest.of(
                        fits(broken.kernel(), seed -> session(with, broken, seed)),
                        fits(broken.kernel(), seed -> session(without, broken, seed + 1_000_000)))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(broken == Broken.NOT);
    }

    /** Centres, spreads and correlations of the columns, the first releases: with their noise, without, and with a fifth of it. */
    @ParameterizedTest
    @EnumSource(
            value = Broken.class,
            names = {"NOT", "NOISE_DROPPED", "NOISE_OF_A_SMALLER_STEP"})
    void scalesKeepTheirEpsilon(Broken broken) {
        FixedPrecisionStochasticEp kernel = Broken.NOT.kernel();
        ReleasePlan plan =
                new ReleasePlan(kernel.plan(NETWORK, OTHERS.length + 1).phases().subList(0, 1));
        double epsilon = new ExactAccountant()
                .epsilon(plan.event(new DiscreteGaussianMechanism(SCALE_NOISE)), DELTA, Neighbours.ADD_REMOVE)
                .upper();
        double noise = broken == Broken.NOISE_OF_A_SMALLER_STEP ? SCALE_NOISE / 5 : SCALE_NOISE;
        Choice choice = (noisy, silent) -> broken == Broken.NOISE_DROPPED ? silent : noisy;
        Verdict verdict = NeighbourTest.of(
                        scales(kernel, seed -> changed(dataset(everybody()), seed, plan, plan, noise, choice)),
                        scales(kernel, seed -> changed(dataset(OTHERS), seed + 1_000_000, plan, plan, noise, choice)))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(broken == Broken.NOT);
    }

    private static Supplier<double[]> scales(FixedPrecisionStochasticEp kernel, LongFunction<PrivateSession> door) {
        long[] next = {SEED};
        return () -> {
            RandomStream random = RandomStream.ofSeed(1);
            FixedPrecisionStochasticEp.State state = kernel.init(NETWORK, OTHERS.length + 1, random);
            PrivateSession session = door.apply(next[0]++);
            while (state.releases() < START_RELEASES) {
                state = kernel.step(state, NETWORK, session, random).state();
            }
            return state.constants();
        };
    }

    private static double[][] rows(int count) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[][] rows = new double[count][2];
        for (double[] row : rows) {
            row[0] = 2 * random.uniform() - 1;
            row[1] = 2 * random.uniform() - 1;
        }
        return rows;
    }

    private static ContributionSum gradients(NeuralNetwork network, boolean stale) {
        int size = network.shape().size();
        double[] constants = network.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        double[] variance = new double[size];
        Arrays.fill(variance, 0.1);
        return new ContributionSum() {
            @Override
            public int dimension() {
                return size;
            }

            @Override
            public Worker worker() {
                TiltedMoments moments = network.tiltedMoments(constants);
                moments.cavity(network.startMean(constants, RandomStream.ofSeed(2)), variance);
                double[] gradient = new double[size];
                double[] before = new double[size];
                return (RecordBlock block, int row, Contribution contribution) -> {
                    moments.gradient(block, row, gradient);
                    for (int i = 0; stale && i < size; i++) {
                        gradient[i] += before[i];
                    }
                    contribution.addAll(0, gradient, 0, size);
                    System.arraycopy(gradient, 0, before, 0, size);
                };
            }
        };
    }

    @Test
    void recordsStandAlone() {
        double[][] rows = rows(40);
        double[] labels = IntStream.range(0, 40).mapToDouble(i -> rows[i][0]).toArray();
        NeuralNetwork classes = NeuralNetwork.classification(
                List.of("x0", "x1"), new NeuralNetwork.Design(List.of(3, 2), 1, 1, 4, 4, 0.5, 0.7, 0.2, 0.3));
        RecordSumConformance.requireRowsStandAlone(gradients(NETWORK, false), rows, labels);
        RecordSumConformance.requireRowsStandAlone(gradients(classes, false), rows, labels);
        PrivateStart start = NETWORK.privateStart().orElseThrow();
        for (int release = 0; release < START_RELEASES; release++) {
            ContributionSum scales = start.query(start.begin(RandomStream.ofSeed(1)), release);
            RecordSumConformance.requireRowsStandAlone(scales, rows, labels);
        }
        assertThatThrownBy(() -> RecordSumConformance.requireRowsStandAlone(gradients(NETWORK, true), rows, labels))
                .isInstanceOf(AssertionError.class);
    }
}
