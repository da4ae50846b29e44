package dev.tacit.experiments.ep;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.catalogue.split.PublishedDraws;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Likelihood;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.network.MomentPropagation;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Ways to learn a regression, each on one split: scores of the test table, and the epsilon that holds. */
public final class NetworkRuns {
    static final double DELTA = 1e-5;

    private static final int EPOCHS = 40;

    /** Forty epochs of such steps lead as far as 600 steps of 0.2. */
    private static final double ONE_RECORD_STEP = 3;

    private static final long MANY_RECORDS = 30_000;

    /**
     * What one run gave.
     *
     * @param scores by name
     * @param epsilon an upper bound that holds; infinite if the run is not private
     */
    public record Outcome(Map<String, Double> scores, double epsilon) {}

    private final int hiddenUnits;
    private final int epochs;

    /** The noise of a plan, which is the same for every split. */
    private final Map<ReleasePlan, CalibratedPlan> calibrated = new ConcurrentHashMap<>();

    /**
     * @param hiddenUnits of the networks that are not private; private ones have their own default
     * @param quick fewer epochs, to see that it works
     */
    public NetworkRuns(int hiddenUnits, boolean quick) {
        this.hiddenUnits = hiddenUnits;
        this.epochs = quick ? 4 : EPOCHS;
    }

    /** Probabilistic backpropagation as published, on columns standardised exactly. */
    Outcome backpropagation(RegressionTask task, Method method, double l2Bound, long seed) {
        return outcome(task.standardised(), learned(task, method, l2Bound, seed));
    }

    private ProbabilisticBackpropagation learned(RegressionTask task, Method method, double l2Bound, long seed) {
        DenseBlock rows = task.standardised().rows();
        RandomStream random = RandomStream.ofSeed(seed);
        ProbabilisticBackpropagation learned = new ProbabilisticBackpropagation(
                shape(rows), method, Likelihood.GAUSSIAN, rows.rows(), l2Bound, random.fork("start"));
        RandomStream order = random.fork("order");
        for (int epoch = 0; epoch < epochs; epoch++) {
            learned.epoch(rows, order);
        }
        return learned;
    }

    /**
     * The same from the first weights and in the orders that the code of Vinaroz and Park 2022 draws: N(0, 1/columns) unit after
     * unit, then one permutation an epoch.
     *
     * @param seed that this code was run with
     */
    public ProbabilisticBackpropagation learnedAsPublished(DenseBlock rows, Method method, int seed) {
        NetworkShape shape = shape(rows);
        ProbabilisticBackpropagation learned = new ProbabilisticBackpropagation(
                shape, method, Likelihood.GAUSSIAN, rows.rows(), Double.POSITIVE_INFINITY, RandomStream.ofSeed(0));
        PublishedDraws draws = new PublishedDraws(seed);
        double[] start = new double[shape.size()];
        for (int layer = 0; layer < shape.layers(); layer++) {
            double deviation = 1 / Math.sqrt(shape.columns(layer));
            for (int unit = 0; unit < shape.units(layer); unit++) {
                for (int column = 0; column < shape.columns(layer); column++) {
                    start[shape.index(layer, unit, column)] = deviation * draws.normal();
                }
            }
        }
        learned.set(start, learned.variance());
        for (int epoch = 0; epoch < epochs; epoch++) {
            learned.epoch(rows, draws.permutation(rows.rows()));
        }
        return learned;
    }

    /** Scores of what was learned in such units. */
    public Outcome outcome(StandardisedRegression units, ProbabilisticBackpropagation learned) {
        return outcome(units, learned, Double.POSITIVE_INFINITY);
    }

    private Outcome outcome(StandardisedRegression units, ProbabilisticBackpropagation learned, double epsilon) {
        NetworkShape shape = shape(units.rows());
        Map<String, Double> scores = new LinkedHashMap<>(
                units.scores(predictor(shape, learned.mean(), learned.variance(), learned.noiseVariance())));
        scores.put(PublishedScores.NOISE_VARIANCE, learned.noiseVariance());
        return new Outcome(scores, epsilon);
    }

    private NetworkShape shape(DenseBlock rows) {
        return new NetworkShape(rows.columns(), List.of(hiddenUnits));
    }

    /** The private network as its published code runs: seeded by SEP on the same records, without noise. */
    Outcome publishedAsCoded(StandardisedRegression units, ProbabilisticBackpropagation plain, long seed) {
        DenseBlock rows = units.rows();
        PublishedNetwork published = new PublishedNetwork(shape(rows), epochs);
        return outcome(units, published.asCoded(rows, plain, RandomStream.ofSeed(seed)));
    }

    /** The same with its noise connected, from a public prior and on columns scaled by declared bounds. */
    Outcome publishedConnected(RegressionTask task, double noiseMultiplier, long seed) {
        DenseBlock rows = task.scaledByBounds().rows();
        PublishedNetwork published = new PublishedNetwork(shape(rows), epochs);
        return outcome(
                task.scaledByBounds(),
                published.connected(rows, noiseMultiplier, RandomStream.ofSeed(seed)),
                publishedEpsilon(noiseMultiplier / rows.rows(), epochs));
    }

