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
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.apache.commons.numbers.gamma.LogGamma;

/**
 * Log-likelihood of real targets on held-out rows, in nats for each record: what privacy costs, and private variational inference
 * on the same rows.
 *
 * <p>A fifth of the rows is held out, another one for each seed. The fit without privacy is the same kernel without noise.
 * Variational inference has its defaults on columns scaled to [−1, 1] by their bounds, with rows as they are and with rows of length 1.
 */
public final class GlmHeldOut implements Experiment {
    private static final int SEEDS = 5;
    private static final GaussHermite RULE = GaussHermite.of(15);
    private static final String PLAIN = "not private";

    /** About as narrow as the standard prior of variational inference. */
    private static final String NARROW = "b ~ normal(0, 0.3)";

    private static final String VARIATIONAL = "dpvi";
    private static final String UNIT_ROWS = "dpvi, rows of length 1";

    /** A table, its target, a family, and what else is fitted. */
    record Case(String table, String target, String family, double high, double epsilon, boolean variational) {
        String label() {
            return table + " / " + target + ", " + family + ", epsilon " + epsilon;
        }
    }

    static final List<Case> CASES = List.of(
            new Case("diabetes", "meds", "negative-binomial", 100, 1, false),
            new Case("diabetes", "sooner", "ordinal:3", 2, 1, false),
            new Case("icu", "death", "bernoulli", 1, 0.3, true),
            new Case("adult14", "income", "bernoulli", 1, 0.3, true),
            new Case("diabetes", "readmit", "bernoulli", 1, 0.3, true));

    @Override
    public String name() {
        return "glm-held-out";
    }

    @Override
    public String about() {
        return "log-likelihood of held-out rows under private regressions, beside no privacy and private variational inference";
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
            List<Callable<Map<String, Double>>> parts = new ArrayList<>();
            for (int seed = 1; seed <= seeds; seed++) {
                long split = seed;
                parts.add(() -> scores(one, table, split));
            }
            rows.addAll(rows(one, new Parallel(options.threads(), listener).all(parts)));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "delta 1e-5, one record added or removed; noise is replayed from seeds 1, 2, ...",
                        "private minus other = mean over the same held-out rows, positive where private-likelihood is better"),
                (System.nanoTime() - start) * 1e-9);
    }

    private static List<ResultRow> rows(Case one, List<Map<String, Double>> scores) {
        List<ResultRow> rows = new ArrayList<>();
        for (String method : scores.get(0).keySet()) {
            double[] own = scores.stream().mapToDouble(all -> all.get(method)).toArray();
            rows.add(row(one, method, "log-likelihood", own));
            if (!method.equals(PrivateLikelihoodKernel.NAME)) {
                double[] ahead = scores.stream()
                        .mapToDouble(all -> all.get(PrivateLikelihoodKernel.NAME) - all.get(method))
                        .toArray();
                rows.add(row(one, PrivateLikelihoodKernel.NAME, "private minus " + method, ahead));
                rows.add(row(one, PrivateLikelihoodKernel.NAME, "private minus " + method + ", least", new double[] {
                    Arrays.stream(ahead).min().orElseThrow()
                }));
            }
        }
        return rows;
    }

    private static ResultRow row(Case one, String method, String metric, double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double epsilon = method.equals(PLAIN) ? Double.POSITIVE_INFINITY : one.epsilon;
        return new ResultRow(
                method,
                one.label(),
                metric,
                OptionalDouble.empty(),
                mean,
                Math.sqrt(squares / Math.max(1, values.length - 1)),
                values.length,
                epsilon,
                epsilon);
    }

    /** The mean log-likelihood of the held-out rows under each method. */
    static Map<String, Double> scores(Case one, GlmTable table, long seed) throws BudgetExhausted {
        double[] y = table.targets().get(one.target);
        int[] order = order(table.rows(), RandomStream.ofSeed(seed).fork("split"));
        int train = table.rows() - table.rows() / 5;
        int d = table.design().size();
        DenseBlock training = block(table.x(), d, y, Arrays.copyOf(order, train));
        DenseBlock held = block(table.x(), d, y, Arrays.copyOfRange(order, train, order.length));
        GlmModel model = new GlmModel(table.design(), GlmFamilies.named(one.family), 0, one.high, GlmPrior.standard());
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        CalibratedPlan calibrated = SimulatedRun.calibrated(kernel, model, train, one.epsilon);
        Map<String, Double> scores = new LinkedHashMap<>();
        InferenceRun.Result<PrivateLikelihoodKernel.State> run =
                SimulatedRun.of(kernel, model, training, calibrated, seed, RandomStream.ofSeed(seed));
        scores.put(PrivateLikelihoodKernel.NAME, score(one, model, run.posterior(), held));
        scores.put(
                PLAIN,
                score(
                        one,
                        model,
                        SimulatedRun.withoutNoise(
                                        PrivateLikelihoodKernel.withoutNoise(),
                                        model,
                                        training,
                                        seed,
                                        RandomStream.ofSeed(seed))
                                .posterior(),
                        held));
        if (one.variational) {
            Posterior narrow =
                    run.state().likelihood().posterior(GlmPrior.parse(NARROW)).posterior();
            scores.put(PrivateLikelihoodKernel.NAME + ", prior " + NARROW, score(one, model, narrow, held));
            ScaledVariational variational = new ScaledVariational(table.design());
            scores.put(VARIATIONAL, variational.logLikelihood(training, held, false, one.epsilon, seed));
            scores.put(UNIT_ROWS, variational.logLikelihood(training, held, true, one.epsilon, seed));
        }
        return scores;
    }

    private static int[] order(int size, RandomStream random) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    private static DenseBlock block(double[] x, int d, double[] y, int[] rows) {
        double[] chosen = new double[rows.length * d];
        double[] labels = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(x, rows[i] * d, chosen, i * d, d);
            labels[i] = y[rows[i]];
        }
        return DenseBlock.of(rows.length, d, chosen, labels);
    }

    private static double score(Case one, GlmModel model, Posterior posterior, DenseBlock held) {
        if (one.family.equals("negative-binomial")) {
            return counts((GaussianPosterior) posterior, model.design().size(), held);
        }
        return ScaledVariational.classes(model.predictor(posterior), held);
    }

    /** Negative binomial counts, averaged over the posterior of the predictor, with the posterior's mean of the dispersion. */
    private static double counts(GaussianPosterior posterior, int d, DenseBlock held) {
        double[] mean = posterior.mean();
        double[] covariance = posterior.covariance();
        int all = mean.length;
        double[] x = held.values();
        double size = Math.exp(mean[d]);
        double total = 0;
        for (int r = 0; r < held.rows(); r++) {
            double eta = 0;
            double variance = 0;
            for (int i = 0; i < d; i++) {
                eta += x[held.start(r) + i] * mean[i];
                for (int j = 0; j < d; j++) {
                    variance += x[held.start(r) + i] * x[held.start(r) + j] * covariance[i * all + j];
                }
            }
            double y = held.label(r);
            double average = 0;
            for (int k = 0; k < RULE.size(); k++) {
                double mu = Math.exp(eta + Math.sqrt(variance) * RULE.node(k));
                average += RULE.weight(k)
                        * Math.exp(LogGamma.value(y + size)
                                - LogGamma.value(size)
                                - LogGamma.value(y + 1)
                                + size * Math.log(size / (size + mu))
                                + y * Math.log(mu / (size + mu)));
            }
            total += Math.log(average);
        }
        return total / held.rows();
    }
}
