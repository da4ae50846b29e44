package dev.tacit.run.method;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.inference.bayes.ResidualVariationalBayes;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.inference.noiseaware.ModelImpliedField;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.model.conjugate.GammaExponential;
import dev.tacit.model.mixture.GaussianMixture;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.PolyaGammaLogistic;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.SoftmaxRegression;
import dev.tacit.model.topics.GammaDenoiser;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.WordWeight;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The models and methods that a name stands for. */
public final class MethodCatalogue {
    /** A model with the method that is taken if none is named. */
    public record Entry(String model, String method, boolean standard, String about) {}

    /** More releases than any budget is worth. */
    static final int MOST_STEPS = 1_000_000;

    /** More components, topics or hidden units than a machine has room for. */
    static final int MOST_PARTS = 100_000;

    private static final String POISSON = "poisson:";
    private static final String RESIDUAL_NEWTON = "residual-newton";
    private static final String PRIVATE_VB = "private-vb";
    private static final String GRADIENTS =
            "noisy gradients of the bound, and a posterior that knows about the noise in their trace";

    private static final String LIKELIHOOD =
            "a formula's columns in natural units: sums that are a likelihood for any prior, with intervals that hold";

    private static final List<Entry> ENTRIES = List.of(
            new Entry(LogisticRegression.NAME, PrivateLikelihoodKernel.NAME, true, LIKELIHOOD),
            new Entry(LinearRegression.NAME, PrivateLikelihoodKernel.NAME, true, LIKELIHOOD),
            new Entry(PoissonRegression.NAME, PrivateLikelihoodKernel.NAME, true, "counts; " + LIKELIHOOD),
            new Entry(ProbitRegression.NAME, PrivateLikelihoodKernel.NAME, true, LIKELIHOOD),
            new Entry(
                    LogisticRegression.NAME,
                    RESIDUAL_NEWTON,
                    false,
                    "one release of curvature, then a few of residual sums, on rows scaled to a bounded norm"),
            new Entry(
                    LogisticRegression.NAME,
                    PRIVATE_VB,
                    false,
                    "variational Bayes by Pólya-Gamma variables, statistics released at every step"),
            new Entry(LogisticRegression.NAME, DpVariationalInference.NAME, false, GRADIENTS),
            new Entry(
                    LinearRegression.NAME,
                    FixedPrecisionStochasticEp.NAME,
                    false,
                    "private expectation propagation with unknown noise, sites released at every step"),
            new Entry(
                    LinearRegression.NAME,
                    PRIVATE_VB,
                    false,
                    "variational Bayes with unknown noise, from one release of all statistics"),
            new Entry(
                    SigmoidBeliefNetwork.NAME,
                    ResidualVariationalBayes.NAME,
                    true,
                    "gradients of the variational bound, steps by public curvature; the most accurate"),
            new Entry(
                    SigmoidBeliefNetwork.NAME,
                    PRIVATE_VB,
                    false,
                    "closed-form updates from second-order statistics, for few hidden units"),
            new Entry(
                    LatentDirichletAllocation.NAME,
                    PRIVATE_VB,
                    true,
                    "topics of documents by variational Bayes, statistics released at every step"),
            new Entry(BetaBernoulli.NAME, PRIVATE_VB, true, "how often a binary target is positive, from one release"),
            new Entry(
                    DirichletCategorical.NAME,
                    PRIVATE_VB,
                    true,
                    "how often each category of a column occurs, from one release"),
            new Entry(
                    GammaExponential.NAME,
                    PRIVATE_VB,
                    true,
                    "the rate of a positive target with bounds, from one release"),
            new Entry(
                    GaussianMixture.NAME,
                    PRIVATE_VB,
                    true,
                    "components of columns without a target, statistics released at every step"),
            new Entry(
                    NeuralNetwork.NAME,
                    FixedPrecisionStochasticEp.NAME,
                    true,
                    "a Bayesian neural network for a number or two classes, by stochastic expectation propagation"),
            new Entry(LinearRegression.NAME, DpVariationalInference.NAME, false, GRADIENTS),
            new Entry(BetaBernoulli.NAME, DpVariationalInference.NAME, false, GRADIENTS),
            new Entry(DirichletCategorical.NAME, DpVariationalInference.NAME, false, GRADIENTS),
            new Entry(GammaExponential.NAME, DpVariationalInference.NAME, false, GRADIENTS),
            new Entry(PoissonRegression.NAME, DpVariationalInference.NAME, false, "counts; " + GRADIENTS),
            new Entry(
                    SoftmaxRegression.NAME, DpVariationalInference.NAME, true, "one of several classes; " + GRADIENTS),
            new Entry(
                    NeuralNetworkDensity.NAME,
                    DpVariationalInference.NAME,
                    false,
                    "one hidden layer, for a number, two or several classes; " + GRADIENTS),
            new Entry(
                    MixtureMeans.NAME,
                    FixedPrecisionStochasticEp.NAME,
                    true,
                    "means of components of known size and deviation, by private expectation propagation"),
            new Entry(
                    LogisticRegression.NAME,
                    FixedPrecisionStochasticEp.NAME,
                    false,
                    "private expectation propagation, sites released at every step"),
            new Entry(
                    ProbitRegression.NAME,
                    FixedPrecisionStochasticEp.NAME,
                    false,
                    "private expectation propagation, sites released at every step"),
            new Entry(
                    BetaBernoulli.NAME,
                    ModelImpliedField.NAME,
                    false,
                    "the same from noisy scores, with a posterior that knows about their noise"),
            new Entry(
                    DirichletCategorical.NAME,
                    ModelImpliedField.NAME,
                    false,
                    "the same from noisy scores, with a posterior that knows about their noise"),
            new Entry(
                    GammaExponential.NAME,
                    ModelImpliedField.NAME,
                    false,
                    "the same from clipped scores: no upper bound, but the model's tail is trusted"),
            new Entry(
                    GlmMethods.CLOGLOG,
                    PrivateLikelihoodKernel.NAME,
                    true,
                    "two classes with complementary log-log link; " + LIKELIHOOD),
            new Entry(
                    GlmMethods.NEGATIVE_BINOMIAL,
                    PrivateLikelihoodKernel.NAME,
                    true,
                    "counts with more variance than their mean; " + LIKELIHOOD),
            new Entry(
                    GlmMethods.GAMMA,
                    PrivateLikelihoodKernel.NAME,
                    true,
                    "positive numbers with log link; " + LIKELIHOOD),
            new Entry(GlmMethods.STUDENT, PrivateLikelihoodKernel.NAME, true, "numbers with outliers; " + LIKELIHOOD),
            new Entry(GlmMethods.BETA, PrivateLikelihoodKernel.NAME, true, "shares between 0 and 1; " + LIKELIHOOD),
            new Entry(GlmMethods.ORDINAL, PrivateLikelihoodKernel.NAME, true, "ordered classes; " + LIKELIHOOD),
            new Entry(
                    GlmMethods.MULTINOMIAL,
                    PrivateLikelihoodKernel.NAME,
                    true,
                    "classes without an order; " + LIKELIHOOD),
            new Entry(
                    GlmMethods.SURVIVAL,
                    PrivateLikelihoodKernel.NAME,
                    true,
                    "times to an event, some censored; " + LIKELIHOOD),
            new Entry(
                    LogisticRegression.NAME,
                    PartitionedMethods.NAME,
                    false,
                    "records at several parties that share released sums only"),
            new Entry(
                    LinearRegression.NAME,
                    PartitionedMethods.NAME,
                    false,
                    "records at several parties, one message of statistics from each"));

