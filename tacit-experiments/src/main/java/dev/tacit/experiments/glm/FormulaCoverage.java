package dev.tacit.experiments.glm;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.Parallel;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.SimulatedRun;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * How often 90 % intervals contain the truth on simulated tables: rates with a person-time offset, and times to an event of
 * which many are censored.
 *
 * <p>Rows and responses are drawn anew for every table. Widths are over those of a fit of such a table without noise. Compared
 * are the coefficients in natural units, the intercept at the middle of the columns.
 */
public final class FormulaCoverage implements Experiment {
    private static final double QUANTILE = 1.6448536269514722;
    private static final double MIDDLE_AGE = 55;
    private static final double MOST_YEARS = 20;

    private static final GlmDesign COLUMNS = GlmDesign.of(List.of(
            GlmColumn.intercept("(Intercept)"),
            GlmColumn.number("age", 20, 90),
            GlmColumn.number("dose", 0, 10),
            GlmColumn.level("sex[male]", 0)));
    private static final GlmDesign RATES =
            COLUMNS.withOffset(GlmColumn.number("(offset)", Math.log(0.1), Math.log(MOST_YEARS)));
    private static final String SURVIVAL = "piecewise-exponential:6:12:24:60";
    private static final double END = 60;

    /**
     * What tables are drawn from. Times are censored uniformly over [3, 81], not by hazards of the model.
     *
     * @param truth coefficients, the intercept at the middle of the columns, then logarithms of extra parameters but those of
     *     censoring, which have no truth
     */
    private record Case(String label, String family, double epsilon, int rows, double targetHigh, double[] truth) {
        boolean survival() {
            return family.equals(SURVIVAL);
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("rates, 0.3 for a record", "poisson", 1, 4000, 30, new double[] {-2.9, 0.03, 0.08, 0.4, 0}),
            new Case("rates, 3 for a record", "poisson", 1, 4000, 100, new double[] {-0.6, 0.03, 0.08, 0.4, 0}),
            new Case("rates, 0.05 for a record", "poisson", 1, 20_000, 20, new double[] {-4.6, 0.03, 0.08, 0.4, 0}),
            new Case("rates with dispersion 1.5", "negative-binomial", 1, 4000, 100, new double[] {
                -0.6, 0.03, 0.08, 0.4, Math.log(1.5)
            }),
            new Case("survival, many censored", SURVIVAL, 1, 4000, END, new double[] {
                -4.1, 0.03, 0.08, 0.4, -0.3, -0.2, -0.6
            }),
            new Case("survival, few censored", SURVIVAL, 1, 4000, END, new double[] {
                -3.3, 0.03, 0.08, 0.4, -0.3, -0.2, -0.6
            }));

    @Override
    public String name() {
        return "formula-coverage";
    }

    @Override
    public String about() {
        return "coverage and width of 90 % intervals of rates and of survival on simulated tables";
    }

    @Override
    public List<String> cases() {
        return CASES.stream().map(Case::label).toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int fits = options.seedsOr(options.quick() ? 2 : 200);
        List<Case> cases = options.chosen(CASES, Case::label);
        listener.started(fits * cases.size());
        List<ResultRow> rows = new ArrayList<>();
        for (Case one : cases) {
            rows.addAll(rows(one, fits, options.threads(), listener));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "width is over that of a fit without noise; bias is the mean of error over standard deviation",
                        "epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed"),
                (System.nanoTime() - start) / 1e9);
    }

    /** A table: rows, then targets. */
    private record Table(double[] x, double[] y) {}

    private static GlmModel model(Case one) {
        return new GlmModel(
                one.survival() ? COLUMNS : RATES,
                GlmFamilies.named(one.family),
                0,
                one.targetHigh,
                GlmPrior.standard());
    }

    private static Table draw(Case one, GlmModel model, RandomStream random) {
        int length = model.design().rowLength();
        double[] x = new double[one.rows * length];
        double[] y = new double[one.rows];
        double[] parameters = Arrays.copyOf(one.truth, model.parameterNames().size());
        Arrays.fill(parameters, one.truth.length, parameters.length, -50);
        parameters[0] -= MIDDLE_AGE * parameters[1];
        for (int r = 0; r < one.rows; r++) {
            int at = r * length;
            double age = Math.max(20, Math.min(90, MIDDLE_AGE + 12 * random.normal()));
            x[at] = 1;
            x[at + 1] = age;
            x[at + 2] = Math.min(10, random.gamma(2));
            x[at + 3] = random.uniform() < 0.45 ? 1 : 0;
            if (!one.survival()) {
                double years = random.gamma(3) * (1.6 - 0.012 * (age - MIDDLE_AGE));
                x[at + 4] = Math.log(Math.max(0.1, Math.min(MOST_YEARS, years)));
            }
        }
        DenseBlock rows = DenseBlock.of(one.rows, length, x, y);
        for (int r = 0; r < one.rows; r++) {
            y[r] = model.drawTarget(parameters, rows, r, random);
            if (one.survival()) {
                double censored = 3 + 78 * random.uniform();
                y[r] = Math.abs(y[r]) < censored ? y[r] : -censored;
            }
        }
        return new Table(x, y);
    }

