package dev.tacit.experiments.noiseaware;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.diagnostics.TarpCoverage;
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
import dev.tacit.inference.noiseaware.ModelImpliedField;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** What experiments with noise-aware inference share: simulated records, fitted again and again; delta 1e-5. */
final class NoiseAwareCoverage {
    static final double DELTA = 1e-5;

    /** Fits from 1 on were looked at while the method was made. */
    static final int FIRST_SEED = 10_001;

    static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private NoiseAwareCoverage() {}

    static String correct(int fits) {
        TarpCoverage.NullDistribution correct = CoverageFits.nullDistribution(fits);
        return String.format(
                Locale.ROOT,
                "tarp of correct posteriors, %d fits: mean %.4f, 95 %% below %.4f, 99 %% below %.4f",
                fits,
                correct.mean(),
                correct.percentile95(),
                correct.percentile99());
    }

    /** Posteriors of the model-implied field, and of the last point of its runs with the plain width. */
    record FieldFits(CoverageFits last, CoverageFits field, double epsilonHolds) {}

    /** Fits simulated records again and again. */
    static FieldFits fieldFits(CoverageTask task, double epsilon, int fits, int threads) {
        ModelImpliedField kernel = new ModelImpliedField(ModelImpliedField.STANDARD_STEPS);
        CalibratedPlan calibrated = calibrated(kernel, task.model(1), epsilon);
        ScoreFieldModel model = task.model(calibrated.noiseMultiplier() / Math.sqrt(ModelImpliedField.STANDARD_STEPS));
        List<CoverageFits.Fit[]> pairs = each(fits, threads, fit -> {
            RandomStream random = RandomStream.ofSeed(fit);
            CoverageTask.Table table = task.simulate(random);
            var result = simulated(kernel, model, calibrated, table.records(), fit);
            double[] variances = table.plainDeviations().clone();
            for (int j = 0; j < variances.length; j++) {
                variances[j] *= variances[j];
            }
            Posterior last = new DiagonalGaussianPosterior(
                    model.parameterNames(), result.state().point(), variances);
            return new CoverageFits.Fit[] {
                CoverageFits.Fit.of(table.truth(), last, table.plainDeviations(), random),
                CoverageFits.Fit.of(table.truth(), result.posterior(), table.plainDeviations(), random)
            };
        });
        return new FieldFits(
                new CoverageFits(pairs.stream().map(pair -> pair[0]).toList()),
                new CoverageFits(pairs.stream().map(pair -> pair[1]).toList()),
                calibrated.epsilon().upper());
    }

    /** One simulated fit after the other, in order. */
    interface OneFit {
        CoverageFits.Fit[] run(int fit);
    }

    static List<CoverageFits.Fit[]> each(int fits, int threads, OneFit one) {
        IntStream numbers = IntStream.range(FIRST_SEED, FIRST_SEED + fits);
        return (threads > 1 ? numbers.parallel() : numbers).mapToObj(one::run).toList();
    }

    static <M, S extends Record> CalibratedPlan calibrated(InferenceKernel<M, S> kernel, M model, double epsilon) {
        try {
            return CalibratedPlan.of(
                    kernel.plan(model, CoverageTask.RECORDS),
                    new PrivacyBudget(epsilon, DELTA),
                    new ExactAccountant(),
                    UNIT.neighbours());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    static <M, S extends Record> InferenceRun.Result<S> simulated(
            InferenceKernel<M, S> kernel, M model, CalibratedPlan calibrated, DenseBlock records, long seed) {
        RenyiAccountant renyi = new RenyiAccountant();
        PrivacyBudget budget = new PrivacyBudget(calibrated.epsilon().upper(), DELTA);
        LedgerTerms terms = LedgerTerms.forPlan(UNIT, budget, calibrated.event(), renyi::divergence);
        try (PrivateDataset data =
                LocalSummation.dataset(RecordsInMemory.of(records, true), UNIT, CoverageTask.RECORDS, 1)) {
            return InferenceRun.once(
                    kernel,
                    model,
                    data.open(
                            RunRequest.of(kernel.name(), calibrated.plan()),
                            new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                            new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                            ReplayNoise.ofSeed(seed)),
                    RandomStream.ofSeed(seed).fork("draws"));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }
}
