package dev.tacit.benchmarks;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Microseconds for each record of a local step of DP optimisation: gradient of the local bound, clip, sum, ledger and noise.
 *
 * <p>Rows of length 1 with 109 columns and 15 non-zero numbers, as Adult has; one thread; the least of many repetitions.
 */
final class LocalStepBenchmark {
    private static final int RECORDS = 24_421;
    private static final int COLUMNS = 109;
    private static final int NON_ZEROS = 15;
    private static final int REPETITIONS = 300;

    private LocalStepBenchmark() {}

    static void print() throws BudgetExhausted {
        System.out.println("a local step of DP optimisation, " + COLUMNS + " columns, " + NON_ZEROS
                + " non-zeros, one thread, least of " + REPETITIONS + ":");
        for (SamplingScheme sampling :
                List.of(new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.2))) {
            System.out.printf(
                    "  %-36s %.3f microseconds for each record in the batch%n", sampling, microseconds(sampling));
        }
    }

    private static double microseconds(SamplingScheme sampling) throws BudgetExhausted {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(1L);
        List<String> names = new ArrayList<>();
        double[] means = new double[COLUMNS];
        double[] variances = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            names.add("x" + j);
            means[j] = random.nextDouble() - 0.5;
            variances[j] = 0.1 * random.nextDouble();
        }
        ContributionSum query =
                MarginExpectationGradient.of(new LogisticRegression(names, 1, 0.1), means, variances, 3.2, variances);
        PrivacyUnit unit = PrivacyUnit.record(Neighbours.ADD_REMOVE);
        ReleasePlan plan = ReleasePlan.of("gradients", REPETITIONS, 2 * COLUMNS, sampling);
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(unit, new PrivacyBudget(1e9, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        PrivateSession session = LocalSummation.dataset(RecordsInMemory.of(rows(random), true), unit, RECORDS, 1)
                .open(
                        RunRequest.of("benchmark", plan),
                        new DiscreteGaussianMechanism(7),
                        ledger,
                        ReplayNoise.ofSeed(1));
        double least = Double.POSITIVE_INFINITY;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            long start = System.nanoTime();
            double size = session.release(query, 2).expectedBatchSize();
            least = Math.min(least, (System.nanoTime() - start) * 1e-3 / size);
        }
        return least;
    }

    private static SparseBlock rows(UniformRandomProvider random) {
        int[] starts = new int[RECORDS + 1];
        int[] columns = new int[RECORDS * NON_ZEROS];
        double[] values = new double[RECORDS * NON_ZEROS];
        double[] labels = new double[RECORDS];
        int entry = 0;
        for (int row = 0; row < RECORDS; row++) {
            double squares = 0;
            for (int part = 0; part < NON_ZEROS; part++) {
                int from = part * COLUMNS / NON_ZEROS;
                columns[entry + part] = from + random.nextInt((part + 1) * COLUMNS / NON_ZEROS - from);
                values[entry + part] = 0.1 + random.nextDouble();
                squares += values[entry + part] * values[entry + part];
            }
            for (int part = 0; part < NON_ZEROS; part++) {
                values[entry + part] /= Math.sqrt(squares);
            }
            entry += NON_ZEROS;
            starts[row + 1] = entry;
            labels[row] = random.nextInt(2);
        }
        return SparseBlock.of(RECORDS, COLUMNS, starts, columns, values, labels);
    }
}
