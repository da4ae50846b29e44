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
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.QuasiPoisson;
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
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every release of a private likelihood stays within the bound that its noise is for, whatever a record holds; its weights
 * bias nothing; and twins that were tampered with are found out.
 *
 * <p>A run is Gaussian: given what was released before, one record moves release t by its own contribution c_t, so a whole run
 * on neighbours is as hard to tell apart as two normal numbers at a distance of √Σ (‖c_t‖/noise_t)². That is computed, not
 * estimated.
 */
class PrivateLikelihoodGuaranteeTest {
    private static final double NOISE_MULTIPLIER = 4;
    private static final int ROWS = 400;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private static final GlmDesign DESIGN = GlmDesign.of(List.of(
            GlmColumn.intercept("1"),
            GlmColumn.number("age", 0, 100),
            GlmColumn.number("dose", -1, 1),
            GlmColumn.level("job=miner", 0),
            GlmColumn.level("job=baker", 0)));

    private static final double[] LABELS = {-1e9, -3, 0, 0.5, 1, 3, 20, 1e9};

    /** A release that was made, and how. */
    private record Observed(ContributionSum query, double l2Bound, double noise) {}

    /** A door that remembers what it was asked. */
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
            observed.add(new Observed((ContributionSum) query, l2Bound, sum.noiseStandardDeviation()));
            return sum;
        }
    }

    private static GlmModel model(GlmFamily family) {
        boolean share = family.name().equals("beta");
        return new GlmModel(DESIGN, family, share ? 0.01 : 0, share ? 0.99 : 40, GlmPrior.standard());
    }

    private static double[] row(double age, double dose, int job) {
        return new double[] {1, age, dose, job == 1 ? 1 : 0, job == 2 ? 1 : 0};
    }

    private static DenseBlock table(GlmFamily family) {
        RandomStream random = RandomStream.ofSeed(5);
        double[] x = new double[ROWS * 5];
        double[] y = new double[ROWS];
        double[] extra = new double[family.extraNames().size()];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.max(1.2, family.extraLow(k));
        }
        for (int r = 0; r < ROWS; r++) {
            double[] row = row(30 + 40 * random.uniform(), 2 * random.uniform() - 1, random.nextInt(3));
            System.arraycopy(row, 0, x, r * 5, 5);
            double eta = 0.02 * (row[1] - 50) + 0.5 * row[2] + 0.3 * row[3] + (family.standardisesTarget() ? 1 : 0);
            y[r] = family.simulate(eta, extra, random);
        }
        return DenseBlock.of(ROWS, 5, x, y);
    }

    private static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1);
    }

    private record Run(List<Observed> releases, PrivateLikelihood likelihood) {}

    private static final Map<String, Run> RUNS = new HashMap<>();

    private static Run run(String family) {
        return RUNS.computeIfAbsent(family, PrivateLikelihoodGuaranteeTest::runOnce);
    }

    private static Run runOnce(String family) {
        GlmModel model = model(GlmFamilies.named(family));
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        ReleasePlan plan = kernel.plan(model, ROWS);
        try (PrivateDataset data = dataset(table(model.family()))) {
            Watched door = new Watched(data.open(
                    RunRequest.of("test", plan),
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

    /** What one record adds to a sum, not clipped. */
    private static double[] contribution(ContributionSum query, double l2Bound, double[] x, double y) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        try (PrivateDataset data = dataset(DenseBlock.of(1, x.length, x, new double[] {y}))) {
            return data.openNotPrivate(RunRequest.of("one", plan), ReplayNoise.ofSeed(1))
                    .release(query, l2Bound)
                    .value();
        }
    }

    private static double norm(double[] vector) {
        double squares = 0;
        for (double value : vector) {
            squares += value * value;
        }
        return Math.sqrt(squares);
    }

    /** Records at the corners of what is declared, and far beyond. */
    private static List<double[]> records() {
        List<double[]> records = new ArrayList<>();
        for (double age : new double[] {-1e7, 50, 100}) {
            for (double dose : new double[] {-1, 0.1, 1e7}) {
                for (int job = 0; job < 3; job++) {
                    records.add(row(age, dose, job));
                }
            }
        }
        return records;
    }

    /** The largest Σ (‖c_t‖/noise_t)² over records and labels, in units of what the plan is charged for. */
    private static double largestShare(List<Observed> releases) {
        double largest = 0;
        for (double[] x : records()) {
            for (double y : LABELS) {
                double sum = 0;
                for (Observed one : releases) {
                    sum += Math.pow(norm(contribution(one.query, one.l2Bound, x, y)) / one.noise, 2);
                }
                largest = Math.max(largest, sum * NOISE_MULTIPLIER * NOISE_MULTIPLIER);
            }
        }
        return largest;
    }

    private static double largestOverBound(Observed one) {
        double largest = 0;
        for (double[] x : records()) {
            for (double y : LABELS) {
                largest = Math.max(largest, norm(contribution(one.query, one.l2Bound, x, y)) / one.l2Bound);
            }
        }
        return largest;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bernoulli",
                "bernoulli-probit",
                "bernoulli-cloglog",
                "gaussian",
                "poisson",
                "negative-binomial",
                "gamma",
                "student",
                "beta",
                "ordinal:4",
                "piecewise-exponential:2:5:40"
            })
    void noRecordMovesARunFurtherThanItIsChargedFor(String family) {
        List<Observed> releases = run(family).releases();
        assertThat(releases).hasSize(10);
        for (Observed one : releases) {
            assertThat(largestOverBound(one)).isLessThanOrEqualTo(1 + 1e-6).isGreaterThan(0.3);
        }
        assertThat(largestShare(releases)).isLessThanOrEqualTo(1 + 1e-6).isGreaterThan(0.5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bernoulli",
                "gaussian",
                "poisson",
                "negative-binomial",
                "gamma",
                "student",
                "beta",
                "ordinal:4",
                "piecewise-exponential:2:5:40"
            })
    void aContributionIsItsRecordsOwn(String family) {
        double[][] rows = records().subList(0, 12).toArray(double[][]::new);
        double[] labels = {0, 1, 2, 3, 0, 1, 2, 5, 9, 1, 0, 2};
        for (Observed one : run(family).releases()) {
            RecordSumConformance.requireRowsStandAlone(one.query, rows, labels);
        }
    }

    /**
     * The statistics of extra parameters need their part of the bound: without it a record would exceed it. (Not those of student,
     * whose residual and statistics are not large for the same records.)
     */
    @ParameterizedTest
    @ValueSource(strings = {"gaussian", "poisson", "gamma", "ordinal:4", "piecewise-exponential:2:5:40"})
    void aForgottenJointBoundIsFound(String family) {
        Observed last = run(family).releases().get(9);
        double forgotten =
                last.l2Bound / Math.hypot(1, GlmFamilies.named(family).extraShare());
        assertThat(largestOverBound(new Observed(last.query, forgotten, last.noise)))
                .isGreaterThan(1.01);
    }

    /** The same family with a residual that is not cut. */
    private static GlmFamily uncut(GlmFamily family) {
        return (GlmFamily) Proxy.newProxyInstance(
                GlmFamily.class.getClassLoader(), new Class<?>[] {GlmFamily.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("residual")) {
                        ((double[]) arguments[3])[0] = (Double) arguments[0] - 3;
                        return null;
                    }
                    if (method.getName().equals("within")) {
                        return proxy;
                    }
                    try {
                        return method.invoke(family, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static ContributionSum lastRound(Run run, GlmFamily family) {
        PrivateLikelihood likelihood = run.likelihood();
        GlmGeometry geometry = new GlmGeometry(
                model(family),
                likelihood.standardisation(),
                new Standardisation.NoisySums(
                        likelihood.moments().value(), likelihood.moments().noise()),
                ROWS,
                likelihood.longRows());
        PrivateLikelihood.Round last =
                likelihood.rounds().get(likelihood.rounds().size() - 1);
        return RoundQueries.residuals(geometry, PrivateLikelihood.pointOf(last));
    }

    @ParameterizedTest
    @ValueSource(strings = {"poisson", "gamma", "student", "beta"})
    void anUncutResidualIsFound(String name) {
        Run run = run(name);
        Observed last = run.releases().get(9);
        GlmFamily family = GlmFamilies.named(name);
        ContributionSum rebuilt = lastRound(run, family);
        assertThat(largestOverBound(new Observed(rebuilt, last.l2Bound, last.noise)))
                .isLessThanOrEqualTo(1 + 1e-6);
        ContributionSum broken = lastRound(
                run,
                uncut(family.within(model(family).targetLow(), model(family).targetHigh())));
        assertThat(largestOverBound(new Observed(broken, last.l2Bound, last.noise)))
                .isGreaterThan(10);
    }

    // ---- weights ---------------------------------------------------------------------------------------------------

    /** The expectation of what a record adds to the residual sums over its target, in units of the bound. */
    private static double bias(
            Observed release, double[] x, double[] targets, IntToDoubleFunction probability, double clip) {
        double[] sum = new double[DESIGN.size()];
        for (int i = 0; i < targets.length; i++) {
            double[] one = contribution(release.query, release.l2Bound, x, targets[i]);
            double factor = Math.min(1, clip * release.l2Bound / norm(java.util.Arrays.copyOf(one, sum.length)));
            for (int j = 0; j < sum.length; j++) {
                sum[j] += probability.applyAsDouble(i) * factor * one[j];
            }
        }
        return norm(sum) / release.l2Bound;
    }

    private static double predictor(Run run, double[] x) {
        PrivateLikelihood.Round last = run.likelihood().rounds().get(5);
        GlmGeometry geometry = run.likelihood().geometry();
        double[] z = new double[DESIGN.size()];
        geometry.standard.toStandard(DESIGN.numbers(), x, z);
        return Matrices.dot(z, Matrices.times(DESIGN.size(), geometry.whitening, last.point()));
    }

    /** With weights that look at the target, such as a clip of the norm, the sums would be biased, and are not without. */
    @Test
    void weightsThatLookAtTheTargetWouldBiasTwoClasses() {
        Run run = run("bernoulli");
        Observed last = run.releases().get(9);
        double[] x = row(95, 0.9, 2);
        double p = SpecialFunctions.sigmoid(predictor(run, x));
        double[] targets = {0, 1};
        IntToDoubleFunction probability = i -> i == 1 ? p : 1 - p;
        assertThat(bias(last, x, targets, probability, Double.POSITIVE_INFINITY))
                .isLessThan(1e-6);
        assertThat(bias(last, x, targets, probability, 0.3)).isGreaterThan(0.01);
    }

    @Test
    void weightsThatLookAtTheTargetWouldBiasCounts() {
        Run run = run("poisson");
        Observed last = run.releases().get(9);
        double[] x = row(80, -0.5, 1);
        double lambda = Math.exp(predictor(run, x));
        double[] targets = new double[200];
        double[] probabilities = new double[200];
        for (int k = 0; k < targets.length; k++) {
            targets[k] = k;
            probabilities[k] = Math.exp(k * Math.log(lambda) - lambda - SpecialFunctions.logGamma(k + 1));
        }
        IntToDoubleFunction probability = k -> probabilities[k];
        assertThat(bias(last, x, targets, probability, Double.POSITIVE_INFINITY))
                .isLessThan(1e-6);
        assertThat(bias(last, x, targets, probability, 0.1)).isGreaterThan(0.001);
    }

    // ---- on neighbours ---------------------------------------------------------------------------------------------

    private enum Twin {
        NONE,
        HALF_NOISE,
        /** A residual that is not cut, at a door that does not clip. */
        UNCUT_AND_UNCLIPPED
    }

    /** One release of residual sums of counts on tables with and without somebody who has a large one and adds the most; false alarms 1e-6. */
    @ParameterizedTest
    @EnumSource(Twin.class)
    void residualSumsProtectARecord(Twin twin) {
        Run run = run("poisson");
        Observed last = run.releases().get(9);
        boolean broken = twin == Twin.UNCUT_AND_UNCLIPPED;
        ContributionSum query = lastRound(run, broken ? uncut(new QuasiPoisson()) : new QuasiPoisson());
        double[] others = {1, 40, 0.5, 0, 1, 1, 60, -0.5, 1, 0, 1, 55, 0, 0, 0};
        double[] more = new double[20];
        System.arraycopy(others, 0, more, 0, 15);
        double[] somebody = records().stream()
                .max(java.util.Comparator.comparingDouble(x -> norm(contribution(last.query, last.l2Bound, x, 500))))
                .orElseThrow();
        System.arraycopy(somebody, 0, more, 15, 5);
        double noise = 1;
        double factor = broken ? 1000 : 1;
        Supplier<double[]> without =
                sums(DenseBlock.of(3, 5, others, new double[] {1, 2, 3}), query, last.l2Bound, noise, twin, factor, 1);
        Supplier<double[]> with = sums(
                DenseBlock.of(4, 5, more, new double[] {1, 2, 3, 500}), query, last.l2Bound, noise, twin, factor, 2);
        ReleasePlan plan = ReleasePlan.of("sums", 1, query.dimension(), new SamplingScheme.FullPass());
        double epsilon = new ExactAccountant()
                .epsilon(plan.event(new DiscreteGaussianMechanism(noise)), 0.1, Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(without, with)
                .claimed(epsilon, 0.1)
                .falseAlarm(1e-6)
                .samples(8_000)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(40_813L)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    private static Supplier<double[]> sums(
            DenseBlock block,
            ContributionSum query,
            double l2Bound,
            double noise,
            Twin twin,
            double clipFactor,
            long side) {
        PrivateDataset data = dataset(block);
        ReleasePlan plan = ReleasePlan.of("sums", 1, query.dimension(), new SamplingScheme.FullPass());
        ReplayNoise bits = ReplayNoise.ofSeed(77).fork(side);
        long[] sample = {0};
        DoubleUnaryOperator scaled = value -> (twin == Twin.HALF_NOISE ? 0.5 : 1) * value / clipFactor;
        return () -> {
            try {
                return data.open(
                                RunRequest.of("sums", plan),
                                new DiscreteGaussianMechanism(scaled.applyAsDouble(noise)),
                                new FreeLedger(UNIT),
                                bits.fork(sample[0]++))
                        .release(query, clipFactor * l2Bound)
                        .value();
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }
}