    private MethodCatalogue() {}

    /** Every model with every method it can be fitted by. */
    public static List<Entry> entries() {
        return ENTRIES;
    }

    /** The method that fits a model if none is named. */
    public static String standardMethod(String model) {
        for (Entry entry : ENTRIES) {
            if (entry.model().equals(model) && entry.standard()) {
                return entry.method();
            }
        }
        throw new SettingException("there is no model " + model + "; the models are "
                + String.join(", ", distinct(ENTRIES.stream().map(Entry::model).toList())));
    }

    /**
     * The method that fits a model if none is named and the records or their schema rule out the standard one: the next of
     * its entries; empty if there is none.
     */
    public static Optional<String> otherMethod(String model) {
        String standard = standardMethod(model);
        return ENTRIES.stream()
                .filter(entry -> entry.model().equals(model) && !entry.method().equals(standard))
                .map(Entry::method)
                .findFirst();
    }

    /**
     * Builds a method.
     *
     * @param isPrivate false for a run without noise, whose releases cost nothing, so that there may be more of them
     */
    public static FitMethod<?, ?> find(
            String model, String method, DataShape shape, SettingValues settings, boolean isPrivate) {
        standardMethod(model);
        FitMethod<?, ?> found = build(model, method, shape, settings, isPrivate);
        settings.requireAllKnown();
        return found;
    }

