package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.ep.DpExpectationMaximisation;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Private EM of a mixture keeps the epsilon that is charged for it on neighbouring data sets; twins with half the noise, without it, or
 * with steps that a record can prevent do not.
 *
 * <p>The probability that a correct run fails is below 1e-6 for each test; noise is replayed from a fixed seed, which a failing verdict
 * names.
 */
class MixtureEmGuaranteeTest {
    private static final long SEED = 60_213L;
    private static final int OUTPUTS = 4_000;
    private static final double DELTA = 0.1;
    private static final double NOISE = 0.8;
    private static final int STEPS = 2;
    private static final long SIZE = 6;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final double[] WITHOUT = {-2, 2, -1, 1, 1.5};

    /** With somebody far out, whose shift is clipped. */
    private static final double[] WITH = {-2, 2, -1, 1, 1.5, 6};

    /** Where the shift of the second component stands, and a length between those with somebody (1.5) and without (0). */
    private static final int LAST_SHIFT = 3;

    private static final double LONG = 0.75;

    private static final MixtureMeans MODEL = new MixtureMeans(
            List.of("x"), MixtureMeans.equalWeights(2), 0.25, new double[] {-1.5, 1.5}, 2, SIZE, Optional.empty());

    private static final DpExpectationMaximisation KERNEL =
            new DpExpectationMaximisation(new DpExpectationMaximisation.Settings(STEPS, 1.5));

    /** What is done to the run. */
    private enum Twin {
        NONE,
        HALF_NOISE,
        DROPPED_NOISE,
        /** A step that would be long without noise is not made. */
        SKIPPED
    }

    private static PrivateDataset dataset(double... numbers) {
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(numbers.length, 1, numbers, null), false), RECORD, SIZE, 1);
    }

    private static PrivateSession session(Twin twin, double[] records, long seed) throws BudgetExhausted {
        ReleasePlan plan = KERNEL.plan(MODEL, SIZE);
        PrivateDataset data = dataset(records);
        double noise = twin == Twin.HALF_NOISE ? NOISE / 2 : NOISE;
        PrivateSession noisy = data.open(
                RunRequest.of("test", plan),
                new DiscreteGaussianMechanism(noise),
                new FreeLedger(RECORD),
                ReplayNoise.ofSeed(seed));
        PrivateSession silent = data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(seed));
        if (twin == Twin.NONE || twin == Twin.HALF_NOISE) {
            return noisy;
        }
        return new SabotagedSession(List.of(noisy), 1, plan) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                NoisySum said = super.release(query, l2Bound);
                double[] clean = silent.release(query, l2Bound).value();
                double[] value = clean;
                if (twin == Twin.SKIPPED) {
                    value = clean[LAST_SHIFT] > LONG ? new double[clean.length] : said.value();
                }
                return said.derived(value, said.noiseStandardDeviation(), said.expectedBatchSize());
            }
        };
    }

    /** Means after every step, one run after the other. */
    private static Supplier<double[]> runs(Twin twin, double[] records, long firstSeed) {
        long[] seed = {firstSeed};
        int size = MODEL.shape().size();
        return () -> {
            RandomStream random = RandomStream.ofSeed(SEED);
            double[] means = new double[STEPS * size];
            try {
                PrivateSession session = session(twin, records, seed[0]++);
                DpExpectationMaximisation.State state = KERNEL.init(MODEL, SIZE, random);
                for (int step = 0; step < STEPS; step++) {
                    state = KERNEL.step(state, MODEL, session, random).state();
                    System.arraycopy(state.means(), 0, means, step * size, size);
                }
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
            return means;
        };
    }

    @ParameterizedTest
    @EnumSource(Twin.class)
    void aRunKeepsItsPromise(Twin twin) {
        double epsilon = new ExactAccountant()
                .epsilon(
                        KERNEL.plan(MODEL, SIZE).event(new DiscreteGaussianMechanism(NOISE)),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(runs(twin, WITH, SEED), runs(twin, WITHOUT, SEED + 1_000_000))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    @Test
    void rowsStandAlone() {
        double[][] rows = new double[40][1];
        for (int row = 0; row < rows.length; row++) {
            rows[row][0] = 3 * Math.sin(row);
        }
        RecordSumConformance.requireRowsStandAlone(
                MODEL.expectedShifts(new double[] {-1, 1}, 1.5), rows, new double[rows.length]);
    }
}
