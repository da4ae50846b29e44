package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.MultinomialLogit;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.RoundQueries;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * With unordered levels a record adds a residual for every level, jointly bounded; twins that were tampered with (a residual that
 * is not one, a bound of each level alone, weights that look at the target) are found out.
 */
class MultinomialGuaranteeTest {
    private static final double NOISE_MULTIPLIER = 4;
    private static final int ROWS = 400;
    private static final int WIDTH = 4;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final GlmFamily FAMILY =
            new MultinomialLogit("job", List.of("clerk", "cook", "miner", "pilot"), "cook");

    /** So far from the origin the residual of a wrong prediction has norm √2. */
    private static final double CERTAIN = 5;

    private static final double[] LABELS = {-1e9, 0, 1, 2, 3, 20, 1e9};
    private static final GlmDesign DESIGN = GlmDesign.of(List.of(
            GlmColumn.intercept("1"),
            GlmColumn.number("age", 0, 100),
            GlmColumn.number("dose", -1, 1),
            GlmColumn.level("sex=male", 0)));

    private record Observed(RecordSum query, double l2Bound, double noise) {}

    private static final class Watched extends ForwardingSession {
        private final PrivateSession session;
        private final List<Observed> observed = new ArrayList<>();

        Watched(PrivateSession session) {
            super(session);
            this.session = session;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            NoisySum sum = session.release(query, l2Bound);
            observed.add(new Observed(query, l2Bound, sum.noiseStandardDeviation()));
            return sum;
        }
    }

    private record Run(List<Observed> releases, PrivateLikelihood likelihood) {
        Observed last() {
            return releases.get(releases.size() - 1);
        }
    }

    private static final Run RUN = run();

    private static GlmModel model(GlmFamily family) {
        return new GlmModel(DESIGN, family, 0, 0, GlmPrior.standard());
    }

    private static double[] row(double age, double dose, int sex) {
        return new double[] {1, age, dose, sex};
    }

    private static Run run() {
        RandomStream random = RandomStream.ofSeed(5);
        double[] x = new double[ROWS * WIDTH];
        double[] y = new double[ROWS];
        for (int r = 0; r < ROWS; r++) {
            double[] row = row(30 + 40 * random.uniform(), 2 * random.uniform() - 1, random.nextInt(2));
            System.arraycopy(row, 0, x, r * WIDTH, WIDTH);
            double[] eta = {0.03 * (row[1] - 50), row[2] - 1, 0.4 * row[3] - 0.5};
            y[r] = FAMILY.simulate(eta, new double[0], random);
        }
        GlmModel model = model(FAMILY);
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        try (PrivateDataset data = dataset(DenseBlock.of(ROWS, WIDTH, x, y))) {
            Watched door = new Watched(data.open(
                    RunRequest.of("test", kernel.plan(model, ROWS)),
                    new DiscreteGaussianMechanism(NOISE_MULTIPLIER),
                    new FreeLedger(UNIT),
                    ReplayNoise.ofSeed(3)));
            PrivateLikelihood likelihood = InferenceRun.once(kernel, model, door, RandomStream.ofSeed(1))
                    .state()
                    .likelihood();
            return new Run(door.observed, likelihood);
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    private static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1);
    }

