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
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * How often 90 % intervals of the methods for scaled rows contain the truth, on the tables and with the targets of {@link GlmCoverage}.
 *
 * <p>Rows are as a schema without further encoding has them: numbers from 0 to 1 by their bounds, levels 0 or 1, a constant; every method
 * with its standard settings and its standard prior.
 */
public final class MethodCoverage implements Experiment {
    private static final double EPSILON = 1;
    private static final int FITS = 20;

    /** A method on a table. */
    private record Case(String model, String method, String table, String target, String family) {
        String label() {
            return model + " by " + method + ", " + table + " / " + target;
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("logistic-regression", "residual-newton", "icu", "death", "bernoulli"),
            new Case("logistic-regression", "private-vb", "icu", "death", "bernoulli"),
            new Case("logistic-regression", "dpvi", "icu", "death", "bernoulli"),
            new Case("logistic-regression", "dp-sep", "icu", "death", "bernoulli"),
            new Case("linear-regression", "dp-sep", "power-plant", "y", "gaussian"),
            new Case("linear-regression", "private-vb", "power-plant", "y", "gaussian"),
            new Case("linear-regression", "dpvi", "power-plant", "y", "gaussian"),
            new Case("poisson-regression", "dpvi", "diabetes", "meds", "poisson"));

    @Override
    public String name() {
        return "method-coverage";
    }

    @Override
    public String about() {
        return "coverage of 90 % intervals of the methods for scaled rows on published tables";
    }

    @Override
    public List<String> cases() {
        return CASES.stream().map(Case::label).toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        List<Case> cases = options.chosen(CASES, Case::label);
        int fits = options.seedsOr(FITS);
        listener.started(fits * cases.size());
        List<ResultRow> rows = new ArrayList<>();
        for (Case one : cases) {
            GlmTable table = GlmTable.open(one.table, options.dataDirectory());
            rows.addAll(rows(one, table, fits, options.threads(), listener));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of("epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed"),
                (System.nanoTime() - start) / 1e9);
    }

    private static List<ResultRow> rows(Case one, GlmTable table, int fits, int threads, ExperimentListener listener) {
        GlmTruth truth = new GlmTruth(new GlmCase(one.table, one.target, one.family, EPSILON, fits), table);
        Scaled scaled = Scaled.of(table, one.family, truth.targetBounds());
        FitMethod<?, ?> method =
                MethodCatalogue.find(one.model, one.method, scaled.shape, new SettingValues(Map.of()), true);
        double[] weights = scaled.weights(truth.natural());
        List<Callable<double[]>> parts = new ArrayList<>();
        for (int fit = 0; fit < fits; fit++) {
            long seed = 20_001L + fit;
            parts.add(() -> ratios(method, scaled, truth.targets(RandomStream.ofSeed(seed)), weights, seed));
        }
        List<double[]> all = new Parallel(threads, listener).all(parts);
        double[] covered = new double[weights.length];
        double[] bias = new double[weights.length];
        for (double[] fit : all) {
            for (int j = 0; j < covered.length; j++) {
                covered[j] += (fit[j] <= 1 ? 1.0 : 0.0) / fits;
                bias[j] += fit[covered.length + j] / fits;
            }
        }
        List<ResultRow> rows = new ArrayList<>();
        rows.add(row(one, "cov90 mean", Arrays.stream(covered).average().orElseThrow(), fits));
        rows.add(row(one, "cov90 worst", Arrays.stream(covered).min().orElseThrow(), fits));
        double[] sizes = Arrays.stream(bias).map(Math::abs).sorted().toArray();
        rows.add(row(one, "median bias over the truth", sizes[sizes.length / 2], fits));
        return rows;
    }

    private static ResultRow row(Case one, String metric, double value, int fits) {
        return new ResultRow(
                one.method,
                one.model + " on " + one.table + " / " + one.target + ", epsilon " + EPSILON,
                metric,
                OptionalDouble.empty(),
                value,
                0,
                fits,
                EPSILON,
                EPSILON);
    }

    /** For each weight how far the truth is from the median over the interval's end, then the error over the truth. */
    private static <M, S extends Record> double[] ratios(
            FitMethod<M, S> method, Scaled scaled, double[] targets, double[] weights, long seed)
            throws BudgetExhausted {
        int n = targets.length;
        CalibratedPlan calibrated = SimulatedRun.calibrated(method.kernel(), method.model(), n, EPSILON);
        DenseBlock block = DenseBlock.of(n, weights.length, scaled.rows, targets);
        Posterior posterior = SimulatedRun.of(
                        method.kernel(),
                        method.model(),
                        block,
                        calibrated,
                        seed,
                        RandomStream.ofSeed(seed).fork("run"))
                .posterior();
        double[] ratios = new double[2 * weights.length];
        for (int j = 0; j < weights.length; j++) {
            double median = posterior.quantile(j, 0.5);
            double end = posterior.quantile(j, weights[j] < median ? 0.05 : 0.95);
            ratios[j] = (weights[j] - median) / (end - median);
            ratios[weights.length + j] = (median - weights[j]) / Math.abs(weights[j]);
        }
        return ratios;
    }

    /** Rows from 0 to 1. */
    private record Scaled(GlmTable table, double[] rows, DataShape shape, boolean halves) {
        static Scaled of(GlmTable table, String family, double[] target) {
            int d = table.design().size();
            double[] rows = table.x().clone();
            double squares = 0;
            for (int j = 0; j < d; j++) {
                GlmColumn column = table.design().columns().get(j);
                if (column.kind() == GlmColumn.Kind.NUMBER) {
                    for (int at = j; at < rows.length; at += d) {
                        rows[at] = (rows[at] - column.low()) / (column.high() - column.low());
                    }
                }
                squares += column.kind() == GlmColumn.Kind.LEVEL ? 0 : 1;
            }
            double norm = Math.sqrt(squares + table.design().factors().size());
            DataShape.Target kind = family.equals("bernoulli")
                    ? new DataShape.Target.Binary()
                    : new DataShape.Target.Numeric(target[0], target[1]);
            return new Scaled(
                    table,
                    rows,
                    new DataShape(table.design().names(), norm, kind, table.rows()),
                    family.equals("gaussian"));
        }

        /** Natural units as weights of the scaled columns; those of a number target are in halves of its range. */
        double[] weights(double[] natural) {
            double[] weights = natural.clone();
            for (int j = 1; j < weights.length; j++) {
                GlmColumn column = table.design().columns().get(j);
                if (column.kind() == GlmColumn.Kind.NUMBER) {
                    weights[j] *= column.high() - column.low();
                    weights[0] += natural[j] * column.low();
                }
            }
            if (halves) {
                DataShape.Target.Numeric target = shape.numberTarget().orElseThrow();
                double half = (target.high() - target.low()) / 2;
                weights[0] -= (target.high() + target.low()) / 2;
                for (int j = 0; j < weights.length; j++) {
                    weights[j] /= half;
                }
            }
            return weights;
        }
    }
}
