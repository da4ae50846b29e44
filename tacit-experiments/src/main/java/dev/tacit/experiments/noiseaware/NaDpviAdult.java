package dev.tacit.experiments.noiseaware;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.experiments.bayes.LogisticTask;
import dev.tacit.experiments.bayes.VipsLogisticAdult;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.inference.vi.DpVariationalInference.Estimator;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.report.plot.LineChart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * Private logistic regression on Adult by gradients of the bound: is the posterior that knows about the noise better than
 * the last iterate, than an average of the trace, and than other methods?
 *
 * <p>Alrawajfeh, Jälkö, Honkela 2025, Figure 4 and Table 3, with the paper's columns and settings (10 000 steps, a tenth of
 * the records each, clip 11, weight 550, steps measured in noise). Differs from the paper: columns are scaled by declared
 * bounds, not by the data; rows with missing cells stay, as categories of their own; the expectation over q is a
 * quadrature, not ten draws; N is the declared size. The paper's noise is what its accountant, with its tolerance,
 * returned for epsilon; exact noise is the least that keeps it.
 */
public final class NaDpviAdult implements Experiment {
    private static final double DELTA = 1e-5;
    private static final double[] EPSILONS = {0.1, 0.3, 1};
    private static final double[] PUBLISHED_NOISE = {360, 117.5, 37.8125};
    private static final int SEEDS = 5;
    private static final Set<String> UNUSED = Set.of("education-num", "native-country", "relationship");

    private static final String PAPER_NOISE = "paper's settings and noise";
    private static final String EXACT_NOISE = "paper's settings, exact noise";
    private static final int STEPS = 10_000;
    private static final int QUICK_STEPS = 1000;
    private static final double RATE = 0.1;
    private static final double L2_BOUND = 11;
    private static final double SCALE_WEIGHT = 550;
    private static final double START_LINK = -6;

    private final List<Double> epsilons;

    public NaDpviAdult() {
        this(Arrays.stream(EPSILONS).boxed().toList());
    }

    /** For some of the paper's epsilons. */
    NaDpviAdult(List<Double> epsilons) {
        this.epsilons = List.copyOf(epsilons);
    }

    @Override
    public String name() {
        return "na-dpvi-adult";
    }

