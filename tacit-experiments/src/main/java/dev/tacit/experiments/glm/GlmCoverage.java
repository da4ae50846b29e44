package dev.tacit.experiments.glm;

import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.Parallel;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.SimulatedRun;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.run.CalibratedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * How often 90 % intervals of private regressions contain the truth, and how wide they are, on published tables.
 *
 * <p>The truth is the mode of the posterior on the real targets; targets are then drawn from the model given the real rows,
 * and fitted with the whole mechanism, over and over. Widths are over those of the curvature at the truth with the same
 * prior. Coefficients are compared on columns standardised by their own mean and deviation, the intercept at their means.
 */
public final class GlmCoverage implements Experiment {

    private static final List<GlmCase> CASES = List.of(
            new GlmCase("icu", "death", "bernoulli", 1, 100),
            new GlmCase("adult14", "income", "bernoulli", 1, 100),
            new GlmCase("power-plant", "y", "gaussian", 1, 100),
            new GlmCase("kin8nm", "y", "gaussian", 1, 100),
            new GlmCase("wine-quality-red", "y", "gaussian", 1, 100),
            new GlmCase("protein-tertiary-structure", "y", "gaussian", 1, 100),
            new GlmCase("protein-tertiary-structure", "bin", "bernoulli", 1, 100),
            new GlmCase("power-plant", "bin", "bernoulli", 1, 100),
            new GlmCase("diabetes", "readmit", "bernoulli", 1, 100),
            new GlmCase("diabetes", "meds", "poisson", 1, 100),
            new GlmCase("icu", "death", "bernoulli", 1, 100, "prior"),
            new GlmCase("icu", "death", "bernoulli", 0.5, 100),
            new GlmCase("icu", "death", "bernoulli", 4, 100),
            new GlmCase("adult14", "income", "bernoulli", 0.5, 100),
            new GlmCase("adult14", "income", "bernoulli", 4, 100),
            new GlmCase("adult14", "income", "bernoulli", 0.3, 100),
            new GlmCase("protein-tertiary-structure", "y", "gaussian", 0.3, 100),
            new GlmCase("power-plant", "y", "gaussian", 0.5, 100),
            new GlmCase("power-plant", "y", "gaussian", 4, 100),
            new GlmCase("kin8nm", "y", "gaussian", 0.5, 100),
            new GlmCase("kin8nm", "y", "gaussian", 4, 100),
            new GlmCase("wine-quality-red", "y", "gaussian", 0.5, 100),
            new GlmCase("wine-quality-red", "y", "gaussian", 4, 100),
            new GlmCase("diabetes", "readmit", "bernoulli", 0.5, 100),
            new GlmCase("diabetes", "readmit", "bernoulli", 4, 100),
            new GlmCase("diabetes", "meds", "poisson", 0.5, 100),
            new GlmCase("diabetes", "meds", "poisson", 4, 100),
            new GlmCase("diabetes", "meds", "poisson", 1, 100, "overdispersed"),
            new GlmCase("diabetes", "meds", "poisson", 1, 100, "overdispersed:1:-1.65"),
            new GlmCase("diabetes", "meds", "poisson", 1, 100, "overdispersed:40:0"),
            new GlmCase("diabetes", "meds", "negative-binomial", 1, 100),
            new GlmCase("diabetes", "readmit", "ordinal:3", 1, 100),
            new GlmCase("adult", "income", "bernoulli", 1, 40));

    @Override
    public String name() {
        return "glm-coverage";
    }

    @Override
    public String about() {
        return "coverage and width of 90 % intervals of private regressions on published tables";
    }

    @Override
    public List<String> cases() {
        return CASES.stream().map(GlmCoverage::named).toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        List<GlmCase> cases = options.chosen(CASES, GlmCoverage::named);
        listener.started(
                cases.stream().mapToInt(one -> options.seedsOr(one.fits())).sum());
        List<ResultRow> rows = new ArrayList<>();
        for (GlmCase one : cases) {
            GlmOutcome outcome = outcome(
                    one,
                    GlmTable.open(one.table(), options.dataDirectory()),
                    options.seedsOr(one.fits()),
                    options.threads(),
                    listener);
            rows.addAll(outcome.rows(one));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed",
                        "null level = how many parameters would be below 0.80 by chance if each covered 0.90"),
                (System.nanoTime() - start) / 1e9);
    }

    private static String named(GlmCase one) {
        return one.label() + ", epsilon " + one.epsilon();
    }

    static GlmOutcome outcome(GlmCase one, GlmTable table, int fits, int threads, ExperimentListener listener) {
        GlmTruth truth = new GlmTruth(one, table);
        CalibratedPlan calibrated =
                SimulatedRun.calibrated(new PrivateLikelihoodKernel(), truth.model(), table.rows(), one.epsilon());
        List<Callable<GlmOutcome.Fit>> parts = new ArrayList<>();
        for (int fit = 0; fit < fits; fit++) {
            long seed = 20_001L + fit;
            parts.add(() -> truth.fit(calibrated, seed));
        }
        return new GlmOutcome(
                new Parallel(threads, listener).all(parts),
                truth.plainDeviations(),
                calibrated.epsilon().upper(),
                table.design().names());
    }
}
