package dev.tacit.run.method;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.inference.vi.DpVariationalInference.Estimator;
import dev.tacit.inference.vi.FullRankVariationalInference;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.BetaBernoulliDensity;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.model.conjugate.DirichletCategoricalDensity;
import dev.tacit.model.conjugate.GammaExponential;
import dev.tacit.model.conjugate.GammaExponentialDensity;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearRegressionDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.SoftmaxRegression;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How models are fitted by private variational inference, with its defaults. */
final class DpviMethods {
    /** Above the norm of any gradient: without noise nothing is gained from clipping. */
    private static final double NO_CLIP = 1e6;

    private static final String ABOUT =
            "noisy gradients of the bound, and a posterior that knows about the noise in their trace";

    private static final String MEAN_FIELD = "mean-field";
    private static final String FULL_RANK = "full-rank";

    /**
     * What differs between models, all of it public.
     *
     * @param l2Bound at which the weighted gradient of a unit is clipped
     * @param startScale standard deviation of q at the start
     * @param rate of Adam's steps
     */
    private record Defaults(double l2Bound, double startScale, double rate) {
        /** Weights of a regression scale with the inverse of the bound on rows, and gradients with the bound. */
        static Defaults forRows(double norm, double residual) {
            return new Defaults(residual * norm, 0.2 / norm, 0.15 / norm);
        }
    }

    private DpviMethods() {}

    static List<Entry> entries() {
        return List.of(
                entry(LogisticRegression.NAME, "", DpviMethods::logistic),
                entry(LinearRegression.NAME, "", DpviMethods::linear),
                entry(BetaBernoulli.NAME, "", DpviMethods::bernoulli),
                entry(DirichletCategorical.NAME, "", DpviMethods::categorical),
                entry(GammaExponential.NAME, "", DpviMethods::exponential),
                entry(PoissonRegression.NAME, "counts; ", DpviMethods::poisson),
                Entry.standard(
                        SoftmaxRegression.NAME,
                        DpVariationalInference.NAME,
                        "one of several classes; " + ABOUT,
                        DpviMethods::softmax),
                entry(
                        NeuralNetworkDensity.NAME,
                        "one hidden layer, for a number, two or several classes; ",
                        DpviMethods::network));
    }

    private static Entry entry(String model, String target, MethodCatalogue.Factory factory) {
        return Entry.other(model, DpVariationalInference.NAME, target + ABOUT, factory);
    }

    private static FitMethod<?, ?> logistic(DataShape shape, SettingValues settings, boolean isPrivate) {
        LogisticRegression model = RegressionMethods.logistic(shape, settings);
        Defaults defaults = Defaults.forRows(model.rowNormBound(), 0.6);
        return method(LogisticRegression.NAME, model, model, shape, defaults, settings, isPrivate);
    }

    private static FitMethod<?, ?> poisson(DataShape shape, SettingValues settings, boolean isPrivate) {
        DataShape.Target.Numeric target = shape.numberTarget()
                .filter(number -> number.low() >= 0)
                .orElseThrow(() -> new SettingException(PoissonRegression.NAME
                        + " needs a target that is a number with bounds, the lower one 0 or more"));
        double norm = shape.rowNormBound();
        PoissonRegression model = new PoissonRegression(
                shape.columns(), norm, SharedSettings.precision(settings, 0.1 * norm * norm), target.high());
        // a count with a mean of a fifth of its bound has this deviation
        Defaults defaults = Defaults.forRows(norm, Math.max(1, Math.sqrt(target.high() / 5)));
        return method(PoissonRegression.NAME, model, model, shape, defaults, settings, isPrivate);
    }

