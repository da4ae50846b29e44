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
import dev.tacit.glm.PrivateLikelihood;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.glm.family.BernoulliLink;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Private mixed models: prediction and standard deviation of groups on real targets beside the same model without privacy,
 * and coverage of effects on simulated ones.
 *
 * <p>Private variational inference has levels of the groups as columns; its better way to scale rows counts.
 *
 * <p>Real: diabetes130, any readmission, {@code (1 | medical_specialty)}, every fifth patient held out, each fold twice; Adult
 * with {@code (1 | occupation)}, official split, ten seeds. Simulated: real rows of diabetes130, coefficients at the mode of the
 * real targets with another intercept, group effects drawn anew for each table.
 */
public final class GlmGroups implements Experiment {
    private static final double QUANTILE = 1.6448536269514722;
    private static final int FOLDS = 5;
    private static final int LARGE = 100;

    /** A simulation: its intercept's shift, the deviation of groups, epsilon. */
    record Simulation(double shift, double groupDeviation, double epsilon, int tables) {
        String label() {
            return "diabetes130 simulated, intercept " + (shift == 0 ? "as it is" : "+" + shift) + ", group sd "
                    + groupDeviation + ", epsilon " + epsilon;
        }
    }

    private static final List<Simulation> SIMULATIONS = List.of(
            new Simulation(2.1, 0.35, 1, 24),
            new Simulation(0, 0.35, 1, 24),
            new Simulation(2.1, 0.35, 0.3, 24),
            new Simulation(2.1, 0.1, 1, 24));

    @Override
    public String name() {
        return "glm-groups";
    }

    @Override
    public String about() {
        return "private mixed models: prediction, group standard deviation and coverage of effects";
    }

    /** A table with real targets at an epsilon. */
    private record Real(String table, double epsilon) {
        String label() {
            return table + ", real targets, epsilon " + epsilon;
        }
    }

    private static final List<Real> REAL = List.of(
            new Real("adult", 1), new Real("diabetes130", 1), new Real("adult", 0.3), new Real("diabetes130", 0.3));

