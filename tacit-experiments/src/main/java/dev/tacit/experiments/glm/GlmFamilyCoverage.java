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
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * How often 90 % intervals of private regressions contain the truth, extra parameters included, for every family, on
 * simulated tables of 5,000 rows and six columns; of four and an intercept for a response of three unordered levels.
 *
 * <p>Rows and targets are new in every table; two numbers are correlated and one is skewed. Widths are over those of the
 * same method without noise on the same tables. Everything is in natural units.
 */
public final class GlmFamilyCoverage implements Experiment {
    private static final double QUANTILE = 1.6448536269514722;
    private static final int ROWS = 5000;
    private static final int FITS = 200;

    /** One in so many fits is repeated without noise. */
    private static final int COMPARED = 20;

    private static final GlmDesign DESIGN = GlmDesign.of(List.of(
            GlmColumn.intercept("(Intercept)"),
            GlmColumn.number("age", 0, 100),
            GlmColumn.number("score", -4, 4),
            GlmColumn.number("wait", 0, 10),
            GlmColumn.number("other", -4, 4),
            GlmColumn.level("group=b", 0)));

    /**
     * What is fitted.
     *
     * @param truth coefficients in natural units, then logarithms of extra parameters
     */
    record Case(String family, double low, double high, double epsilon, double... truth) {
        /** How results call it. */
        String label() {
            return (isMultinomial() ? "multinomial" : family) + " "
                    + String.format(java.util.Locale.ROOT, "%.2f", truth[0]) + ", epsilon " + epsilon;
        }

        boolean isMultinomial() {
            return family.startsWith("multinomial:");
        }

        /** All columns, or all but {@code other}. */
        GlmDesign design() {
            List<GlmColumn> columns = new ArrayList<>(DESIGN.columns());
            if (isMultinomial()) {
                columns.remove(OTHER);
            }
            return GlmDesign.of(columns);
        }
    }

    /** The place of a column that not every case has. */
    private static final int OTHER = 4;

    private static final String THREE_LEVELS = "multinomial:job:clerk:clerk:cook:miner";

    private static final List<Case> CASES = List.of(
            new Case("gamma", 0, 60_000, 1, 7.5, 0.01, 0.2, -0.1, 0, 0.3, Math.log(2)),
            new Case("gamma", 0, 400, 1, 3, 0.01, -0.3, 0.1, 0.2, -0.2, Math.log(0.7)),
            new Case("gamma", 0, 60_000, 0.3, 7.5, 0.01, 0.2, -0.1, 0, 0.3, Math.log(2)),
            new Case("gamma", 0, 400, 0.3, 3, 0.01, -0.3, 0.1, 0.2, -0.2, Math.log(0.7)),
            new Case("student", -300, 300, 1, 20, 0.5, 5, -2, 0, 6, Math.log(10), Math.log(4)),
            new Case("student", -300, 300, 1, -10, -0.3, 8, 2, 3, -6, Math.log(10), Math.log(8)),
            new Case("beta", 0.001, 0.999, 1, -1.5, 0.015, 0.3, -0.1, 0, 0.4, Math.log(8)),
            new Case("beta", 0.0001, 0.9999, 1, -0.5, 0.01, -0.3, 0.2, 0.2, -0.5, Math.log(2)),
            new Case("ordinal:3", 0, 2, 1, -0.4, 0.015, 0.4, -0.1, 0, 0.5, Math.log(0.7)),
            new Case("ordinal:5", 0, 4, 1, 0.6, 0.015, 0.4, -0.1, 0, 0.5, Math.log(0.7), Math.log(1.2), Math.log(0.5)),
            new Case("bernoulli-probit", 0, 1, 1, -0.9, 0.01, 0.3, -0.1, 0, 0.4),
            new Case("bernoulli-cloglog", 0, 1, 1, -1.5, 0.015, 0.3, -0.1, 0, 0.4),
            new Case(THREE_LEVELS, 0, 2, 1, -0.9, 0.015, 0.4, -0.1, 0.5, 0.3, -0.01, -0.3, 0.1, 0.2),
            new Case(THREE_LEVELS, 0, 2, 1, -2.5, 0.01, 0.6, 0.1, -0.4, -1.5, 0.02, 0, 0.15, 0.7));

    @Override
    public String name() {
        return "glm-families";
    }

    @Override
    public String about() {
        return "coverage and width of 90 % intervals of private regressions of every family on simulated tables";
    }

    @Override
    public List<String> cases() {
        return CASES.stream().map(Case::label).toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int fits = options.seedsOr(FITS);
        List<Case> cases = options.chosen(CASES, Case::label);
        listener.started(cases.size() * fits);
        List<ResultRow> rows = new ArrayList<>();
        for (Case one : cases) {
            rows.addAll(new Fits(one, fits).rows(new Parallel(options.threads(), listener)));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of("epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed"),
                (System.nanoTime() - start) / 1e9);
    }

