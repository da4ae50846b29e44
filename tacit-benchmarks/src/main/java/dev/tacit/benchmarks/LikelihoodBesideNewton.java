package dev.tacit.benchmarks;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The CPU time of a whole logistic regression by the private likelihood beside that of residual Newton, on the same records of 20
 * numbers and on one thread, in turns; the least of three fits each.
 *
 * <p>{@code tacit-benchmarks/run likelihood [RECORDS]}, a million records if none are given.
 */
final class LikelihoodBesideNewton {
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    private static final int NUMBERS = 20;
    private static final int FITS = 3;
    private static final double NOISE_MULTIPLIER = 4;

    private LikelihoodBesideNewton() {}

    static void print(int records) throws BudgetExhausted {
        int columns = NUMBERS + 1;
        RandomStream random = RandomStream.ofSeed(1);
        double[] x = new double[records * columns];
        double[] y = new double[records];
        for (int r = 0; r < records; r++) {
            x[r * columns] = 1;
            double margin = -1;
            for (int j = 1; j < columns; j++) {
                double number = Math.max(-1, Math.min(1, 0.3 * random.normal()));
                x[r * columns + j] = number;
                margin += (j % 3 - 1) * number;
            }
            y[r] = random.uniform() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
        }
        DenseBlock block = DenseBlock.of(records, columns, x, y);
        List<String> names = new ArrayList<>(List.of("(Intercept)"));
        List<GlmColumn> design = new ArrayList<>(List.of(GlmColumn.intercept("(Intercept)")));
        for (int j = 1; j < columns; j++) {
            names.add("x" + j);
            design.add(GlmColumn.number("x" + j, -1, 1));
        }
        GlmModel model = new GlmModel(GlmDesign.of(design), GlmFamilies.named("bernoulli"), 0, 1, GlmPrior.standard());
        LogisticRegression regression = new LogisticRegression(names, Math.sqrt(columns), 0.1);
        double likelihood = Double.POSITIVE_INFINITY;
        double newton = Double.POSITIVE_INFINITY;
        for (int fit = 0; fit < FITS; fit++) {
            likelihood = Math.min(likelihood, seconds(new PrivateLikelihoodKernel(), model, block));
            newton = Math.min(
                    newton, seconds(new ResidualNewton(ResidualNewton.Settings.standard()), regression, block));
        }
        System.out.printf(
                Locale.ROOT,
                "%,d records of %d numbers, CPU of one thread: private-likelihood %.2f s, residual-newton %.2f s, %.2f times%n",
                records,
                NUMBERS,
                likelihood,
                newton,
                likelihood / newton);
    }

    /** CPU time of this thread for a fit. */
    private static <M, S extends Record> double seconds(InferenceKernel<? super M, S> kernel, M model, DenseBlock block)
            throws BudgetExhausted {
        ReleasePlan plan = kernel.plan(model, block.rows());
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(NOISE_MULTIPLIER);
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms =
                LedgerTerms.forPlan(UNIT, new PrivacyBudget(1e9, 1e-5), plan.event(mechanism), renyi::divergence);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (PrivateDataset data = LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1)) {
            long start = threads.getCurrentThreadCpuTime();
            InferenceRun.once(
                    kernel,
                    model,
                    data.open(
                            RunRequest.of(kernel.name(), plan),
                            mechanism,
                            new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                            ReplayNoise.ofSeed(1)),
                    RandomStream.ofSeed(1));
            return (threads.getCurrentThreadCpuTime() - start) * 1e-9;
        }
    }
}