    /** What one record adds to a sum, not clipped. */
    private static double[] contribution(RecordSum query, double l2Bound, double[] x, double y) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        try (PrivateDataset data = dataset(DenseBlock.of(1, x.length, x, new double[] {y}))) {
            return data.openNotPrivate(RunRequest.of("one", plan), ReplayNoise.ofSeed(1))
                    .release(query, l2Bound)
                    .value();
        }
    }

    private static double norm(double[] vector) {
        return Math.sqrt(Matrices.dot(vector, vector));
    }

    /** At the corners of what is declared, and far beyond. */
    private static List<double[]> records() {
        List<double[]> records = new ArrayList<>();
        for (double age : new double[] {-1e7, 50, 100}) {
            for (double dose : new double[] {-1, 0.1, 1e7}) {
                records.add(row(age, dose, 0));
                records.add(row(age, dose, 1));
            }
        }
        return records;
    }

    private static double largestOverBound(RecordSum query, double l2Bound) {
        double largest = 0;
        for (double[] x : records()) {
            for (double y : LABELS) {
                largest = Math.max(largest, norm(contribution(query, l2Bound, x, y)) / l2Bound);
            }
        }
        return largest;
    }

    @Test
    void noRecordMovesARunFurtherThanItIsChargedFor() {
        assertThat(RUN.releases()).hasSize(10);
        assertThat(RUN.last().query().dimension()).isEqualTo(3 * WIDTH);
        assertThat(RUN.releases().get(5).query().dimension()).isEqualTo(6 * 10);
        for (Observed one : RUN.releases()) {
            assertThat(largestOverBound(one.query, one.l2Bound))
                    .isLessThanOrEqualTo(1 + 1e-6)
                    .isGreaterThan(0.3);
        }
        double largest = 0;
        for (double[] x : records()) {
            for (double y : LABELS) {
                double sum = 0;
                for (Observed one : RUN.releases()) {
                    sum += Math.pow(norm(contribution(one.query, one.l2Bound, x, y)) / one.noise, 2);
                }
                largest = Math.max(largest, sum * NOISE_MULTIPLIER * NOISE_MULTIPLIER);
            }
        }
        assertThat(largest).isLessThanOrEqualTo(1 + 1e-6).isGreaterThan(0.5);
    }

    @Test
    void aContributionIsItsRecordsOwn() {
        double[][] rows = records().subList(0, 12).toArray(double[][]::new);
        double[] labels = {0, 1, 2, 3, 0, 1, 2, 5, 9, 1, 0, 2};
        for (Observed one : RUN.releases()) {
            RecordSumConformance.requireRowsStandAlone(one.query, rows, labels);
        }
    }

    /** What a family that was tampered with does in place of the real one; null for the real one. */
    @FunctionalInterface
    private interface Sabotage {
        boolean did(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static GlmFamily tampered(Sabotage sabotage) {
        return (GlmFamily) Proxy.newProxyInstance(
                GlmFamily.class.getClassLoader(), new Class<?>[] {GlmFamily.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("within")) {
                        return proxy;
                    }
                    try {
                        return sabotage.did(method, arguments) ? null : method.invoke(FAMILY, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** The label itself in place of the residual. */
    private static GlmFamily uncut() {
        return tampered((method, arguments) -> {
            if (!method.getName().equals("residual")) {
                return false;
            }
            java.util.Arrays.fill((double[]) arguments[3], (Double) arguments[0] - 3);
            return true;
        });
    }

    /** The bound of two classes, max p or 1 − p over the levels, in place of the norm of all residuals. */
    private static GlmFamily ofEachLevelAlone() {
        return tampered((method, arguments) -> {
            if (!method.getName().equals("reference") || !(arguments[0] instanceof double[])) {
                return false;
            }
            method.invoke(FAMILY, arguments);
            double[] reference = (double[]) arguments[3];
            int at = (Integer) arguments[4];
            double[] u = java.util.Arrays.copyOfRange(
                    (double[]) arguments[0], (Integer) arguments[1], (Integer) arguments[1] + 3);
            double largest = 0;
            for (double p : ((MultinomialLogit) FAMILY).probabilities(Matrices.times(3, FAMILY.mixing(), u))) {
                largest = Math.max(largest, Math.max(p, 1 - p));
            }
            reference[at + GlmFamily.BOUND] = largest;
            return true;
        });
    }

    /** The last round at a multiple of its point: further out records are predicted with more certainty. */
    private static RecordSum lastRound(GlmFamily family, double factor) {
        PrivateLikelihood likelihood = RUN.likelihood();
        GlmGeometry geometry = new GlmGeometry(
                model(family),
                likelihood.standardisation(),
                new Standardisation.NoisySums(
                        likelihood.moments().value(), likelihood.moments().noise()),
                ROWS,
                likelihood.longRows());
        RoundQueries.Point last = PrivateLikelihood.pointOf(likelihood.rounds().get(5));
        double[] point = last.point().clone();
        Matrices.scale(factor, point, 0, point.length);
        return RoundQueries.residuals(
                geometry, new RoundQueries.Point(point, last.extra(), last.residualBound(), last.curvatureBound()));
    }

    @Test
    void anUncutResidualIsFound() {
        double bound = RUN.last().l2Bound();
        assertThat(largestOverBound(lastRound(FAMILY, 1), bound)).isLessThanOrEqualTo(1 + 1e-6);
        assertThat(largestOverBound(lastRound(uncut(), 1), bound)).isGreaterThan(10);
    }

    @Test
    void aForgottenJointBoundIsFound() {
        double bound = RUN.last().l2Bound();
        assertThat(largestOverBound(lastRound(FAMILY, CERTAIN), bound)).isLessThanOrEqualTo(1 + 1e-6);
        assertThat(largestOverBound(lastRound(ofEachLevelAlone(), CERTAIN), bound))
                .isGreaterThan(1.3);
    }

    /** The expectation of what a record adds over its target, in units of the bound, if its norm were cut at a share of the bound. */
    private static double bias(double[] x, double clip) {
        GlmGeometry geometry = RUN.likelihood().geometry();
        double[] z = new double[WIDTH];
        geometry.standard.toStandard(DESIGN.numbers(), x, z);
        double[] point = RUN.likelihood().rounds().get(5).point();
        double[] w = Matrices.times(WIDTH, geometry.rowWhitening, z);
        double[] u = new double[3];
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < WIDTH; j++) {
                u[k] += w[j] * point[k * WIDTH + j];
            }
        }
        double[] probabilities = ((MultinomialLogit) FAMILY).probabilities(Matrices.times(3, FAMILY.mixing(), u));
        Observed last = RUN.last();
        double[] sum = new double[3 * WIDTH];
        for (int y = 0; y < 4; y++) {
            double[] one = contribution(last.query, last.l2Bound, x, y);
            double factor = Math.min(1, clip * last.l2Bound / norm(one));
            sum = Matrices.plus(sum, probabilities[y] * factor, one);
        }
        return norm(sum) / last.l2Bound;
    }

    /** With weights that look at the target, such as a clip of the norm, the sums would be biased, and are not without. */
    @Test
    void weightsThatLookAtTheTargetWouldBiasTheSums() {
        double[] x = row(80, 0.9, 1);
        assertThat(bias(x, Double.POSITIVE_INFINITY)).isLessThan(1e-6);
        assertThat(bias(x, 0.3)).isGreaterThan(0.01);
    }

    private enum Twin {
        NONE,
        HALF_NOISE,
        /** The label in place of the residual, at a door that does not clip. */
        UNCUT_AND_UNCLIPPED,
        /** The noise is for the residual of one level, at a door that does not clip. */
        EACH_LEVEL_ALONE
    }

    /** One release of residual sums on tables with and without somebody who adds the most; false alarms 1e-6, seed 40814. */
    @ParameterizedTest
    @EnumSource(Twin.class)
    void residualSumsProtectARecord(Twin twin) {
        GlmFamily family = switch (twin) {
            case NONE, HALF_NOISE -> FAMILY;
            case UNCUT_AND_UNCLIPPED -> uncut();
            case EACH_LEVEL_ALONE -> ofEachLevelAlone();
        };
        RecordSum query = lastRound(family, CERTAIN);
        double bound = RUN.last().l2Bound();
        double label = 0;
        double[] somebody = records().get(0);
        for (double[] x : records()) {
            for (double y : new double[] {0, 1, 2, 3}) {
                boolean more =
                        norm(contribution(query, bound, x, y)) > norm(contribution(query, bound, somebody, label));
                somebody = more ? x : somebody;
                label = more ? y : label;
            }
        }
        label = twin == Twin.UNCUT_AND_UNCLIPPED ? 500 : label;
        double[] others = {1, 40, 0.5, 0, 1, 60, -0.5, 1, 1, 55, 0, 0};
        double[] more = java.util.Arrays.copyOf(others, 16);
        System.arraycopy(somebody, 0, more, 12, WIDTH);
        DenseBlock without = DenseBlock.of(3, WIDTH, others, new double[] {0, 1, 2});
        DenseBlock with = DenseBlock.of(4, WIDTH, more, new double[] {0, 1, 2, label});
        ReleasePlan plan = ReleasePlan.of("sums", 1, query.dimension(), new SamplingScheme.FullPass());
        double epsilon = new ExactAccountant()
                .epsilon(plan.event(new DiscreteGaussianMechanism(1)), 0.1, Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(sums(without, query, bound, twin, 1), sums(with, query, bound, twin, 2))
                .claimed(epsilon, 0.1)
                .falseAlarm(1e-6)
                .samples(8_000)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(40_814L)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    private static Supplier<double[]> sums(DenseBlock block, RecordSum query, double bound, Twin twin, long side) {
        PrivateDataset data = dataset(block);
        ReleasePlan plan = ReleasePlan.of("sums", 1, query.dimension(), new SamplingScheme.FullPass());
        ReplayNoise bits = ReplayNoise.ofSeed(78).fork(side);
        long[] sample = {0};
        boolean unclipped = twin == Twin.UNCUT_AND_UNCLIPPED || twin == Twin.EACH_LEVEL_ALONE;
        double clip = unclipped ? 1000 : 1;
        double noise = (twin == Twin.HALF_NOISE ? 0.5 : 1) / clip;
        return () -> {
            try {
                return data.open(
                                RunRequest.of("sums", plan),
                                new DiscreteGaussianMechanism(noise),
                                new FreeLedger(UNIT),
                                bits.fork(sample[0]++))
                        .release(query, clip * bound)
                        .value();
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }
}
