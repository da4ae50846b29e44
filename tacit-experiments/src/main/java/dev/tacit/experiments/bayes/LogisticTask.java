package dev.tacit.experiments.bayes;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.diagnostics.CalibrationCurve;
import dev.tacit.diagnostics.ClassificationScores;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.harness.CalibrationFigure;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.experiments.harness.ScoreTable;
import dev.tacit.experiments.objective.MinimumRelease;
import dev.tacit.experiments.objective.ObjectivePerturbation;
import dev.tacit.experiments.objective.PerturbedMinimum;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.report.plot.Series;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/** A table with a binary target, split into private training records and a public test table, and ways to fit it. */
public final class LogisticTask implements AutoCloseable {
    private static final double HARDLY_ANY_NOISE = 0.05;
    private static final int CURVE_BINS = 10;

    private final String label;
    private final double delta;
    private final PrivateDataset train;
    private final EncodedTable test;
    private final Path trainFile;
    private final Schema schema;
    private final LogisticRegression regression;
    private final CalibrationFigure calibration = new CalibrationFigure();
    private boolean detailed;

    /**
     * @param label what rows of the result call it
     * @param folder with train.csv and test.csv
     * @param schema of both
     */
    public LogisticTask(String label, Path folder, Schema schema, double delta, int threads) {
        this.label = label;
        this.delta = delta;
        this.train = Preparation.open(folder.resolve("train.csv"), schema, options(threads));
        this.trainFile = folder.resolve("train.csv");
        this.schema = schema;
        this.test = EncodedTable.read(folder.resolve("test.csv"), schema, true);
        FeatureEncoder encoder = FeatureEncoder.of(schema);
        double norm = encoder.largestNorm();
        this.regression = new LogisticRegression(encoder.names(), norm, 0.3 * norm * norm);
    }

    private static PreparationOptions options(int threads) {
        PreparationOptions standard = PreparationOptions.standard();
        return new PreparationOptions(
                standard.memoryBytes(),
                standard.spillFolder(),
                new ReadingOptions(threads, standard.reading().databaseBytes()));
    }

    /** From here on rows hold log-loss instead of log-likelihood, Brier score and the error of the paper's calibration curve. */
    public LogisticTask detailed() {
        detailed = true;
        return this;
    }

    public LogisticRegression regression() {
        return regression;
    }

    /** Calibration of what was fitted so far, if rows are detailed. */
    public CalibrationFigure calibration() {
        return calibration;
    }

    long publicSize() {
        return train.publicSize();
    }