    @Override
    public List<String> cases() {
        return Stream.concat(
                        REAL.stream().map(Real::label), SIMULATIONS.stream().map(Simulation::label))
                .toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        List<ResultRow> rows = new ArrayList<>();
        int seeds = options.seedsOr(2 * FOLDS);
        List<Real> reals = options.chosen(REAL, Real::label);
        List<Simulation> simulations =
                options.quick() && options.only().isEmpty() ? List.of() : options.named(SIMULATIONS, Simulation::label);
        listener.started(reals.size() * seeds
                + simulations.stream()
                        .mapToInt(one -> options.seedsOr(one.tables))
                        .sum());
        for (Real one : reals) {
            rows.addAll(real(one, options.dataDirectory(), seeds, options.threads(), listener));
        }
        for (Simulation one : simulations) {
            rows.addAll(
                    simulated(one, options.dataDirectory(), options.seedsOr(one.tables), options.threads(), listener));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed",
                        "group sd = median of its posterior; not private = Laplace approximation, same prior, same rows"),
                (System.nanoTime() - start) / 1e9);
    }

    private static CalibratedPlan calibrated(GlmModel model, int rows, double epsilon) {
        return SimulatedRun.calibrated(new PrivateLikelihoodKernel(), model, rows, epsilon);
    }

    private static PrivateLikelihood.Result fit(
            GlmModel model, CalibratedPlan calibrated, double[] x, double[] y, long seed) throws BudgetExhausted {
        DenseBlock block = DenseBlock.of(y.length, model.design().rowLength(), x, y);
        return SimulatedRun.of(
                        new PrivateLikelihoodKernel(),
                        model,
                        block,
                        calibrated,
                        seed,
                        RandomStream.ofSeed(seed).fork("run"))
                .state()
                .likelihood()
                .posterior(GlmPrior.standard());
    }

    // ---- real targets ----------------------------------------------------------------------------------------------

    /** Log-loss and deviation of groups, private and not. */
    private record Scores(
            double logLoss,
            double groupDeviation,
            double plainLogLoss,
            double plainGroupDeviation,
            double variational,
            double variationalUnitRows) {}

    private static List<ResultRow> real(Real one, Path data, int seeds, int threads, ExperimentListener listener) {
        GroupTable table = GroupTable.open(one.table, data);
        GlmModel model =
                new GlmModel(table.design(), new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, GlmPrior.standard());
        List<Callable<Scores>> parts = new ArrayList<>();
        double[] epsilon = new double[1];
        for (int seed = 0; seed < seeds; seed++) {
            int fold = seed % FOLDS;
            long noise = 40_001L + seed;
            IntPredicate heldOut = table.training() > 0 ? row -> row >= table.training() : row -> row % FOLDS == fold;
            Rows training = Rows.of(table, heldOut.negate());
            Rows test = Rows.of(table, heldOut);
            CalibratedPlan calibrated = calibrated(model, training.y.length, one.epsilon);
            epsilon[0] = calibrated.epsilon().upper();
            parts.add(() -> scores(one.epsilon, model, calibrated, training, test, noise));
        }
        List<Scores> scores = new Parallel(threads, listener).all(parts);
        List<ResultRow> rows = new ArrayList<>();
        String setting = one.table + ", (1 | " + table.design().groups().get(0).name() + "), epsilon " + one.epsilon;
        double holds = epsilon[0];
        rows.add(row("private", setting, "log-loss", scores.stream().mapToDouble(Scores::logLoss), one.epsilon, holds));
        rows.add(row("not private", setting, "log-loss", scores.stream().mapToDouble(Scores::plainLogLoss), 0, 0));
        rows.add(row(
                "private",
                setting,
                "group sd",
                scores.stream().mapToDouble(Scores::groupDeviation),
                one.epsilon,
                holds));
        rows.add(row(
                "dpvi",
                setting,
                "log-loss",
                scores.stream().mapToDouble(Scores::variational),
                one.epsilon,
                one.epsilon));
        rows.add(row(
                "dpvi, rows of length 1",
                setting,
                "log-loss",
                scores.stream().mapToDouble(Scores::variationalUnitRows),
                one.epsilon,
                one.epsilon));
        double[] deviations =
                scores.stream().mapToDouble(Scores::groupDeviation).sorted().toArray();
        rows.add(row("private", setting, "group sd, least", DoubleStream.of(deviations[0]), one.epsilon, holds));
        rows.add(row(
                "private", setting, "group sd, largest", DoubleStream.of(deviations[seeds - 1]), one.epsilon, holds));
        rows.add(row(
                "not private", setting, "group sd", scores.stream().mapToDouble(Scores::plainGroupDeviation), 0, 0));
        return rows;
    }

    private static ResultRow row(
            String method, String setting, String metric, DoubleStream values, double claimed, double holds) {
        double[] all = values.toArray();
        double mean = Arrays.stream(all).average().orElseThrow();
        double squares =
                Arrays.stream(all).map(value -> (value - mean) * (value - mean)).sum();
        double unbounded = Double.POSITIVE_INFINITY;
        return new ResultRow(
                method,
                setting,
                metric,
                OptionalDouble.empty(),
                mean,
                Math.sqrt(squares / Math.max(1, all.length - 1)),
                all.length,
                claimed == 0 ? unbounded : claimed,
                holds == 0 ? unbounded : holds);
    }

    /** Some rows of a table. */
    private record Rows(double[] x, double[] y, int[] groups) {
        static Rows of(GroupTable table, IntPredicate kept) {
            int width = table.design().rowLength();
            int[] rows = java.util.stream.IntStream.range(0, table.rows())
                    .filter(kept)
                    .toArray();
            double[] x = new double[rows.length * width];
            double[] y = new double[rows.length];
            int[] groups = new int[rows.length];
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(table.x(), rows[i] * width, x, i * width, width);
                y[i] = table.y()[rows[i]];
                groups[i] = table.groupOf(rows[i]);
            }
            return new Rows(x, y, groups);
        }

        /** With a column for each level of the groups behind the others. */
        DenseBlock withLevels(GlmDesign wide) {
            int d = wide.size();
            int width = x.length / y.length;
            double[] all = new double[y.length * d];
            for (int r = 0; r < y.length; r++) {
                System.arraycopy(x, r * width, all, r * d, width - 1);
                all[r * d + width - 1 + groups[r]] = 1;
            }
            return DenseBlock.of(y.length, d, all, y);
        }
    }

    private static Scores scores(
            double epsilon, GlmModel model, CalibratedPlan calibrated, Rows training, Rows test, long seed)
            throws BudgetExhausted {
        Posterior posterior =
                fit(model, calibrated, training.x, training.y, seed).posterior();
        Predictor predictor = model.predictor(posterior);
        DenseBlock block = DenseBlock.of(test.y.length, model.design().rowLength(), test.x, test.y);
        double sum = 0;
        for (int r = 0; r < test.y.length; r++) {
            double p = ((Prediction.Probability) predictor.predict(block, r)).probability();
            sum -= Math.log(test.y[r] == 1 ? p : 1 - p);
        }
        Standardised rows = new Standardised(model.design(), training.x);
        PlainMixedModel plain = rows.model(training.x, training.groups);
        PlainMixedModel.Fit fitted = plain.fit(training.y);
        double[] eta = rows.model(test.x, test.groups).predictors(fitted.mean());
        double plainSum = 0;
        for (int r = 0; r < test.y.length; r++) {
            plainSum -= SpecialFunctions.logSigmoid(test.y[r] == 1 ? eta[r] : -eta[r]);
        }
        return new Scores(
                sum / test.y.length,
                posterior.quantile(posterior.dimension() - 1, 0.5),
                plainSum / test.y.length,
                fitted.groupDeviation(),
                variational(training, test, model.design(), false, epsilon, seed),
                variational(training, test, model.design(), true, epsilon, seed));
    }

    /** Log-loss with levels of the groups as columns. */
    private static double variational(
            Rows training, Rows test, GlmDesign design, boolean unitRows, double epsilon, long seed)
            throws BudgetExhausted {
        List<GlmColumn> columns = new ArrayList<>(design.columns());
        int factor = design.factors().size();
        for (String level : design.groups().get(0).levels()) {
            columns.add(GlmColumn.level(design.groups().get(0).name() + "=" + level, factor));
        }
        GlmDesign wide = GlmDesign.of(columns);
        return -new ScaledVariational(wide)
                .logLikelihood(training.withLevels(wide), test.withLevels(wide), unitRows, epsilon, seed);
    }

    /** Columns standardised by the mean and deviation of some rows. */
    private static final class Standardised {
        private final GlmDesign design;
        private final double[] mean;
        private final double[] deviation;

        Standardised(GlmDesign design, double[] x) {
            this.design = design;
            int d = design.size();
            int width = design.rowLength();
            int n = x.length / width;
            this.mean = new double[d];
            this.deviation = new double[d];
            Arrays.fill(deviation, 1);
            for (int j = 0; j < d; j++) {
                if (!GroupTable.isNumber(design.columns().get(j))) {
                    continue;
                }
                for (int r = 0; r < n; r++) {
                    mean[j] += x[r * width + j] / n;
                }
                double squares = 0;
                for (int r = 0; r < n; r++) {
                    squares += Math.pow(x[r * width + j] - mean[j], 2);
                }
                deviation[j] = Math.sqrt(squares / n);
            }
        }

        PlainMixedModel model(double[] x, int[] groups) {
            int d = design.size();
            int width = design.rowLength();
            double[] z = new double[groups.length * d];
            for (int r = 0; r < groups.length; r++) {
                for (int j = 0; j < d; j++) {
                    z[r * d + j] = (x[r * width + j] - mean[j]) / deviation[j];
                }
            }
            return new PlainMixedModel(
                    z, groups, d, design.groups().get(0).levels().size());
        }

        /** Error and standard deviation of coefficients on standardised columns, then of group effects. */
        double[][] compared(PrivateLikelihood.Result result, double[] truth) {
            int d = design.size();
            double[] natural = result.linear().mean();
            double[] covariance = result.linear().covariance();
            int all = natural.length;
            int groups = design.groups().get(0).levels().size();
            double[] error = new double[d + groups];
            double[] spread = new double[d + groups];
            double intercept = 0;
            double variance = 0;
            for (int i = 0; i < d; i++) {
                double factor = i == 0 ? 1 : mean[i];
                intercept += factor * natural[i];
                for (int j = 0; j < d; j++) {
                    variance += factor * (j == 0 ? 1 : mean[j]) * covariance[i * all + j];
                }
                error[i] = natural[i] * deviation[i] - truth[i];
                spread[i] = deviation[i] * Math.sqrt(covariance[i * all + i]);
            }
            error[0] = intercept - truth[0];
            spread[0] = Math.sqrt(variance);
            for (int i = d; i < d + groups; i++) {
                error[i] = natural[i] - truth[i];
                spread[i] = Math.sqrt(covariance[i * all + i]);
            }
            return new double[][] {error, spread};
        }
    }

    // ---- simulated targets -----------------------------------------------------------------------------------------

    /** Coverage of one table's fit, private and not. */
    private record Covered(
            double columns,
            double groups,
            double large,
            double squaredError,
            double width,
            double groupDeviation,
            double deviationHeld,
            double plainColumns,
            double plainGroups,
            double plainGroupDeviation) {}

    private static List<ResultRow> simulated(
            Simulation one, Path data, int tables, int threads, ExperimentListener listener) {
        GroupTable table = GroupTable.open("simulated", data);
        GlmModel model =
                new GlmModel(table.design(), new BernoulliLink(BernoulliLink.Link.LOGIT), 0, 0, GlmPrior.standard());
        Rows rows = Rows.of(table, row -> true);
        Standardised standardised = new Standardised(table.design(), rows.x);
        PlainMixedModel plain = standardised.model(rows.x, rows.groups);
        int d = table.design().size();
        int[] none = new int[rows.groups.length];
        double[] mode =
                Arrays.copyOf(standardised.model(rows.x, none).fit(rows.y).mean(), d);
        mode[0] += one.shift;
        CalibratedPlan calibrated = calibrated(model, rows.y.length, one.epsilon);
        List<Callable<Covered>> parts = new ArrayList<>();
        for (int k = 0; k < tables; k++) {
            long seed = 50_001L + k;
            parts.add(() -> covered(one, model, calibrated, rows, standardised, plain, mode, seed));
        }
        List<Covered> all = new Parallel(threads, listener).all(parts);
        double holds = calibrated.epsilon().upper();
        List<ResultRow> result = new ArrayList<>();
        String setting = one.label();
        result.add(row(
                "private", setting, "cov90 columns", all.stream().mapToDouble(Covered::columns), one.epsilon, holds));
        result.add(row("not private", setting, "cov90 columns", all.stream().mapToDouble(Covered::plainColumns), 0, 0));
        result.add(
                row("private", setting, "cov90 groups", all.stream().mapToDouble(Covered::groups), one.epsilon, holds));
        result.add(row("not private", setting, "cov90 groups", all.stream().mapToDouble(Covered::plainGroups), 0, 0));
        result.add(row(
                "private",
                setting,
                "cov90 groups from 100 records",
                all.stream().mapToDouble(Covered::large),
                one.epsilon,
                holds));
        result.add(row(
                "private",
                setting,
                "mse of groups from 100 records",
                all.stream().mapToDouble(Covered::squaredError),
                one.epsilon,
                holds));
        result.add(row(
                "private",
                setting,
                "width of columns over non-private",
                all.stream().mapToDouble(Covered::width),
                one.epsilon,
                holds));
        result.add(row(
                "private", setting, "group sd", all.stream().mapToDouble(Covered::groupDeviation), one.epsilon, holds));
        result.add(
                row("not private", setting, "group sd", all.stream().mapToDouble(Covered::plainGroupDeviation), 0, 0));
        result.add(row(
                "private",
                setting,
                "90 % interval of the group sd holds",
                all.stream().mapToDouble(Covered::deviationHeld),
                one.epsilon,
                holds));
        return result;
    }

    private static Covered covered(
            Simulation one,
            GlmModel model,
            CalibratedPlan calibrated,
            Rows rows,
            Standardised standardised,
            PlainMixedModel plain,
            double[] mode,
            long seed)
            throws BudgetExhausted {
        RandomStream random = RandomStream.ofSeed(seed);
        int d = mode.length;
        int levels = model.design().groups().get(0).levels().size();
        double[] truth = Arrays.copyOf(mode, d + levels);
        int[] counts = new int[levels];
        for (int g = 0; g < levels; g++) {
            truth[d + g] = one.groupDeviation * random.normal();
        }
        double[] eta = plain.predictors(truth);
        double[] y = new double[eta.length];
        for (int r = 0; r < y.length; r++) {
            y[r] = random.uniform() < SpecialFunctions.sigmoid(eta[r]) ? 1 : 0;
            counts[rows.groups[r]]++;
        }
        PrivateLikelihood.Result result = fit(model, calibrated, rows.x, y, seed);
        double[][] compared = standardised.compared(result, truth);
        PlainMixedModel.Fit fitted = plain.fit(y);
        double[] plainError = new double[d + levels];
        double width = 0;
        for (int i = 0; i < plainError.length; i++) {
            plainError[i] = fitted.mean()[i] - truth[i];
            width += i < d ? Math.log(compared[1][i] / fitted.deviation()[i]) / d : 0;
        }
        Posterior posterior = result.posterior();
        int last = posterior.dimension() - 1;
        boolean held = posterior.quantile(last, 0.05) <= one.groupDeviation
                && one.groupDeviation <= posterior.quantile(last, 0.95);
        double squares = 0;
        int large = 0;
        for (int g = 0; g < levels; g++) {
            if (counts[g] >= LARGE) {
                squares += Math.pow(compared[0][d + g], 2);
                large++;
            }
        }
        return new Covered(
                share(compared[0], compared[1], i -> i < d),
                share(compared[0], compared[1], i -> i >= d),
                share(compared[0], compared[1], i -> i >= d && counts[i - d] >= LARGE),
                squares / large,
                Math.exp(width),
                posterior.quantile(last, 0.5),
                held ? 1 : 0,
                share(plainError, fitted.deviation(), i -> i < d),
                share(plainError, fitted.deviation(), i -> i >= d),
                fitted.groupDeviation());
    }

    private static double share(double[] errors, double[] deviations, IntPredicate which) {
        int held = 0;
        int all = 0;
        for (int i = 0; i < errors.length; i++) {
            if (which.test(i)) {
                all++;
                held += Math.abs(errors[i]) <= QUANTILE * deviations[i] ? 1 : 0;
            }
        }
        return (double) held / all;
    }
}