    private static FitMethod<?, ?> linear(DataShape shape, SettingValues settings, boolean isPrivate) {
        DataShape.Target.Numeric target = shape.numberTarget()
                .orElseThrow(
                        () -> new SettingException("linear regression needs a target that is a number with bounds"));
        double norm = shape.rowNormBound();
        double noiseShape = settings.number("noiseShape", 1, Limits.around(1, 1000));
        double noiseRate = settings.number("noiseRate", 0.01, Limits.around(0.01, 1000));
        LinearRegressionDensity model = new LinearRegressionDensity(
                shape.columns(),
                norm,
                SharedSettings.precision(settings, 0.01 * norm * norm),
                noiseShape,
                noiseRate,
                target.low(),
                target.high());
        // the gradient of a record one deviation away, by the prior's deviation: a lower clip shrinks the variance
        Defaults defaults = Defaults.forRows(norm, Math.sqrt(noiseShape / noiseRate));
        return method(LinearRegression.NAME, model, model, shape, defaults, settings, isPrivate);
    }

    private static FitMethod<?, ?> softmax(DataShape shape, SettingValues settings, boolean isPrivate) {
        if (!(shape.target() instanceof DataShape.Target.Category target)) {
            throw new SettingException(SoftmaxRegression.NAME + " needs a target of type category");
        }
        double norm = shape.rowNormBound();
        SoftmaxRegression model = new SoftmaxRegression(
                shape.columns(), target.categories(), norm, SharedSettings.precision(settings, 0.3 * norm * norm));
        return method(SoftmaxRegression.NAME, model, model, shape, Defaults.forRows(norm, 0.8), settings, isPrivate);
    }

    private static FitMethod<?, ?> network(DataShape shape, SettingValues settings, boolean isPrivate) {
        double norm = shape.rowNormBound();
        String activation = settings.choice("activation", "tanh", List.of("tanh", "relu"));
        NeuralNetworkDensity model = new NeuralNetworkDensity(
                shape.columns(),
                settings.integer("hiddenUnits", 10, 1, SharedSettings.MOST_PARTS),
                head(shape.target()),
                NeuralNetworkDensity.Activation.valueOf(activation.toUpperCase(Locale.ROOT)),
                settings.number("inputPrecision", 0.3 * norm * norm, Limits.around(0.3 * norm * norm, 1e6)),
                settings.number("outputPrecision", 1, Limits.around(1, 1e6)));
        Defaults defaults = new Defaults(norm, 0.05, 0.03);
        return method(NeuralNetworkDensity.NAME, model, model, shape, defaults, settings, isPrivate);
    }

    private static NeuralNetworkDensity.Head head(DataShape.Target target) {
        if (target instanceof DataShape.Target.Numeric number) {
            return new NeuralNetworkDensity.Head.Numeric(number.low(), number.high());
        }
        if (target instanceof DataShape.Target.Category category) {
            return new NeuralNetworkDensity.Head.Classes(category.categories());
        }
        if (target instanceof DataShape.Target.Binary) {
            return new NeuralNetworkDensity.Head.Binary();
        }
        throw new SettingException(
                NeuralNetworkDensity.NAME + " needs a target: binary, a category, or a number with bounds");
    }

    private static FitMethod<?, ?> bernoulli(DataShape shape, SettingValues settings, boolean isPrivate) {
        BetaBernoulli use = ConjugateMethods.bernoulli(shape, settings);
        BetaBernoulliDensity model = new BetaBernoulliDensity(
                use.priorSuccesses(), use.priorFailures(), shape.columns().size());
        return method(BetaBernoulli.NAME, model, use, shape, new Defaults(1, 0.1, 0.05), settings, isPrivate);
    }

    private static FitMethod<?, ?> categorical(DataShape shape, SettingValues settings, boolean isPrivate) {
        DirichletCategorical use = ConjugateMethods.categorical(shape, settings);
        DirichletCategoricalDensity model = new DirichletCategoricalDensity(use.categories(), use.priorConcentration());
        return method(DirichletCategorical.NAME, model, use, shape, new Defaults(1.2, 0.1, 0.05), settings, isPrivate);
    }

