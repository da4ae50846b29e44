package dev.tacit.experiments.harness;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;

/** Runs of a kernel on one block of rows through the whole mechanism, with noise from a seed; for measurements, not for release. */
public final class SimulatedRun {
    static final double DELTA = 1e-5;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private SimulatedRun() {}

    /** The plan of a kernel at an epsilon, with {@link #DELTA}, one record added or removed. */
    public static <M, S extends Record> CalibratedPlan calibrated(
            InferenceKernel<M, S> kernel, M model, int rows, double epsilon) {
        try {
            return CalibratedPlan.of(
                    kernel.plan(model, rows),
                    new PrivacyBudget(epsilon, DELTA),
                    new ExactAccountant(),
                    UNIT.neighbours());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One run without noise. */
    public static <M, S extends Record> InferenceRun.Result<S> withoutNoise(
            InferenceKernel<M, S> kernel, M model, DenseBlock block, long seed, RandomStream random) {
        try (PrivateDataset data = dataset(block)) {
            RunRequest run = RunRequest.of(kernel.name(), kernel.plan(model, block.rows()));
            return InferenceRun.once(kernel, model, data.openNotPrivate(run, ReplayNoise.ofSeed(seed)), random);
        }
    }

    private static PrivateDataset dataset(DenseBlock block) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), UNIT, block.rows(), 1);
    }

    /** One run; the declared size is that of the block. */
    public static <M, S extends Record> InferenceRun.Result<S> of(
            InferenceKernel<M, S> kernel,
            M model,
            DenseBlock block,
            CalibratedPlan calibrated,
            long seed,
            RandomStream random)
            throws BudgetExhausted {
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms = LedgerTerms.forPlan(
                UNIT, new PrivacyBudget(calibrated.epsilon().upper(), DELTA), calibrated.event(), renyi::divergence);
        try (PrivateDataset data = dataset(block)) {
            return InferenceRun.once(
                    kernel,
                    model,
                    data.open(
                            RunRequest.of(kernel.name(), calibrated.plan()),
                            new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                            new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                            ReplayNoise.ofSeed(seed)),
                    random);
        }
    }
}