    /** A table and its fit; without a calibration, a fit without noise. */
    private static GaussianPosterior fit(Case one, GlmModel model, CalibratedPlan calibrated, long seed)
            throws BudgetExhausted {
        RandomStream random = RandomStream.ofSeed(seed);
        Table table = draw(one, model, random);
        DenseBlock block = DenseBlock.of(one.rows, model.design().rowLength(), table.x, table.y);
        RandomStream steps = random.fork("run");
        InferenceRun.Result<PrivateLikelihoodKernel.State> run = calibrated == null
                ? SimulatedRun.withoutNoise(PrivateLikelihoodKernel.withoutNoise(), model, block, seed, steps)
                : SimulatedRun.of(new PrivateLikelihoodKernel(), model, block, calibrated, seed, steps);
        return run.state().likelihood().posterior(GlmPrior.standard()).linear();
    }

    /** Error of each parameter, then its standard deviation; the intercept at the middle of the columns. */
    private static double[][] compared(Case one, GaussianPosterior posterior) {
        double[] mean = posterior.mean();
        double[] covariance = posterior.covariance();
        int n = mean.length;
        double[] error = new double[one.truth.length];
        double[] deviation = new double[error.length];
        for (int j = 0; j < error.length; j++) {
            error[j] = mean[j] - one.truth[j];
            deviation[j] = Math.sqrt(covariance[j * n + j]);
        }
        error[0] += MIDDLE_AGE * mean[1];
        deviation[0] =
                Math.sqrt(covariance[0] + 2 * MIDDLE_AGE * covariance[1] + MIDDLE_AGE * MIDDLE_AGE * covariance[n + 1]);
        return new double[][] {error, deviation};
    }

    private static List<ResultRow> rows(Case one, int fits, int threads, ExperimentListener listener) {
        GlmModel model = model(one);
        CalibratedPlan calibrated =
                SimulatedRun.calibrated(new PrivateLikelihoodKernel(), model, one.rows, one.epsilon);
        double[] plain;
        try {
            plain = compared(one, fit(one, model, null, 1))[1];
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
        List<Callable<double[][]>> parts = new ArrayList<>();
        for (int fit = 0; fit < fits; fit++) {
            long seed = 30_001L + fit;
            parts.add(() -> compared(one, fit(one, model, calibrated, seed)));
        }
        int n = plain.length;
        double[] coverage = new double[n];
        double[] width = new double[n];
        double[] bias = new double[n];
        for (double[][] pair : new Parallel(threads, listener).all(parts)) {
            for (int j = 0; j < n; j++) {
                coverage[j] += Math.abs(pair[0][j]) <= QUANTILE * pair[1][j] ? 1.0 / fits : 0;
                width[j] += pair[1][j] / plain[j] / fits;
                bias[j] += pair[0][j] / pair[1][j] / fits;
            }
        }
        List<ResultRow> rows = new ArrayList<>();
        List<String> names = model.parameterNames();
        for (int j = 0; j < n; j++) {
            add(rows, one, fits, calibrated, "cov90 of " + names.get(j), coverage[j]);
            add(rows, one, fits, calibrated, "width of " + names.get(j), width[j]);
            add(rows, one, fits, calibrated, "bias of " + names.get(j), bias[j]);
        }
        add(
                rows,
                one,
                fits,
                calibrated,
                "cov90 mean",
                Arrays.stream(coverage).average().orElseThrow());
        return rows;
    }

    private static void add(
            List<ResultRow> rows, Case one, int fits, CalibratedPlan calibrated, String metric, double value) {
        rows.add(new ResultRow(
                PrivateLikelihoodKernel.NAME,
                one.label + ", " + one.family + ", epsilon " + one.epsilon,
                metric,
                OptionalDouble.empty(),
                value,
                0,
                fits,
                one.epsilon,
                calibrated.epsilon().upper()));
    }
}