    /** One case. */
    private static final class Fits {
        private final Case one;
        private final int count;
        private final GlmModel model;
        private final CalibratedPlan calibrated;

        Fits(Case one, int count) {
            this.one = one;
            this.count = count;
            this.model =
                    new GlmModel(one.design(), GlmFamilies.named(one.family), one.low, one.high, GlmPrior.standard());
            this.calibrated = SimulatedRun.calibrated(new PrivateLikelihoodKernel(), model, ROWS, one.epsilon);
        }

        List<ResultRow> rows(Parallel parallel) {
            List<Callable<double[][]>> parts = new ArrayList<>();
            for (int fit = 0; fit < count; fit++) {
                long seed = 30_001L + fit;
                boolean compared = fit % COMPARED == 0;
                parts.add(() -> fit(seed, compared));
            }
            int parameters = one.truth.length;
            double[] covered = new double[parameters];
            double[] widths = new double[parameters];
            for (double[][] each : parallel.all(parts)) {
                for (int j = 0; j < parameters; j++) {
                    covered[j] += Math.abs(each[0][j]) <= QUANTILE * each[1][j] ? 1.0 / count : 0;
                    widths[j] += each.length < 3 ? 0 : each[1][j] / each[2][j] / ((count - 1) / COMPARED + 1);
                }
            }
            List<ResultRow> rows = new ArrayList<>();
            for (int j = 0; j < parameters; j++) {
                String name = model.parameterNames().get(j);
                add(rows, "cov90 of " + name, covered[j]);
                add(rows, "width of " + name, widths[j]);
            }
            double[] sorted = widths.clone();
            Arrays.sort(sorted);
            add(rows, "cov90 mean", Arrays.stream(covered).average().orElseThrow());
            add(rows, "cov90 worst", Arrays.stream(covered).min().orElseThrow());
            add(rows, "median width over non-private", sorted[parameters / 2]);
            return rows;
        }

        private void add(List<ResultRow> rows, String metric, double value) {
            rows.add(new ResultRow(
                    PrivateLikelihoodKernel.NAME,
                    one.label(),
                    metric,
                    OptionalDouble.empty(),
                    value,
                    0,
                    count,
                    one.epsilon,
                    calibrated.epsilon().upper()));
        }

        /** Error, standard deviation and, if it is to be compared, standard deviation without noise of each parameter. */
        private double[][] fit(long seed, boolean compared) throws BudgetExhausted {
            DenseBlock block = table(RandomStream.ofSeed(seed));
            Posterior noisy = SimulatedRun.of(
                            new PrivateLikelihoodKernel(), model, block, calibrated, seed, RandomStream.ofSeed(seed))
                    .posterior();
            double[] error = noisy.mean();
            for (int j = 0; j < error.length; j++) {
                error[j] -= one.truth[j];
            }
            if (!compared) {
                return new double[][] {error, noisy.standardDeviation()};
            }
            Posterior plain = SimulatedRun.withoutNoise(
                            PrivateLikelihoodKernel.withoutNoise(), model, block, seed, RandomStream.ofSeed(seed))
                    .posterior();
            return new double[][] {error, noisy.standardDeviation(), plain.standardDeviation()};
        }

        private DenseBlock table(RandomStream random) {
            int d = DESIGN.size();
            int width = model.design().size();
            double[] x = new double[ROWS * d];
            for (int r = 0; r < ROWS; r++) {
                double shared = random.normal();
                x[r * d] = 1;
                x[r * d + 1] = Math.max(0, Math.min(100, 50 + 15 * random.normal()));
                x[r * d + 2] = Math.max(-4, Math.min(4, shared));
                x[r * d + 3] = Math.min(10, 1.5 * random.exponential());
                x[r * d + 4] = Math.max(-4, Math.min(4, 0.6 * shared + 0.8 * random.normal()));
                x[r * d + 5] = random.uniform() < 0.3 ? 1 : 0;
            }
            if (one.isMultinomial()) {
                x = without(OTHER, d, x);
            }
            DenseBlock rows = DenseBlock.of(ROWS, width, x, new double[ROWS]);
            double[] y = new double[ROWS];
            for (int r = 0; r < ROWS; r++) {
                y[r] = Math.max(one.low, Math.min(one.high, model.drawTarget(one.truth, rows, r, random)));
            }
            return DenseBlock.of(ROWS, width, x, y);
        }

        private static double[] without(int column, int d, double[] x) {
            double[] less = new double[ROWS * (d - 1)];
            for (int r = 0; r < ROWS; r++) {
                System.arraycopy(x, r * d, less, r * (d - 1), column);
                System.arraycopy(x, r * d + column + 1, less, r * (d - 1) + column, d - 1 - column);
            }
            return less;
        }
    }
}
