package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.ep.ClippedStochasticEp;
import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.inference.ep.SharedSiteState;
import dev.tacit.inference.ep.StochasticEp;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.mixture.ClusterStart;
import dev.tacit.model.mixture.HistogramStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.ProbitSites;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Private stochastic EP on a mixture keeps the epsilon that is charged for it on neighbouring data sets. Twins that do what published
 * code does, keep the old state where a record would make it improper, take records in order where random draws are claimed, or drop
 * the noise, do not.
 *
 * <p>The probability that a correct run fails is below 1e-6 for each test; noise is replayed from a fixed seed, which a failing verdict
 * names.
 */
class StochasticEpGuaranteeTest {
    private static final long SEED = 52_411L;
    private static final int OUTPUTS = 6_000;
    private static final double DELTA = 0.1;
    private static final double NOISE = 0.8;
    private static final double L2_BOUND = 1;
    private static final int STEPS = 6;
    private static final long SIZE = 6;
    private static final SamplingScheme SAMPLING = new SamplingScheme.PoissonSampling(1.0 / SIZE);
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private static final double[] OTHERS = {-2, 2, -1, 1, 1.5};

    /** Far out, so that the site is long and clipped. */
    private static final double SOMEBODY = 4;

    /** Between the components: the site makes a precision negative. */
    private static final double BETWEEN = 0.1;

    /** What is done to the run. */
    private enum Twin {
        NONE,
        HALF_NOISE,
        SKIP_IMPROPER,
        RECORDS_IN_ORDER,
        DROPPED_NOISE
    }

    private static MixtureMeans mixture() {
        return new MixtureMeans(
                List.of("x"), MixtureMeans.equalWeights(2), 0.25, new double[] {-1.5, 1.5}, 2, SIZE, Optional.empty());
    }

    private static DpStochasticEp learned() {
        return new DpStochasticEp(new DpStochasticEp.Settings(STEPS, SAMPLING, L2_BOUND, 1, false, 1, 1, 0, 0));
    }

    private static PrivateDataset dataset(double... numbers) {
        DenseBlock block = DenseBlock.of(numbers.length, 1, numbers, null);
        return LocalSummation.dataset(RecordsInMemory.of(block, false), RECORD, SIZE, 1);
    }

    /** Somebody is the last; the twin that skips is tried on somebody alone. */
    private static double[] records(Twin twin, boolean with) {
        if (twin == Twin.SKIP_IMPROPER) {
            return with ? new double[] {BETWEEN} : new double[0];
        }
        double[] all = Arrays.copyOf(OTHERS, OTHERS.length + (with ? 1 : 0));
        if (with) {
            all[OTHERS.length] = SOMEBODY;
        }
        return all;
    }

    private static SamplingScheme sampling(Twin twin) {
        return twin == Twin.SKIP_IMPROPER ? new SamplingScheme.PoissonSampling(0.5) : SAMPLING;
    }

    private static PrivateSession open(
            PrivateDataset data, SamplingScheme sampling, int dimension, double noise, long seed) {
        try {
            return data.open(
                    RunRequest.of("test", ReleasePlan.of("sites", Integer.MAX_VALUE, dimension, sampling)),
                    new DiscreteGaussianMechanism(noise),
                    new FreeLedger(RECORD),
                    ReplayNoise.ofSeed(seed));
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    /** A session whose releases are made elsewhere. */
    private static PrivateSession instead(PrivateSession session, BiFunction<RecordSum, Double, NoisySum> release) {
        return new ForwardingSession(session) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                return release.apply(query, l2Bound);
            }
        };
    }

    private static PrivateSession session(Twin twin, boolean with, int dimension) {
        long seed = with ? SEED : SEED + 1;
        PrivateSession honest = open(
                dataset(records(twin, with)),
                sampling(twin),
                dimension,
                twin == Twin.HALF_NOISE ? NOISE / 2 : NOISE,
                seed);
        if (twin == Twin.DROPPED_NOISE) {
            PrivateSession silent = dataset(records(twin, with))
                    .openNotPrivate(
                            RunRequest.of(
                                    "test", ReleasePlan.of("sites", Integer.MAX_VALUE, dimension, sampling(twin))),
                            ReplayNoise.ofSeed(seed));
            return instead(honest, (query, bound) -> {
                honest.release(query, bound);
                return silent.release(query, bound);
            });
        }
        if (twin == Twin.RECORDS_IN_ORDER) {
            List<PrivateSession> one = new ArrayList<>();
            for (int record = 0; record < SIZE; record++) {
                double[] all = records(twin, with);
                PrivateDataset alone = record < all.length ? dataset(all[record]) : dataset();
                one.add(open(alone, new SamplingScheme.FullPass(), dimension, NOISE, seed + 10L * (record + 1)));
            }
            int[] next = {0};
            return instead(honest, (query, bound) -> {
                NoisySum sum = one.get(next[0]++ % (int) SIZE).release(query, bound);
                return sum.derived(sum.value(), sum.noiseStandardDeviation(), 1);
            });
        }
        return honest;
    }