    /**
     * Each record is visited once an epoch and replaced; nothing is gained from the order.
     *
     * @param noiseMultiplier of the distance between two sites, which is two bounds
     */
    static double publishedEpsilon(double noiseMultiplier, int epochs) {
        return new ExactAccountant()
                .epsilon(PrivacyEvent.gaussian(2 * noiseMultiplier).times(epochs), DELTA, Neighbours.REPLACE_ONE)
                .upper();
    }

    private static Predictor predictor(NetworkShape shape, double[] mean, double[] variance, double noise) {
        MomentPropagation network = new MomentPropagation(shape);
        return (block, row) -> {
            System.arraycopy(((DenseBlock) block).values(), row * shape.inputs(), network.input(), 0, shape.inputs());
            network.forward(mean, variance);
            return new Prediction.Numeric(network.outputMean(), Math.sqrt(network.outputVariance() + noise));
        };
    }

    /** Private stochastic EP with its defaults and some settings of one's own. */
    Outcome stochasticEp(RegressionTask task, Map<String, String> settings, double epsilon, long seed) {
        return catalogued(
                task, NeuralNetwork.NAME, MethodCatalogue.standardMethod(NeuralNetwork.NAME), settings, epsilon, seed);
    }

    /** The same with one record a step on average and as many steps as published, each as small as all of them allow. */
    Outcome oneRecordSteps(RegressionTask task, double epsilon, long seed) {
        long records = task.train().publicSize();
        Map<String, String> settings = Map.of(
                "sampling", "poisson:" + 1.0 / records,
                "steps", String.valueOf(records * epochs),
                "step", String.valueOf(ONE_RECORD_STEP / records));
        return stochasticEp(task, settings, epsilon, seed);
    }

    /** Private Bayesian linear regression by a method with its defaults. */
    Outcome linear(RegressionTask task, String method, double epsilon, long seed) {
        return catalogued(task, LinearRegression.NAME, method, Map.of(), epsilon, seed);
    }

    private Outcome catalogued(
            RegressionTask task, String model, String name, Map<String, String> settings, double epsilon, long seed) {
        FitMethod<?, ?> method = MethodCatalogue.find(
                model, name, task.shape(), new SettingValues(settings), epsilon < Double.POSITIVE_INFINITY);
        return run(task, method, epsilon, seed);
    }

    private <M, S extends Record> Outcome run(RegressionTask task, FitMethod<M, S> method, double epsilon, long seed) {
        return run(task, method.kernel(), method.model(), (PredictiveModel) method.use(), epsilon, seed);
    }

    /** Variational inference with fixed deviations, private or not. */
    Outcome variational(RegressionTask task, double epsilon, long seed) {
        return descent(task, 0.02, epsilon < Double.POSITIVE_INFINITY ? 1 : 20, 0.06, epsilon, seed);
    }

    /** Weights without uncertainty, by stochastic gradients. */
    Outcome point(RegressionTask task, double epsilon, long seed) {
        return descent(task, 1e-6, epsilon < Double.POSITIVE_INFINITY ? 1 : 20, 0.06, epsilon, seed);
    }

    private Outcome descent(
            RegressionTask task, double deviation, double l2Bound, double rate, double epsilon, long seed) {
        boolean many = task.train().publicSize() >= MANY_RECORDS;
        var target = task.shape().numberTarget().orElseThrow();
        NeuralNetwork model = NeuralNetwork.regression(
                task.shape().columns(), target.low(), target.high(), NeuralNetwork.Design.standard());
        NetworkDescent kernel = new NetworkDescent(new NetworkDescent.Settings(
                600, new SamplingScheme.PoissonSampling(many ? 0.02 : 0.05), l2Bound, deviation, rate, 0.03, 0.2));
        return run(task, kernel, model, model, epsilon, seed);
    }

    private <M, S extends Record> Outcome run(
            RegressionTask task,
            InferenceKernel<M, S> kernel,
            M model,
            PredictiveModel use,
            double epsilon,
            long seed) {
        PrivateDataset data = task.train();
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        RandomStream random = RandomStream.ofSeed(seed);
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        if (epsilon == Double.POSITIVE_INFINITY) {
            Posterior posterior = InferenceRun.once(
                            kernel, model, data.openNotPrivate(RunRequest.of("fit", plan), noise), random)
                    .posterior();
            return new Outcome(task.scores(use.predictor(posterior)), epsilon);
        }
        CalibratedPlan noisy = calibrated.computeIfAbsent(plan, unused -> calibrated(data, plan, epsilon));
        RenyiAccountant renyi = new RenyiAccountant();
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.forPlan(
                        data.unit(),
                        new PrivacyBudget(noisy.epsilon().upper(), DELTA),
                        noisy.event(),
                        renyi::divergence),
                new LedgerAccounting(new ExactAccountant(), renyi::divergence));
        try {
            Posterior posterior = InferenceRun.once(
                            kernel,
                            model,
                            data.open(
                                    RunRequest.of("fit", plan),
                                    new DiscreteGaussianMechanism(noisy.noiseMultiplier()),
                                    ledger,
                                    noise),
                            random)
                    .posterior();
            return new Outcome(
                    task.scores(use.predictor(posterior)), noisy.epsilon().upper());
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    private static CalibratedPlan calibrated(PrivateDataset data, ReleasePlan plan, double epsilon) {
        try {
            return CalibratedPlan.of(
                    plan,
                    new PrivacyBudget(epsilon, DELTA),
                    new ExactAccountant(),
                    data.unit().neighbours());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }
}