    private static FitMethod<?, ?> exponential(DataShape shape, SettingValues settings, boolean isPrivate) {
        GammaExponential closed = ConjugateMethods.exponential(shape, settings);
        GammaExponentialDensity model = new GammaExponentialDensity(
                closed.priorShape(),
                closed.priorRate(),
                closed.upperBound(),
                false,
                shape.columns().size());
        return method(GammaExponential.NAME, model, model, shape, new Defaults(3, 0.1, 0.05), settings, isPrivate);
    }

    private static <T extends DifferentiableModel> FitMethod<?, ?> method(
            String name,
            T model,
            ModelUse use,
            DataShape shape,
            Defaults defaults,
            SettingValues settings,
            boolean isPrivate) {
        boolean fullRank = settings.choice("family", MEAN_FIELD, List.of(MEAN_FIELD, FULL_RANK))
                .equals(FULL_RANK);
        int steps = settings.integer("steps", isPrivate ? 800 : 3000, 10, SharedSettings.MOST_STEPS);
        SamplingScheme sampling = SharedSettings.sampling(settings, shape, "poisson:0.05");
        double l2Bound = settings.number(
                "l2Bound",
                isPrivate ? defaults.l2Bound() : NO_CLIP,
                Limits.around(defaults.l2Bound(), 1e4).including(NO_CLIP));
        double startScale =
                settings.number("startScale", defaults.startScale(), Limits.around(defaults.startScale(), 100));
        double burnInShare = settings.number("burnInShare", 0.5, Limits.between(0, 0.9));
        if (fullRank) {
            FullRankVariationalInference kernel =
                    new FullRankVariationalInference(new FullRankVariationalInference.Settings(
                            steps,
                            sampling,
                            l2Bound,
                            startScale,
                            new GradientStep.Adam(rate(settings, defaults.rate())),
                            burnInShare));
            return new FitMethod<>(name, kernel, model, use, settings.inForce(), Optional.empty());
        }
        Estimator estimator = estimator(model, settings);
        DpVariationalInference kernel = new DpVariationalInference(new DpVariationalInference.Settings(
                steps,
                sampling,
                l2Bound,
                estimator == Estimator.DRAWS ? settings.integer("draws", 10, 1, 10_000) : 1,
                settings.number("scaleWeight", 1 / startScale, Limits.around(1 / startScale, 1e4)),
                startScale,
                step(settings, defaults.rate(), model.dimension(), isPrivate),
                burnInShare,
                estimator,
                settings.choice("trace", "statistics", List.of("statistics", "stored"))
                        .equals("stored")));
        return new FitMethod<>(
                name,
                kernel,
                model,
                use,
                settings.inForce(),
                Optional.of(state -> model.reported(kernel.lastIterate(state, model))));
    }

    /** No draws where the expectation is known: it is exact, and faster. */
    private static Estimator estimator(DifferentiableModel model, SettingValues settings) {
        List<Estimator> choices = model instanceof GaussianMarginModel
                ? List.of(Estimator.EXPECTATION, Estimator.DRAWS, Estimator.ALIGNED)
                : List.of(Estimator.DRAWS, Estimator.ALIGNED);
        String label = settings.choice(
                "gradients",
                choices.get(0).label(),
                choices.stream().map(Estimator::label).toList());
        return Estimator.valueOf(label.toUpperCase(Locale.ROOT));
    }

    private static double rate(SettingValues settings, double standard) {
        return settings.number("rate", standard, Limits.around(standard, 1e5, 30));
    }

    /** The rate of noise-scaled steps lets noise alone carry a coordinate by 1 over the whole run. */
    private static GradientStep step(SettingValues settings, double rate, int dimension, boolean isPrivate) {
        List<String> choices = isPrivate ? List.of("adam", "noise-scaled") : List.of("adam");
        String name = settings.choice("step", "adam", choices);
        return name.equals("adam")
                ? new GradientStep.Adam(rate(settings, rate))
                : new GradientStep.NoiseScaled(rate(settings, Math.sqrt(2.0 * dimension)));
    }
}
