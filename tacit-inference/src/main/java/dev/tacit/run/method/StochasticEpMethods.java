package dev.tacit.run.method;

import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.mixture.ClusterStart;
import dev.tacit.model.mixture.HistogramStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.model.regression.ProbitSites;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** How models are fitted by stochastic expectation propagation, with its defaults. */
final class StochasticEpMethods {
    private static final String ABOUT = "private expectation propagation, sites released at every step";

    private static final String INTERCEPT = "intercept";

    /** Above the norm of any site: without noise nothing is gained from clipping. */
    private static final double NO_CLIP = 1e4;

    private StochasticEpMethods() {}

    static List<Entry> entries() {
        return List.of(
                Entry.standard(
                        MixtureMeans.NAME,
                        FixedPrecisionStochasticEp.NAME,
                        "means of components of known size and deviation, by private expectation propagation",
                        StochasticEpMethods::mixture),
                Entry.other(
                        LogisticRegression.NAME, FixedPrecisionStochasticEp.NAME, ABOUT, StochasticEpMethods::logistic),
                Entry.other(ProbitRegression.NAME, FixedPrecisionStochasticEp.NAME, ABOUT, StochasticEpMethods::probit),
                Entry.next(
                        LinearRegression.NAME,
                        FixedPrecisionStochasticEp.NAME,
                        "private expectation propagation with unknown noise, sites released at every step",
                        StochasticEpMethods::linear));
    }

    /** Encoded columns lie in [−1, 1]; the deviation of components is in these units. */
    private static FitMethod<?, ?> mixture(DataShape shape, SettingValues settings, boolean isPrivate) {
        List<String> columns =
                shape.columns().stream().filter(name -> !name.equals(INTERCEPT)).toList();
        int components = settings.integer("components", 2, 2, SharedSettings.MOST_PARTS);
        double deviation = settings.number("deviation", 0.15, Limits.between(0.005, 10));
        double share = settings.number("startShare", 0.4, Limits.share());
        int cells = Math.max(4, (int) Math.ceil(1 / Math.max(deviation, 0.02)));
        boolean few = Math.pow(cells, columns.size()) <= HistogramStart.MOST_CELLS;
        boolean histogram = settings.choice("start", few ? "histogram" : "clusters", List.of("histogram", "clusters"))
                .equals("histogram");
        PrivateStart start = histogram
                ? new HistogramStart(columns.size(), -1, 1, cells, components, deviation, shape.publicSize(), share)
                : new ClusterStart(columns.size(), components, 3 * components, 4, 0.5, 0, 5 * deviation, share);
        MixtureMeans model = new MixtureMeans(
                columns,
                MixtureMeans.equalWeights(components),
                deviation * deviation,
                new double[components * columns.size()],
                SharedSettings.precision(settings, 1),
                shape.publicSize(),
                Optional.of(start));
        double typical = deviation * Math.sqrt(columns.size());
        return method(
                MixtureMeans.NAME,
                model,
                model,
                shape,
                settings,
                new Defaults(isPrivate ? 10 : 60, isPrivate ? 0.8 * typical : NO_CLIP, 0.5, 0.3));
    }

    private static FitMethod<?, ?> logistic(DataShape shape, SettingValues settings, boolean isPrivate) {
        requireBinary(shape, LogisticRegression.NAME);
        double norm = shape.rowNormBound();
        LogisticRegression model =
                new LogisticRegression(shape.columns(), norm, SharedSettings.precision(settings, 0.3 * norm * norm));
        return method(
                LogisticRegression.NAME,
                new LogisticSites(model, shape.publicSize(), startShare(settings)),
                model,
                shape,
                settings,
                new Defaults(isPrivate ? 10 : 60, isPrivate ? 0.7 * norm : NO_CLIP, 0.7, 0.3));
    }

