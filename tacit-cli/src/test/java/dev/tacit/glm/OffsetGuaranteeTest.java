package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.tacit.glm.family.QuasiPoisson;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.glm.twin.SecondMoments;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a record with an offset adds to every release of a run: never more than the run is charged for. */
class OffsetGuaranteeTest {
    private static final int ROWS = 500;
    private static final int LENGTH = 4;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private static final GlmDesign BARE = GlmDesign.of(
            List.of(GlmColumn.intercept("1"), GlmColumn.number("age", 0, 100), GlmColumn.level("sex=m", 0)));
    private static final GlmModel MODEL = model(BARE.withOffset(GlmColumn.number("(offset)", -3, 3)));

    private record Observed(ContributionSum query, double l2Bound) {}

    private static final List<Observed> RELEASES = new ArrayList<>();

    private static GlmModel model(GlmDesign design) {
        return new GlmModel(design, new QuasiPoisson(), 0, 40, GlmPrior.standard());
    }

    private static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1);
    }

    @BeforeAll
    static void runOnce() throws BudgetExhausted {
        RandomStream random = RandomStream.ofSeed(5);
        double[] x = new double[ROWS * LENGTH];
        double[] y = new double[ROWS];
        for (int r = 0; r < ROWS; r++) {
            x[r * LENGTH] = 1;
            x[r * LENGTH + 1] = 30 + 40 * random.uniform();
            x[r * LENGTH + 2] = random.nextInt(2);
            x[r * LENGTH + 3] = 0.7 * random.normal();
            y[r] = MODEL.family().simulate(0.3 + x[r * LENGTH + 3], new double[] {1}, random);
        }
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        try (PrivateDataset data = dataset(DenseBlock.of(ROWS, LENGTH, x, y))) {
            PrivateSession open = data.open(
                    RunRequest.of("test", kernel.plan(MODEL, ROWS)),
                    new DiscreteGaussianMechanism(0.5),
                    new FreeLedger(UNIT),
                    ReplayNoise.ofSeed(3));
            PrivateSession watched = new ForwardingSession(open) {
                @Override
                public NoisySum release(RecordSum query, double l2Bound) {
                    RELEASES.add(new Observed((ContributionSum) query, l2Bound));
                    return open.release(query, l2Bound);
                }
            };
            InferenceRun.once(kernel, MODEL, watched, RandomStream.ofSeed(1));
        }
    }

    /** The largest norm of what one record adds, over a bound; nothing is clipped. */
    private static double largestOver(ContributionSum query, double bound) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        double largest = 0;
        for (double age : new double[] {-1e7, 50, 1e7}) {
            for (double sex : new double[] {0, 1}) {
                for (double offset : new double[] {-1e9, -3, 0, 3, 1e9}) {
                    for (double y : new double[] {-1e9, 0, 1, 20, 1e9}) {
                        DenseBlock one = DenseBlock.of(1, LENGTH, new double[] {1, age, sex, offset}, new double[] {y});
                        try (PrivateDataset data = dataset(one)) {
                            double squares = 0;
                            for (double value : data.openNotPrivate(RunRequest.of("one", plan), ReplayNoise.ofSeed(1))
                                    .release(query, bound)
                                    .value()) {
                                squares += value * value;
                            }
                            largest = Math.max(largest, Math.sqrt(squares) / bound);
                        }
                    }
                }
            }
        }
        return largest;
    }

    @Test
    void noRecordAddsMoreThanItsBound() {
        assertThat(RELEASES).hasSize(10);
        for (Observed one : RELEASES) {
            assertThat(largestOver(one.query, one.l2Bound))
                    .isLessThanOrEqualTo(1 + 1e-6)
                    .isGreaterThan(0.3);
        }
    }

    /** With the bounds of the design without its offset, the releases that hold it would be too large. */
    @Test
    void anOffsetThatIsNotCountedIsFound() {
        GlmModel bare = model(BARE);
        double[] forgotten = {
            Standardisation.firstBound(bare), Standardisation.secondBound(bare), SecondMoments.bound(bare)
        };
        for (int i = 0; i < forgotten.length; i++) {
            assertThat(largestOver(RELEASES.get(i).query, forgotten[i])).isGreaterThan(1.05);
        }
    }

    @Test
    void aContributionIsItsRecordsOwn() {
        double[][] rows = {{1, 40, 0, -2}, {1, 1e7, 1, 3}, {1, 60, 0, 1e9}, {1, 55, 1, 0}};
        for (Observed one : RELEASES) {
            RecordSumConformance.requireRowsStandAlone(one.query, rows, new double[] {0, 5, 1, 1e9});
        }
    }
}