    /** Runs of the kernel, one after the other, each with fresh noise: how every step moved the sites. */
    private static Supplier<double[]> runs(Twin twin, boolean with) {
        MixtureMeans model = mixture();
        DpStochasticEp kernel = learned();
        PrivateSession session = session(twin, with, model.shape().naturalSize());
        RandomStream random = RandomStream.ofSeed(SEED);
        PrivateSession silent = dataset(records(twin, with))
                .openNotPrivate(
                        RunRequest.of("test", ReleasePlan.of("sites", Integer.MAX_VALUE, 4, sampling(twin))),
                        ReplayNoise.ofSeed(with ? SEED : SEED + 1));
        return () -> {
            SharedSiteState state = kernel.init(model, SIZE, random);
            double[] moves = new double[4 * steps(twin)];
            for (int step = 0; step < steps(twin); step++) {
                SharedSiteState next =
                        kernel.step(state, model, session, random).state();
                if (twin == Twin.SKIP_IMPROPER) {
                    // what the step would be without noise decides whether there is one
                    double[] sites =
                            kernel.step(state, model, silent, random).state().sites();
                    boolean improper = sites[2] <= 0 || sites[3] <= 0;
                    boolean empty = sites[0] == 0 && sites[1] == 0;
                    next = improper && !empty ? state : next;
                }
                for (int i = 0; i < 4; i++) {
                    moves[4 * step + i] = next.sites()[i] - state.sites()[i];
                }
                state = next;
            }
            return moves;
        };
    }

    /** After one step a skipped one shows best. */
    private static int steps(Twin twin) {
        return twin == Twin.SKIP_IMPROPER ? 1 : STEPS;
    }

