package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.glm.family.BernoulliLink;
import dev.tacit.glm.group.GroupCounts;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Releases with groups stay within the bounds that their noise is for, whatever group a record says it is in; a clip that
 * forgets the group, and a record in two groups at once, are found out.
 *
 * <p>As for columns alone, one record moves release t of a run by its own contribution c_t, so neighbours are as hard to tell
 * apart as two normal numbers at a distance of √Σ (‖c_t‖/noise_t)². That is computed, not estimated.
 */
class GroupGuaranteeTest {
    private static final double NOISE_MULTIPLIER = 4;
    private static final int ROWS = 400;
    private static final int WIDTH = 7;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** Two intercepts, one inside the other, slopes, and a crossed grouping. */
    private static final GlmDesign DESIGN = GlmDesign.of(
                    List.of(GlmColumn.intercept("1"), GlmColumn.number("age", 0, 100), GlmColumn.level("sex=f", 0)))
            .withGroups(List.of(
                    GroupEffects.intercepts("ward", List.of("a", "b", "c")),
                    new GroupEffects("ward", List.of("a", "b", "c"), 1, "age"),
                    GroupEffects.intercepts("ward:bed", List.of("a:1", "a:2", "b:1", "b:2", "c:1", "c:2")),
                    GroupEffects.intercepts("doctor", List.of("u", "v"))));

    private static final double[] LABELS = {-1e9, 0, 1, 1e9};

    private record Observed(ContributionSum query, double l2Bound, double noise) {}

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

    private static double[] row(double age, double sex, double ward, double slope, double bed, double doctor) {
        return new double[] {1, age, sex, ward, slope, bed, doctor};
    }