    /** The residual Newton method without noise, to its end. */
    public List<ResultRow> notPrivate(String method, int rounds, LogisticRegression model) {
        ResidualNewton.Settings settings = ResidualNewton.Settings.standard();
        ResidualNewton kernel = new ResidualNewton(new ResidualNewton.Settings(
                rounds,
                settings.firstShare(),
                settings.squareWeight(),
                settings.residualClip(),
                settings.startScale(),
                settings.startRidge(),
                settings.ridge(),
                settings.momentum()));
        ReleasePlan plan = kernel.plan(model, train.publicSize());
        ScoreTable table = new ScoreTable();
        Posterior posterior = InferenceRun.once(
                        kernel,
                        model,
                        train.openNotPrivate(RunRequest.of(method, plan), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior();
        table.add(scores(method, label, posterior));
        return table.rows(method, label, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    /** A kernel with the least noise that keeps epsilon. */
    public <M, S extends Record> List<ResultRow> calibrated(
            String method,
            InferenceKernel<M, S> kernel,
            M model,
            double epsilon,
            int seeds,
            ExperimentListener listener) {
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(
                    kernel.plan(model, train.publicSize()),
                    new PrivacyBudget(epsilon, delta),
                    new ExactAccountant(),
                    train.unit().neighbours());
            return withNoise(
                    method,
                    "epsilon " + epsilon,
                    kernel,
                    model,
                    calibrated.noiseMultiplier(),
                    epsilon,
                    seeds,
                    listener);
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Several posteriors from the states of the same runs.
     *
     * @param noiseMultiplier as given, whatever it is claimed to spend; the least that keeps epsilon if empty
     */
    public <M, S extends Record> List<ResultRow> readings(
            InferenceKernel<M, S> kernel,
            M model,
            Map<String, Function<S, Posterior>> readings,
            OptionalDouble noiseMultiplier,
            double epsilon,
            int seeds,
            ExperimentListener listener) {
        CalibratedPlan calibrated;
        try {
            ReleasePlan plan = kernel.plan(model, train.publicSize());
            calibrated = noiseMultiplier.isPresent()
                    ? CalibratedPlan.withNoise(
                            plan,
                            noiseMultiplier.getAsDouble(),
                            delta,
                            new ExactAccountant(),
                            train.unit().neighbours())
                    : CalibratedPlan.of(
                            plan,
                            new PrivacyBudget(epsilon, delta),
                            new ExactAccountant(),
                            train.unit().neighbours());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
        Map<String, ScoreTable> tables = new LinkedHashMap<>();
        String setting = label + ", epsilon " + epsilon;
        for (int seed = 1; seed <= seeds; seed++) {
            S state = simulated(kernel.name(), kernel, model, calibrated, seed).state();
            readings.forEach((method, reading) -> tables.computeIfAbsent(method, unused -> new ScoreTable())
                    .add(scores(method, setting, reading.apply(state))));
            listener.partDone();
        }
        List<ResultRow> rows = new ArrayList<>();
        tables.forEach((method, table) -> rows.addAll(
                table.rows(method, setting, epsilon, calibrated.epsilon().upper())));
        return rows;
    }

    /** A kernel with noise as given, whatever it is claimed to spend. */
    <M, S extends Record> List<ResultRow> withNoise(
            String method,
            String setting,
            InferenceKernel<M, S> kernel,
            M model,
            double noiseMultiplier,
            double epsilonClaimed,
            int seeds,
            ExperimentListener listener) {
        CalibratedPlan calibrated = CalibratedPlan.withNoise(
                kernel.plan(model, train.publicSize()),
                noiseMultiplier,
                delta,
                accountant(noiseMultiplier),
                train.unit().neighbours());
        ScoreTable table = new ScoreTable();
        for (int seed = 1; seed <= seeds; seed++) {
            table.add(scores(method, label + ", " + setting, simulate(method, kernel, model, calibrated, seed)));
            listener.partDone();
        }
        return table.rows(
                method,
                label + ", " + setting,
                epsilonClaimed,
                calibrated.epsilon().upper());
    }

    /** Area under the curve along runs with noise as given, every few steps: the mean over seeds. */
    <M, S extends Record> List<Series.Point> aucAlong(
            InferenceKernel<M, S> kernel, M model, double noiseMultiplier, int steps, int every, int seeds) {
        ReleasePlan plan = kernel.plan(model, train.publicSize());
        PrivacyAccountant accountant = accountant(noiseMultiplier);
        CalibratedPlan calibrated = CalibratedPlan.withNoise(
                plan, noiseMultiplier, delta, accountant, train.unit().neighbours());
        double[] sums = new double[steps / every];
        for (int seed = 1; seed <= seeds; seed++) {
            PrivateSession session = open("along", calibrated, seed);
            RandomStream random = RandomStream.ofSeed(seed);
            S state = kernel.init(model, train.publicSize(), random.fork("init"));
            for (int step = 1; step <= steps; step++) {
                state = kernel.step(state, model, session, random.fork(step - 1L))
                        .state();
                if (step % every == 0) {
                    sums[step / every - 1] += scores("along", label, kernel.posterior(state, model))
                            .get("auc");
                }
            }
        }
        List<Series.Point> points = new ArrayList<>();
        for (int i = 0; i < sums.length; i++) {
            points.add(new Series.Point((i + 1) * (double) every, sums[i] / seeds));
        }
        return points;
    }

    /** Where there is hardly any noise, epsilon is so large that only its size matters. */
    private static PrivacyAccountant accountant(double noiseMultiplier) {
        return noiseMultiplier < HARDLY_ANY_NOISE ? new RenyiAccountant() : new ExactAccountant();
    }

    /** Objective perturbation; for tables in which every record is a unit. */
    List<ResultRow> objectivePerturbation(
            ObjectivePerturbation.Noise noise, double epsilon, int seeds, ExperimentListener listener) {
        PrivacyBudget budget = new PrivacyBudget(epsilon, delta);
        try {
            PerturbedMinimum request =
                    ObjectivePerturbation.calibrated(regression, noise, budget, new ExactAccountant());
            double holds = new ExactAccountant()
                    .epsilon(request.event(), delta, train.unit().neighbours())
                    .upper();
            EncodedTable rows = EncodedTable.read(trainFile, schema, true);
            RecordSource publicRows = new RecordsInMemory(rows.names().size(), true, rows.blocks(), null);
            ScoreTable table = new ScoreTable();
            for (int seed = 1; seed <= seeds; seed++) {
                double[] weights = new MinimumRelease(request, publicRows)
                        .make(
                                train.unit(),
                                train.publicSize(),
                                ledger(budget, request.event(), new ExactAccountant()),
                                ReplayNoise.ofSeed(seed))
                        .value();
                table.add(scores(noise.name(), label, ObjectivePerturbation.predictor(weights)));
                listener.partDone();
            }
            return table.rows(
                    noise == ObjectivePerturbation.Noise.GAMMA
                            ? "objective perturbation, Gamma noise"
                            : "objective perturbation, Gaussian noise",
                    label + ", epsilon " + epsilon,
                    epsilon,
                    holds);
        } catch (CalibrationException | BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    private InMemoryLedger ledger(PrivacyBudget budget, PrivacyEvent event, PrivacyAccountant accountant) {
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms = LedgerTerms.forPlan(train.unit(), budget, event, renyi::divergence);
        return new InMemoryLedger(terms, new LedgerAccounting(accountant, renyi::divergence));
    }

    private <M, S extends Record> Posterior simulate(
            String method, InferenceKernel<M, S> kernel, M model, CalibratedPlan calibrated, int seed) {
        return simulated(method, kernel, model, calibrated, seed).posterior();
    }

    private <M, S extends Record> InferenceRun.Result<S> simulated(
            String method, InferenceKernel<M, S> kernel, M model, CalibratedPlan calibrated, int seed) {
        return InferenceRun.once(kernel, model, open(method, calibrated, seed), RandomStream.ofSeed(seed));
    }

    private PrivateSession open(String method, CalibratedPlan calibrated, int seed) {
        PrivacyBudget budget =
                new PrivacyBudget(Math.max(1e-9, calibrated.epsilon().upper()), delta);
        try {
            return train.open(
                    RunRequest.of(method, calibrated.plan()),
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                    ledger(budget, calibrated.event(), accountant(calibrated.noiseMultiplier())),
                    ReplayNoise.ofSeed(seed));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, Double> scores(String method, String setting, Posterior posterior) {
        return scores(method, setting, regression.predictor(posterior));
    }

    private Map<String, Double> scores(String method, String setting, Predictor predictor) {
        int rows = Math.toIntExact(test.rows());
        double[] probabilities = new double[rows];
        double[] labels = new double[rows];
        int next = 0;
        for (var block : test.blocks()) {
            for (int row = 0; row < block.rows(); row++) {
                probabilities[next] = ((Prediction.Probability) predictor.predict(block, row)).probability();
                labels[next] = block.label(row);
                next++;
            }
        }
        ClassificationScores scores = ClassificationScores.of(probabilities, labels);
        Map<String, Double> byName = new LinkedHashMap<>();
        byName.put("accuracy", scores.accuracy());
        byName.put("auc", scores.auc());
        byName.put(detailed ? "logLoss" : "logLikelihood", detailed ? -scores.logLikelihood() : scores.logLikelihood());
        byName.put("ece", scores.ece());
        if (detailed) {
            byName.put("brier", scores.brier());
            CalibrationCurve curve = CalibrationCurve.of(probabilities, labels, CURVE_BINS);
            calibration.add(method, setting, curve);
            if (Double.isFinite(curve.rootMeanSquaredError())) {
                byName.put("curveRmse", curve.rootMeanSquaredError());
            }
        }
        return byName;
    }

    @Override
    public void close() {
        train.close();
    }
}