    private static double epsilon(SamplingScheme sampling, int dimension, int steps) {
        return new ExactAccountant()
                .epsilon(
                        sampling.event(new DiscreteGaussianMechanism(NOISE).profile(dimension))
                                .times(steps),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
    }

    private static Verdict verdict(double epsilon, Supplier<double[]> with, Supplier<double[]> without) {
        return NeighbourTest.of(with, without)
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
    }

    /** Half the noise is looked for below, where every record takes part and it shows. */
    @ParameterizedTest
    @EnumSource(value = Twin.class, mode = EnumSource.Mode.EXCLUDE, names = "HALF_NOISE")
    void aRunKeepsItsPromise(Twin twin) {
        Verdict verdict = verdict(
                epsilon(sampling(twin), mixture().shape().naturalSize(), steps(twin)),
                runs(twin, true),
                runs(twin, false));
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    /** Of the private default, with a full pass: the whole run, and with half the noise. */
    @ParameterizedTest
    @EnumSource(
            value = Twin.class,
            names = {"NONE", "HALF_NOISE"})
    void fixedPrecisionKeepsItsPromise(Twin twin) {
        SamplingScheme full = new SamplingScheme.FullPass();
        FixedPrecisionStochasticEp kernel =
                new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(2, full, 0.2, 0.5, 1, 0, 0));
        List<Supplier<double[]>> sides = new ArrayList<>();
        for (boolean with : new boolean[] {true, false}) {
            double noise = (twin == Twin.HALF_NOISE ? 0.5 : 1) * NOISE;
            PrivateSession session = open(dataset(records(twin, with)), full, 2, noise, with ? SEED : SEED + 1);
            RandomStream random = RandomStream.ofSeed(SEED);
            sides.add(() -> {
                FixedPrecisionStochasticEp.State state = kernel.init(mixture(), SIZE, random);
                for (int step = 0; step < 2; step++) {
                    state = kernel.step(state, mixture(), session, random).state();
                }
                return state.mean();
            });
        }
        Verdict verdict = verdict(epsilon(full, 2, 2), sides.get(0), sides.get(1));
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    /** One record a step, as published: with hardly any noise the private kernel is clipped SEP, draw for draw. */
    @Test
    void noiseToZeroIsClippedSep() throws Exception {
        int rows = 60;
        double[] numbers = new double[rows];
        for (int row = 0; row < rows; row++) {
            numbers[row] = (row % 2 == 0 ? -1.5 : 1.5) + Math.sin(row) / 2;
        }
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.REPLACE_ONE);
        PrivateDataset data =
                LocalSummation.dataset(RecordsInMemory.of(DenseBlock.of(rows, 1, numbers, null), false), unit, rows, 1);
        Posterior clipped = withoutNoise(new ClippedStochasticEp(new StochasticEp.Settings(200, 10, 1.5)), data);
        Posterior free = withoutNoise(new StochasticEp(new StochasticEp.Settings(200, 10, 64)), data);
        DpStochasticEp kernel = DpStochasticEp.oneRecordSteps(200, rows, 1.5, 10);
        PrivateSession session = data.open(
                RunRequest.of("test", kernel.plan(mixture(), rows)),
                new DiscreteGaussianMechanism(1e-6),
                new FreeLedger(unit),
                ReplayNoise.ofSeed(SEED));
        Posterior quiet = InferenceRun.once(kernel, mixture(), session, RandomStream.ofSeed(SEED))
                .posterior();
        for (int i = 0; i < 2; i++) {
            assertThat(quiet.mean()[i]).isCloseTo(clipped.mean()[i], within(1e-5));
            assertThat(quiet.standardDeviation()[i]).isCloseTo(clipped.standardDeviation()[i], within(1e-5));
            assertThat(free.standardDeviation()[i]).isNotCloseTo(clipped.standardDeviation()[i], within(1e-2));
        }
    }

    private static Posterior withoutNoise(
            InferenceKernel<TiltedMomentModel, SharedSiteState> kernel, PrivateDataset data) {
        PrivateSession session = data.openNotPrivate(
                RunRequest.of("test", kernel.plan(mixture(), data.publicSize())), ReplayNoise.ofSeed(SEED));
        return InferenceRun.once(kernel, mixture(), session, RandomStream.ofSeed(SEED))
                .posterior();
    }

    /** Queries as the kernels make them, caught on their way to the door. */
    @Test
    void rowsStandAlone() {
        List<String> names = List.of("a", "b");
        MixtureMeans components = new MixtureMeans(
                names, MixtureMeans.equalWeights(2), 0.25, new double[] {1, 0, -1, 0.3}, 0.5, 9, Optional.empty());
        List<TiltedMomentModel> models = List.of(
                components,
                new LogisticSites(new LogisticRegression(names, 2, 1), 9, 0),
                new ProbitSites(new ProbitRegression(names, 2, 1), 9, 0),
                new LinearSites(new LinearRegression(names, 2, 1, -1, 3, 9, 1), 0.2, true, 0));
        for (TiltedMomentModel model : models) {
            requireRowsStandAlone(caught(model, learned()));
            requireRowsStandAlone(caught(
                    model,
                    new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                            2, new SamplingScheme.FullPass(), 1, 0.5, 1, 0, 0))));
        }
        requireRowsStandAlone(new HistogramStart(2, -1, 1, 4, 2, 0.2, 9, 0.4).query(new double[4], 0));
        requireRowsStandAlone(new ClusterStart(2, 2, 3, 2, 1, 0, 0.5, 0.4).query(new double[] {1, 0, 0, 1, -1, 0}, 0));
    }

    private static void requireRowsStandAlone(ContributionSum query) {
        double[][] rows = new double[60][2];
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            rows[row][0] = Math.sin(row);
            rows[row][1] = Math.cos(3.0 * row) / 2;
            labels[row] = row % 3;
        }
        RecordSumConformance.requireRowsStandAlone(query, rows, labels);
    }

    private static <S extends Record> ContributionSum caught(
            TiltedMomentModel model, InferenceKernel<TiltedMomentModel, S> kernel) {
        ContributionSum[] query = new ContributionSum[1];
        PrivateSession session = instead(open(dataset(0), SAMPLING, 1, NOISE, SEED), (sum, bound) -> {
            query[0] = (ContributionSum) sum;
            return NoisySum.simulated(new double[sum.dimension()], 0, 1);
        });
        RandomStream random = RandomStream.ofSeed(SEED);
        kernel.step(kernel.init(model, SIZE, random), model, session, random);
        return query[0];
    }
}