    /**
     * What predicts or describes records from the posterior of a fit that exists. It is a matter of the model: what the method's
     * settings were plays no part, whether this version knows them, bounds them otherwise, or no longer has the method.
     *
     * @param settings all that were in force, by name; those of the model are used
     */
    public static ModelUse use(
            String model, String method, DataShape shape, Map<String, String> settings, boolean isPrivate) {
        standardMethod(model);
        try {
            return build(model, method, shape, SettingValues.ofFit(settings), isPrivate)
                    .use();
        } catch (SettingException e) {
            for (Entry entry : ENTRIES) {
                if (entry.model().equals(model) && !entry.method().equals(method)) {
                    try {
                        return build(model, entry.method(), shape, SettingValues.ofFit(settings), isPrivate)
                                .use();
                    } catch (SettingException other) {
                        e.addSuppressed(other);
                    }
                }
            }
            throw e;
        }
    }

    private static FitMethod<?, ?> build(
            String model, String method, DataShape shape, SettingValues settings, boolean isPrivate) {
        try {
            if (model.equals(LogisticRegression.NAME) && method.equals(RESIDUAL_NEWTON)) {
                return residualNewton(shape, settings, isPrivate);
            }
            if (model.equals(LogisticRegression.NAME) && method.equals(PRIVATE_VB)) {
                return polyaGamma(shape, settings, isPrivate);
            }
            if (method.equals(PrivateLikelihoodKernel.NAME)) {
                Optional<FitMethod<?, ?>> found = GlmMethods.find(model, shape, settings, isPrivate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (method.equals(DpVariationalInference.NAME)) {
                Optional<FitMethod<?, ?>> found = DpviMethods.find(model, shape, settings, isPrivate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (model.equals(LinearRegression.NAME) && method.equals(PRIVATE_VB)) {
                return linear(shape, settings);
            }
            if (model.equals(SigmoidBeliefNetwork.NAME) && method.equals(ResidualVariationalBayes.NAME)) {
                return BeliefNetworkMethods.residual(shape, settings, isPrivate);
            }
            if (model.equals(SigmoidBeliefNetwork.NAME) && method.equals(PRIVATE_VB)) {
                return BeliefNetworkMethods.closedForm(shape, settings, isPrivate);
            }
            if (model.equals(LatentDirichletAllocation.NAME) && method.equals(PRIVATE_VB)) {
                return topics(shape, settings, isPrivate);
            }
            if (model.equals(NeuralNetwork.NAME) && method.equals(FixedPrecisionStochasticEp.NAME)) {
                return NetworkMethods.stochasticEp(shape, settings);
            }
            if (method.equals(FixedPrecisionStochasticEp.NAME)) {
                Optional<FitMethod<?, ?>> found = StochasticEpMethods.find(model, shape, settings, isPrivate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (method.equals(PartitionedMethods.NAME)) {
                Optional<FitMethod<?, ?>> found = PartitionedMethods.find(model, shape, settings, isPrivate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (method.equals(ModelImpliedField.NAME)) {
                Optional<FitMethod<?, ?>> found = FieldMethods.find(model, shape, settings);
                if (found.isPresent()) {
                    return found.get();
                }
            }
            if (method.equals(PRIVATE_VB)) {
                Optional<FitMethod<?, ?>> found = ConjugateMethods.find(model, shape, settings, isPrivate);
                if (found.isPresent()) {
                    return found.get();
                }
            }
        } catch (SettingException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new SettingException(e.getMessage());
        }
        throw new SettingException("the model " + model + " cannot be fitted by " + method + "; its methods are "
                + String.join(
                        ", ",
                        ENTRIES.stream()
                                .filter(entry -> entry.model().equals(model))
                                .map(Entry::method)
                                .toList()));
    }

    static ResidualNewton.Settings residualNewton(SettingValues settings, boolean isPrivate) {
        ResidualNewton.Settings standard = ResidualNewton.Settings.standard();
        return new ResidualNewton.Settings(
                settings.integer("rounds", isPrivate ? standard.rounds() : 50, 1, MOST_STEPS),
                settings.number("firstShare", standard.firstShare(), Limits.share()),
                settings.number("squareWeight", standard.squareWeight(), Limits.around(standard.squareWeight(), 1000)),
                settings.numberOr("auto", "residualClip", Limits.between(1e-4, 1e4)),
                settings.number("startScale", standard.startScale(), Limits.around(standard.startScale(), 1e13, 1000)),
                settings.number("startRidge", standard.startRidge(), Limits.between(0, 1e6)),
                settings.number("ridge", standard.ridge(), Limits.between(0, 1e6)),
                settings.number("momentum", standard.momentum(), Limits.between(0, 0.99)));
    }

    private static FitMethod<?, ?> residualNewton(DataShape shape, SettingValues settings, boolean isPrivate) {
        LogisticRegression model = logistic(shape, settings);
        ResidualNewton kernel = new ResidualNewton(residualNewton(settings, isPrivate));
        return new FitMethod<>(
                LogisticRegression.NAME,
                kernel,
                model,
                model,
                settings.inForce(),
                Optional.of(state -> kernel.posteriorWithoutPrivacyNoise(state, model)));
    }

    private static FitMethod<?, ?> polyaGamma(DataShape shape, SettingValues settings, boolean isPrivate) {
        LogisticRegression regression = logistic(shape, settings);
        PolyaGammaLogistic model = new PolyaGammaLogistic(
                regression,
                settings.number("squareWeight", 4, Limits.around(4, 1000)),
                settings.number("ridge", 0.5, Limits.between(0, 1e6)),
                settings.choice("prior", "fixed", List.of("fixed", "hierarchical"))
                        .equals("hierarchical"));
        return new FitMethod<>(
                LogisticRegression.NAME,
                new PrivateVariationalBayes<GaussianPosterior>(variationalBayes(
                        shape, settings, isPrivate ? 8 : 50, isPrivate ? "linear-average" : "last", "full")),
                model,
                regression,
                settings.inForce(),
                Optional.empty());
    }

    private static FitMethod<?, ?> linear(DataShape shape, SettingValues settings) {
        LinearRegression model = linearModel(shape, settings);
        return new FitMethod<>(
                LinearRegression.NAME,
                new PrivateVariationalBayes<Posterior>(variationalBayes(shape, settings, 1, "linear-average", "full")),
                model,
                model,
                settings.inForce(),
                Optional.empty());
    }

    static LinearRegression linearModel(DataShape shape, SettingValues settings) {
        DataShape.Target.Numeric target = shape.numberTarget()
                .orElseThrow(
                        () -> new SettingException("linear regression needs a target that is a number with bounds"));
        return new LinearRegression(
                shape.columns(),
                shape.rowNormBound(),
                precision(settings, 0.3 * shape.rowNormBound() * shape.rowNormBound()),
                target.low(),
                target.high(),
                shape.publicSize(),
                settings.number(
                        "squareWeight", 1 / shape.rowNormBound(), Limits.around(1 / shape.rowNormBound(), 1000)));
    }

    private static FitMethod<?, ?> topics(DataShape shape, SettingValues settings, boolean isPrivate) {
        if (!shape.counts()) {
            throw new SettingException("lda needs documents; declare how they are read with corpus: in the schema");
        }
        int topics = settings.integer("topics", 50, 2, MOST_PARTS);
        boolean shrink = settings.choice("repair", isPrivate ? "shrink" : "clamp", List.of("shrink", "clamp"))
                .equals("shrink");
        LatentDirichletAllocation.NoiseRepair repair = shrink
                ? new LatentDirichletAllocation.NoiseRepair.Shrink(
                        new GammaDenoiser(settings.number("priorShape", 0.5, Limits.between(0.05, 10))),
                        settings.number("unigramShare", 0.05, Limits.share()))
                : new LatentDirichletAllocation.NoiseRepair.ClampAtZero();
        LatentDirichletAllocation model = new LatentDirichletAllocation(
                shape.columns(),
                topics,
                settings.number("alpha", isPrivate ? 0.05 : 1.0 / topics, Limits.between(1e-6, 1e4)),
                settings.number("eta", 1.0 / topics, Limits.between(1e-6, 1e4)),
                WordWeight.ofLabel(settings.choice("weight", isPrivate ? "sqrt" : "raw", WordWeight.labels())),
                settings.number("mostTokens", isPrivate ? 10_000 : 1e6, Limits.between(1, 1e9)),
                settings.number("l2Bound", isPrivate ? 2 : 1000, Limits.between(1e-3, 1e6)),
                repair,
                settings.integer("rounds", isPrivate ? 15 : 100, 1, 10_000),
                settings.number("tolerance", 1e-3, Limits.between(1e-12, 1)));
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = new PrivateVariationalBayes<>(variationalBayes(
                shape, settings, 20, isPrivate ? "floored-average" : "last", isPrivate ? "poisson:0.2" : "full"));
        return new FitMethod<>(
                LatentDirichletAllocation.NAME, kernel, model, model, settings.inForce(), Optional.empty());
    }

    static LogisticRegression logistic(DataShape shape, SettingValues settings) {
        return logistic(shape, settings, 0.3);
    }

    /** @param unitPrecision the standard prior precision of weights on rows of length 1 */
    static LogisticRegression logistic(DataShape shape, SettingValues settings, double unitPrecision) {
        if (!(shape.target() instanceof DataShape.Target.Binary)) {
            throw new SettingException("logistic regression needs a target of type binary");
        }
        double norm = shape.rowNormBound();
        return new LogisticRegression(shape.columns(), norm, precision(settings, unitPrecision * norm * norm));
    }

    /** The precision of a prior on weights, by default that of the method for rows of the declared length. */
    static double precision(SettingValues settings, double standard) {
        return settings.number("priorPrecision", standard, Limits.around(standard, 1e6));
    }

    static PrivateVariationalBayes.Settings variationalBayes(
            DataShape shape, SettingValues settings, int steps, String standardSchedule, String standardSampling) {
        String schedule = settings.choice(
                "schedule", standardSchedule, List.of("linear-average", "floored-average", "robbins-monro", "last"));
        StepSchedule rates = switch (schedule) {
            case "linear-average" -> new StepSchedule.LinearAverage();
            case "floored-average" ->
                new StepSchedule.FlooredAverage(settings.number("floor", 0.25, Limits.between(0, 1)));
            case "last" -> new StepSchedule.Last();
            default ->
                new StepSchedule.RobbinsMonro(
                        settings.number("delay", 1, Limits.between(0, 1e6)),
                        settings.number("forgetting", 0.7, Limits.between(0.51, 1)));
        };
        return new PrivateVariationalBayes.Settings(
                settings.integer("steps", steps, 1, MOST_STEPS), sampling(settings, shape, standardSampling), rates);
    }

    /** {@code full} or {@code poisson:RATE}; below the standard rate with at least one record in an expected batch. */
    static SamplingScheme sampling(SettingValues settings, DataShape shape, String standard) {
        String text = settings.text("sampling", standard);
        if (text.equals("full")) {
            return new SamplingScheme.FullPass();
        }
        Limits limits = Limits.between(1.0 / shape.publicSize(), 1);
        if (standard.startsWith(POISSON)) {
            limits = limits.including(poissonRate(standard));
        }
        double rate = poissonRate(text);
        if (!limits.contain(rate)) {
            throw new SettingException(
                    "the setting sampling must be full or poisson:RATE with a rate " + limits.text());
        }
        return new SamplingScheme.PoissonSampling(Math.min(1, rate));
    }

    /** NaN for a text that is none. */
    private static double poissonRate(String text) {
        try {
            return text.startsWith(POISSON) ? Double.parseDouble(text.substring(POISSON.length())) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    private static List<String> distinct(List<String> names) {
        List<String> seen = new ArrayList<>();
        for (String name : names) {
            if (!seen.contains(name)) {
                seen.add(name);
            }
        }
        return seen;
    }
}