    @Override
    public String about() {
        return "private logistic regression on Adult: noise-aware, averaged and last gradients of the bound, aligned ones,"
                + " and residual Newton";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        Path prepared = options.workDirectory().resolve("adult");
        try {
            Catalogue.find("adult").prepare(options.dataDirectory(), prepared);
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        int seeds = options.seedsOr(SEEDS);
        listener.started(2 + epsilons.size() * 6 * seeds);
        List<ResultRow> rows = new ArrayList<>();
        List<LineChart> charts;
        Schema all = VipsLogisticAdult.schema(prepared.resolve("schema.yaml"));
        try (LogisticTask task =
                new LogisticTask("paper's columns", prepared, paperColumns(all), DELTA, options.threads()).detailed()) {
            rows.addAll(notPrivate(task, listener));
            for (int i = 0; i < EPSILONS.length; i++) {
                if (epsilons.contains(EPSILONS[i])) {
                    rows.addAll(ours(task, EPSILONS[i], seeds, listener));
                    rows.addAll(published(task, i, options.quick() ? QUICK_STEPS : STEPS, seeds, listener));
                }
            }
            charts = task.calibration().charts(List.of(PAPER_NOISE + ": ", EXACT_NOISE + ": "));
        }
        try (LogisticTask task = new LogisticTask("all columns", prepared, all, DELTA, options.threads()).detailed()) {
            rows.addAll(notPrivate(task, listener));
            for (double epsilon : epsilons) {
                rows.addAll(newton(task, epsilon, seeds, listener));
            }
        }
        return new ExperimentResult(
                name(), rows, remarks(rows, options.quick()), charts, (System.nanoTime() - start) * 1e-9);
    }

    private static Schema paperColumns(Schema schema) {
        return schema.withColumns(schema.columns().stream()
                .map(column -> UNUSED.contains(column.name())
                        ? (ColumnSchema) new ColumnSchema.IgnoredColumn(column.name())
                        : column)
                .toList());
    }

    private static List<ResultRow> notPrivate(LogisticTask task, ExperimentListener listener) {
        List<ResultRow> rows = task.notPrivate("not private", 50, task.regression());
        listener.partDone();
        return rows;
    }

    private static List<ResultRow> newton(LogisticTask task, double epsilon, int seeds, ExperimentListener listener) {
        return task.calibrated(
                "residual-newton",
                new ResidualNewton(ResidualNewton.Settings.standard()),
                task.regression(),
                epsilon,
                seeds,
                listener);
    }

    /** What `tacit fit` does by default, and the other readings of the same trace. */
    private static List<ResultRow> ours(LogisticTask task, double epsilon, int seeds, ExperimentListener listener) {
        List<ResultRow> rows = new ArrayList<>(newton(task, epsilon, seeds, listener));
        LogisticRegression model = task.regression();
        DpVariationalInference.Settings standard = DpVariationalInference.Settings.forRows(model.rowNormBound());
        DpVariationalInference kernel = new DpVariationalInference(standard);
        rows.addAll(task.readings(
                kernel, model, readings("dpvi", kernel, model), OptionalDouble.empty(), epsilon, seeds, listener));
        DpVariationalInference aligned = new DpVariationalInference(standard.with(Estimator.ALIGNED));
        Map<String, Function<DpVariationalInference.State, Posterior>> one = new LinkedHashMap<>();
        one.put("dpvi-m (aligned, average and trace variance)", state -> aligned.iterateAverage(state, model));
        rows.addAll(task.readings(aligned, model, one, OptionalDouble.empty(), epsilon, seeds, listener));
        return rows;
    }

    private static List<ResultRow> published(
            LogisticTask task, int place, int steps, int seeds, ExperimentListener listener) {
        LogisticRegression model = new LogisticRegression(
                task.regression().parameterNames(), task.regression().rowNormBound(), 1);
        DpVariationalInference kernel = new DpVariationalInference(new DpVariationalInference.Settings(
                steps,
                new PoissonSampling(RATE),
                L2_BOUND,
                1,
                SCALE_WEIGHT,
                SpecialFunctions.softplus(START_LINK),
                new GradientStep.NoiseScaled(Math.sqrt(2.0 * model.dimension())),
                0.2,
                Estimator.EXPECTATION,
                false));
        List<ResultRow> rows = new ArrayList<>();
        double epsilon = EPSILONS[place];
        rows.addAll(task.readings(
                kernel,
                model,
                readings(PAPER_NOISE, kernel, model),
                OptionalDouble.of(PUBLISHED_NOISE[place]),
                epsilon,
                seeds,
                listener));
        rows.addAll(task.readings(
                kernel, model, readings(EXACT_NOISE, kernel, model), OptionalDouble.empty(), epsilon, seeds, listener));
        return rows;
    }

    /** Four posteriors from one trace. */
    private static Map<String, Function<DpVariationalInference.State, Posterior>> readings(
            String method, DpVariationalInference kernel, LogisticRegression model) {
        Map<String, Function<DpVariationalInference.State, Posterior>> readings = new LinkedHashMap<>();
        readings.put(method + ": noise-aware", state -> kernel.posterior(state, model));
        readings.put(method + ": average and trace variance", state -> kernel.iterateAverage(state, model));
        readings.put(method + ": average", state -> plugIn(kernel.iterateAverage(state, model)));
        readings.put(method + ": last iterate", state -> plugIn(kernel.lastIterate(state, model)));
        return readings;
    }

    /** A point in place of a distribution. */
    private static Posterior plugIn(Posterior posterior) {
        double[] variances = new double[posterior.dimension()];
        Arrays.fill(variances, 1e-12);
        return new DiagonalGaussianPosterior(posterior.parameterNames(), posterior.mean(), variances);
    }

    private static List<String> remarks(List<ResultRow> rows, boolean quick) {
        List<String> remarks = new ArrayList<>();
        for (double epsilon : EPSILONS) {
            String at = "epsilon " + epsilon;
            ResultRow best = null;
            for (ResultRow row : rows) {
                boolean candidate = row.metric().equals("logLoss")
                        && row.setting().startsWith("paper's columns")
                        && row.setting().endsWith(at);
                if (candidate && (best == null || row.ours() < best.ours())) {
                    best = row;
                }
            }
            if (best != null) {
                remarks.add(String.format(
                        Locale.ROOT, "%s: the least log-loss, %.4f, is that of %s", at, best.ours(), best.method()));
            }
        }
        remarks.add("epsilon holds = upper bound of the exact accountant for the code that ran, delta 1e-5, one record"
                + " added or removed");
        remarks.add("noise is replayed from seeds 1, 2, ...; no setting was tuned on the test split");
        if (quick) {
            remarks.add("quick: " + QUICK_STEPS + " steps where the paper takes " + STEPS
                    + ", with the paper's noise for all of them");
        }
        return remarks;
    }
}