    private static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1);
    }

    private static final List<Observed> RELEASES = run();

    private static List<Observed> run() {
        RandomStream random = RandomStream.ofSeed(5);
        double[] x = new double[ROWS * WIDTH];
        double[] y = new double[ROWS];
        for (int r = 0; r < ROWS; r++) {
            int bed = random.nextInt(6);
            int ward = bed / 2;
            double[] row = row(30 + 40 * random.uniform(), random.nextInt(2), ward, ward, bed, random.nextInt(2));
            System.arraycopy(row, 0, x, r * WIDTH, WIDTH);
            double eta = 0.02 * (row[1] - 50) + 0.4 * (bed - 3) + 0.3 * row[6];
            y[r] = random.uniform() < SpecialFunctions.sigmoid(eta) ? 1 : 0;
        }
        GlmModel model = new GlmModel(DESIGN, new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, GlmPrior.standard());
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        ReleasePlan plan = kernel.plan(model, ROWS);
        try (PrivateDataset data = dataset(DenseBlock.of(ROWS, WIDTH, x, y))) {
            Watched door = new Watched(data.open(
                    RunRequest.of("test", plan),
                    new DiscreteGaussianMechanism(NOISE_MULTIPLIER),
                    new FreeLedger(UNIT),
                    ReplayNoise.ofSeed(3)));
            InferenceRun.once(kernel, model, door, RandomStream.ofSeed(1));
            return door.observed;
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    /** What one record adds to a sum, not clipped. */
    private static double[] contribution(Observed one, double[] x, double y) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, one.query.dimension(), new SamplingScheme.FullPass());
        try (PrivateDataset data = dataset(DenseBlock.of(1, x.length, x, new double[] {y}))) {
            return data.openNotPrivate(RunRequest.of("one", plan), ReplayNoise.ofSeed(1))
                    .release(one.query, one.l2Bound)
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

    /** Consistent records, and records that say they are in groups that do not go together, or in none. */
    private static List<double[]> records() {
        List<double[]> records = new ArrayList<>();
        for (double age : new double[] {-1e7, 50, 1e7}) {
            for (int sex = 0; sex < 2; sex++) {
                records.add(row(age, sex, 0, 0, 1, 1));
                records.add(row(age, sex, 2, 2, 4, 0));
                records.add(row(age, sex, 0, 2, 3, 1));
                records.add(row(age, sex, -1, 1, 99, 1.7));
                records.add(row(age, sex, Double.NaN, 1e300, -0.5, 0));
            }
        }
        return records;
    }

    private static double largestOverBound(Observed one) {
        double largest = 0;
        for (double[] x : records()) {
            for (double y : LABELS) {
                largest = Math.max(largest, norm(contribution(one, x, y)) / one.l2Bound);
            }
        }
        return largest;
    }

    @Test
    void noRecordMovesARunFurtherThanItIsChargedFor() {
        assertThat(RELEASES).hasSize(10);
        double largest = 0;
        for (Observed one : RELEASES) {
            assertThat(largestOverBound(one)).isLessThanOrEqualTo(1 + 1e-6).isGreaterThan(0.3);
        }
        for (double[] x : records()) {
            for (double y : LABELS) {
                double sum = 0;
                for (Observed one : RELEASES) {
                    sum += Math.pow(norm(contribution(one, x, y)) / one.noise, 2);
                }
                largest = Math.max(largest, sum * NOISE_MULTIPLIER * NOISE_MULTIPLIER);
            }
        }
        assertThat(largest).isLessThanOrEqualTo(1 + 1e-6).isGreaterThan(0.5);
    }

    @Test
    void aContributionIsItsRecordsOwn() {
        double[][] rows = records().subList(0, 12).toArray(double[][]::new);
        double[] labels = {0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1};
        for (Observed one : RELEASES) {
            RecordSumConformance.requireRowsStandAlone(one.query, rows, labels);
        }
    }

    /** The counts of groups need their part of the bound of second moments. */
    @Test
    void aForgottenShareOfCountsIsFound() {
        Observed moments = RELEASES.get(2);
        GlmModel model = new GlmModel(DESIGN, new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, GlmPrior.standard());
        double share = model.family().startShare();
        double groups = GroupCounts.squaredShare(new GroupLayout(DESIGN));
        assertThat(groups).isEqualTo(0.75);
        double forgotten = moments.l2Bound * Math.sqrt((1 + share * share) / (1 + share * share + groups));
        assertThat(largestOverBound(new Observed(moments.query, forgotten, moments.noise)))
                .isGreaterThan(1.01);
    }

    /** Rewrites what a record adds. */
    private interface Sabotage {
        double[] of(double[] contribution);
    }

    private static Observed sabotaged(Observed one, Sabotage sabotage) {
        ContributionSum query = new ContributionSum() {
            @Override
            public int dimension() {
                return one.query.dimension();
            }

            @Override
            public Worker worker() {
                return new Worker() {
                    @Override
                    public void contribute(RecordBlock block, int row, Contribution contribution) {
                        double[] x = new double[WIDTH];
                        Rows.addTo(block, row, 1, x, 0);
                        double[] changed = sabotage.of(GroupGuaranteeTest.contribution(one, x, block.label(row)));
                        contribution.addAll(0, changed, 0, changed.length);
                    }
                };
            }
        };
        return new Observed(query, one.l2Bound, one.noise);
    }

    /** A weight by the length of the columns alone: they reach the bound, and the groups come on top. */
    @Test
    void aClipThatForgetsTheGroupIsFound() {
        Observed last = RELEASES.get(9);
        int columns = DESIGN.size();
        Observed forgetful = sabotaged(last, contribution -> {
            double factor = norm(contribution) / norm(Arrays.copyOf(contribution, columns));
            double[] changed = contribution.clone();
            for (int i = 0; i < changed.length; i++) {
                changed[i] *= factor;
            }
            return changed;
        });
        assertThat(largestOverBound(forgetful)).isGreaterThan(1.1);
    }

    /** The effect of one group written into a second one, too. */
    @Test
    void aRecordInTwoGroupsIsFound() {
        Observed last = RELEASES.get(9);
        int first = DESIGN.size();
        Observed twice = sabotaged(last, contribution -> {
            double[] changed = contribution.clone();
            double most = 0;
            for (int g = 0; g < 3; g++) {
                most = Math.abs(contribution[first + g]) > Math.abs(most) ? contribution[first + g] : most;
            }
            for (int g = 0; g < 3; g++) {
                changed[first + g] = most;
            }
            return changed;
        });
        assertThat(largestOverBound(twice)).isGreaterThan(1.05);
    }

    /** The released curvature of a record is that of its whole row, entry by entry, and its norm that of the matrix. */
    @Test
    void theCurvatureOfARecordIsThatOfItsWholeRow() {
        Observed residuals = RELEASES.get(4);
        Observed curvature = RELEASES.get(5);
        double[] x = row(60, 1, 2, 2, 5, 1);
        GroupLayout layout = new GroupLayout(DESIGN);
        int d = layout.size();
        double[] direction = contribution(residuals, x, 1);
        double[] released = contribution(curvature, x, 1);
        double[] matrix = new double[d * d];
        double[] block = dev.tacit.numerics.SymmetricMatrix.fromVector(DESIGN.size(), released, 0);
        for (int i = 0; i < DESIGN.size(); i++) {
            System.arraycopy(block, i * DESIGN.size(), matrix, i * d, DESIGN.size());
        }
        layout.readCurvature(released, matrix);
        double scale = matrix[0] / (direction[0] * direction[0]);
        double largest = norm(released);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                assertThat(matrix[i * d + j])
                        .isCloseTo(
                                scale * direction[i] * direction[j],
                                org.assertj.core.api.Assertions.within(1e-4 * largest));
            }
        }
        assertThat(norm(matrix)).isCloseTo(largest, org.assertj.core.api.Assertions.within(1e-4 * largest));
    }
}
