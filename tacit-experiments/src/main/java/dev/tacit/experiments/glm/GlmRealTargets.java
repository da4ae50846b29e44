package dev.tacit.experiments.glm;

import dev.tacit.diagnostics.ClassificationScores;
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
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;

/**
 * How well private logistic regressions predict the real targets of published tables: area under the ROC curve on a fifth of the
 * rows that was held out, another one for each seed, beside the same kernel without noise on the same rows.
 */
public final class GlmRealTargets implements Experiment {
    private static final double EPSILON = 1;
    private static final int SEEDS = 5;

    /** A table and its target. */
    private record Case(String table, String target) {
        String label() {
            return table + " / " + target;
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("icu", "death"),
            new Case("adult14", "income"),
            new Case("diabetes", "readmit"),
            new Case("adult", "income"));

    @Override
    public String name() {
        return "glm-real-targets";
    }

    @Override
    public String about() {
        return "prediction of held-out rows by private regressions on published tables";
    }

    @Override
    public List<String> cases() {
        return CASES.stream().map(Case::label).toList();
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int seeds = options.seedsOr(SEEDS);
        List<Case> cases = options.chosen(CASES, Case::label);
        listener.started(cases.size() * seeds);
        List<ResultRow> rows = new ArrayList<>();
        for (Case one : cases) {
            GlmTable table = GlmTable.open(one.table, options.dataDirectory());
            CalibratedPlan calibrated = calibrated(table);
            List<Callable<double[]>> parts = new ArrayList<>();
            for (int seed = 1; seed <= seeds; seed++) {
                long split = seed;
                parts.add(() -> scores(table, table.targets().get(one.target), calibrated, split));
            }
            List<double[]> scores = new Parallel(options.threads(), listener).all(parts);
            rows.add(row(one, "not private", scores.stream().mapToDouble(pair -> pair[0]), Double.POSITIVE_INFINITY));
            rows.add(row(
                    one,
                    "epsilon 1",
                    scores.stream().mapToDouble(pair -> pair[1]),
                    calibrated.epsilon().upper()));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed",
                        "noise is replayed from seeds 1, 2, ...; nothing is tuned on the rows that are held out"),
                (System.nanoTime() - start) * 1e-9);
    }

    private static ResultRow row(Case one, String setting, DoubleStream values, double epsilon) {
        double[] all = values.toArray();
        double mean = Arrays.stream(all).average().orElseThrow();
        double squares =
                Arrays.stream(all).map(value -> (value - mean) * (value - mean)).sum();
        return new ResultRow(
                PrivateLikelihoodKernel.NAME,
                one.label() + ", " + setting,
                "AUC",
                OptionalDouble.empty(),
                mean,
                Math.sqrt(squares / Math.max(1, all.length - 1)),
                all.length,
                Double.isInfinite(epsilon) ? epsilon : EPSILON,
                epsilon);
    }

    private static GlmModel model(GlmTable table) {
        return new GlmModel(table.design(), GlmFamilies.named("bernoulli"), 0, 1, GlmPrior.standard());
    }

    private static CalibratedPlan calibrated(GlmTable table) {
        return SimulatedRun.calibrated(new PrivateLikelihoodKernel(), model(table), trainingRows(table), EPSILON);
    }

    private static int trainingRows(GlmTable table) {
        return table.rows() - table.rows() / 5;
    }

    /** The area under the ROC curve without and with noise. */
    private static double[] scores(GlmTable table, double[] y, CalibratedPlan calibrated, long seed)
            throws BudgetExhausted {
        int[] order = shuffled(table.rows(), RandomStream.ofSeed(seed).fork("split"));
        int train = trainingRows(table);
        Part training = Part.of(table, y, Arrays.copyOf(order, train));
        Part held = Part.of(table, y, Arrays.copyOfRange(order, train, order.length));
        double[] scores = new double[2];
        for (int noisy = 0; noisy < 2; noisy++) {
            double[] margins = new double[held.y.length];
            int d = table.design().size();
            LinearAlgebra.best()
                    .multiplyVector(
                            false,
                            held.y.length,
                            d,
                            1,
                            held.x,
                            Arrays.copyOf(fit(table, training, calibrated, noisy == 1, seed), d),
                            0,
                            margins);
            scores[noisy] = ClassificationScores.auc(margins, held.y);
        }
        return scores;
    }

    private static int[] shuffled(int size, RandomStream random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    private record Part(double[] x, double[] y) {
        static Part of(GlmTable table, double[] targets, int[] rows) {
            int d = table.design().size();
            double[] x = new double[rows.length * d];
            double[] y = new double[rows.length];
            for (int i = 0; i < rows.length; i++) {
                System.arraycopy(table.x(), rows[i] * d, x, i * d, d);
                y[i] = targets[rows[i]];
            }
            return new Part(x, y);
        }
    }

    private static double[] fit(GlmTable table, Part part, CalibratedPlan calibrated, boolean noisy, long seed)
            throws BudgetExhausted {
        DenseBlock block = DenseBlock.of(part.y.length, table.design().size(), part.x, part.y);
        RandomStream random = RandomStream.ofSeed(seed);
        InferenceRun.Result<PrivateLikelihoodKernel.State> run = noisy
                ? SimulatedRun.of(new PrivateLikelihoodKernel(), model(table), block, calibrated, seed, random)
                : SimulatedRun.withoutNoise(PrivateLikelihoodKernel.withoutNoise(), model(table), block, seed, random);
        return run.posterior().mean();
    }
}
