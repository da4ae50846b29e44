package dev.tacit.glm;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import java.util.List;

/** Fits of small tables under replayed noise. */
public final class GlmRuns {
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private GlmRuns() {}

    /** The radical inverse of i in a base (van der Corput). */
    public static double corput(int i, int base) {
        double value = 0;
        double factor = 1.0 / base;
        for (int left = i; left > 0; left /= base) {
            value += factor * (left % base);
            factor /= base;
        }
        return value;
    }

    /** Intercept, a number in [20, 80] with bounds [0, 100], a level with three tenths of the records. */
    public static double[] rows(int n) {
        double[] x = new double[n * 3];
        for (int i = 0; i < n; i++) {
            x[i * 3] = 1;
            x[i * 3 + 1] = 20 + 60 * corput(i + 1, 2);
            x[i * 3 + 2] = corput(i + 1, 3) < 0.3 ? 1 : 0;
        }
        return x;
    }

    public static GlmDesign design() {
        return GlmDesign.of(
                List.of(GlmColumn.intercept("1"), GlmColumn.number("x1", 0, 100), GlmColumn.level("g=b", 0)));
    }

    public static PrivateLikelihood privately(
            GlmModel model, double[] x, double[] y, double noiseMultiplier, long seed) {
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        ReleasePlan plan = kernel.plan(model, y.length);
        try (PrivateDataset data = dataset(model, x, y)) {
            DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(noiseMultiplier);
            RenyiAccountant renyi = new RenyiAccountant();
            LedgerTerms terms =
                    LedgerTerms.forPlan(UNIT, new PrivacyBudget(1e9, 1e-5), plan.event(mechanism), renyi::divergence);
            PrivateSession session = data.open(
                    RunRequest.of("test", plan),
                    mechanism,
                    new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                    ReplayNoise.ofSeed(seed));
            return InferenceRun.once(kernel, model, session, RandomStream.ofSeed(seed))
                    .state()
                    .likelihood();
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    public static PrivateLikelihood withoutNoise(GlmModel model, double[] x, double[] y) {
        PrivateLikelihoodKernel kernel = PrivateLikelihoodKernel.withoutNoise();
        ReleasePlan plan = kernel.plan(model, y.length);
        try (PrivateDataset data = dataset(model, x, y)) {
            PrivateSession session = data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1));
            return InferenceRun.once(kernel, model, session, RandomStream.ofSeed(1))
                    .state()
                    .likelihood();
        }
    }

    private static PrivateDataset dataset(GlmModel model, double[] x, double[] y) {
        DenseBlock block = DenseBlock.of(y.length, model.design().rowLength(), x, y);
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, y.length, 1);
    }
}