    private static FitMethod<?, ?> probit(DataShape shape, SettingValues settings, boolean isPrivate) {
        requireBinary(shape, ProbitRegression.NAME);
        double norm = shape.rowNormBound();
        ProbitRegression model =
                new ProbitRegression(shape.columns(), norm, SharedSettings.precision(settings, norm * norm));
        return method(
                ProbitRegression.NAME,
                new ProbitSites(model, shape.publicSize(), startShare(settings)),
                model,
                shape,
                settings,
                new Defaults(isPrivate ? 10 : 60, isPrivate ? norm : NO_CLIP, 0.7, 0.3));
    }

    private static FitMethod<?, ?> linear(DataShape shape, SettingValues settings, boolean isPrivate) {
        DataShape.Target.Numeric target = shape.numberTarget()
                .orElseThrow(
                        () -> new SettingException("linear regression needs a target that is a number with bounds"));
        double norm = shape.rowNormBound();
        LinearRegression model = new LinearRegression(
                shape.columns(),
                norm,
                SharedSettings.precision(settings, 0.3 * norm * norm),
                target.low(),
                target.high(),
                shape.publicSize(),
                1);
        return method(
                LinearRegression.NAME,
                new LinearSites(
                        model,
                        settings.number("noiseVariance", 0.1, Limits.between(1e-6, 1e3)),
                        settings.choice("learnNoise", "yes", List.of("yes", "no"))
                                .equals("yes"),
                        startShare(settings)),
                model,
                shape,
                settings,
                new Defaults(isPrivate ? 15 : 100, isPrivate ? 0.5 * norm : NO_CLIP, 0.7, 0.3));
    }

    /** None, or a share of the budget that is worth a release. */
    private static double startShare(SettingValues settings) {
        Limits share = Limits.share();
        double value = settings.number("startShare", 0.15, share.including(0));
        if (value > 0 && value < share.low()) {
            throw new SettingException("the setting startShare must be 0 or a number " + share.text());
        }
        return value;
    }

    private static void requireBinary(DataShape shape, String model) {
        if (!(shape.target() instanceof DataShape.Target.Binary)) {
            throw new SettingException(model + " needs a target of type binary");
        }
    }

    /** What a model prefers where nothing is said. */
    private record Defaults(int steps, double l2Bound, double step, double averagedShare) {}

    private static FitMethod<?, ?> method(
            String name,
            TiltedMomentModel model,
            ModelUse use,
            DataShape shape,
            SettingValues settings,
            Defaults defaults) {
        boolean fixed = settings.choice("precision", "fixed", List.of("fixed", "learned"))
                .equals("fixed");
        int steps = settings.integer("steps", defaults.steps, 1, SharedSettings.MOST_STEPS);
        var sampling = SharedSettings.sampling(settings, shape, "full");
        double l2Bound = settings.number("l2Bound", defaults.l2Bound, Limits.between(1e-4, 1e6));
        double step = settings.number("step", defaults.step, Limits.between(1e-6, 1));
        double decay = settings.number("decay", 1, Limits.between(1e-6, 1));
        double averagedShare = settings.number("averagedShare", defaults.averagedShare, Limits.between(0, 1));
        if (!fixed) {
            DpStochasticEp kernel = new DpStochasticEp(new DpStochasticEp.Settings(
                    steps,
                    sampling,
                    l2Bound,
                    settings.number("precisionWeight", 1, Limits.around(1, 1000)),
                    true,
                    settings.number("stepNumerator", step * shape.publicSize(), Limits.between(1e-6, (double)
                            shape.publicSize())),
                    decay,
                    0,
                    averagedShare));
            return new FitMethod<>(name, kernel, model, use, settings.inForce(), Optional.empty());
        }
        FixedPrecisionStochasticEp kernel = new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                steps,
                sampling,
                l2Bound,
                step,
                decay,
                settings.number("momentum", 0, Limits.between(0, 0.99)),
                averagedShare));
        return new FitMethod<>(
                name,
                kernel,
                model,
                use,
                settings.inForce(),
                Optional.of(state -> kernel.posteriorWithoutPrivacyNoise(state, model)));
    }
}
