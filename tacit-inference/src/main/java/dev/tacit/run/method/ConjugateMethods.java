package dev.tacit.run.method;

import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.model.conjugate.GammaExponential;
import dev.tacit.model.mixture.CorrelatedGaussianMixture;
import dev.tacit.model.mixture.GaussianMixture;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** Conjugate pairs and mixtures, all fitted by private variational Bayes. */
final class ConjugateMethods {
    private static final String INTERCEPT = "intercept";

    /** What a prior may count for, in records. */
    static final Limits PRIOR_COUNTS = Limits.between(1e-3, 1e6);

    private ConjugateMethods() {}

    static List<Entry> entries() {
        return List.of(
                Entry.standard(
                        BetaBernoulli.NAME,
                        PrivateVariationalBayes.NAME,
                        "how often a binary target is positive, from one release",
                        (shape, settings, isPrivate) ->
                                method(BetaBernoulli.NAME, bernoulli(shape, settings), shape, settings)),
                Entry.standard(
                        DirichletCategorical.NAME,
                        PrivateVariationalBayes.NAME,
                        "how often each category of a column occurs, from one release",
                        (shape, settings, isPrivate) ->
                                method(DirichletCategorical.NAME, categorical(shape, settings), shape, settings)),
                Entry.standard(
                        GammaExponential.NAME,
                        PrivateVariationalBayes.NAME,
                        "the rate of a positive target with bounds, from one release",
                        (shape, settings, isPrivate) ->
                                method(GammaExponential.NAME, exponential(shape, settings), shape, settings)),
                Entry.standard(
                        GaussianMixture.NAME,
                        PrivateVariationalBayes.NAME,
                        "components of columns without a target, statistics released at every step",
                        ConjugateMethods::mixture));
    }

    private static <Q extends Posterior, M extends ConjugateExponentialModel<Q> & ModelUse> FitMethod<?, ?> method(
            String name, M model, DataShape shape, SettingValues settings) {
        return method(name, model, model, 1, shape, settings, true);
    }

    static BetaBernoulli bernoulli(DataShape shape, SettingValues settings) {
        if (!(shape.target() instanceof DataShape.Target.Binary)) {
            throw new SettingException(BetaBernoulli.NAME + " needs a target of type binary");
        }
        return new BetaBernoulli(
                settings.number("priorSuccesses", 1, PRIOR_COUNTS),
                settings.number("priorFailures", 1, PRIOR_COUNTS),
                shape.publicSize());
    }

    static DirichletCategorical categorical(DataShape shape, SettingValues settings) {
        return new DirichletCategorical(
                categories(shape), settings.number("priorConcentration", 1, PRIOR_COUNTS), shape.publicSize());
    }

    /** The encoded columns of the only column. */
    static List<String> categories(DataShape shape) {
        List<String> categories = withoutIntercept(shape);
        if (categories.stream().map(ConjugateMethods::column).distinct().count() != 1) {
            throw new SettingException(DirichletCategorical.NAME
                    + " needs exactly one column, of type category; ignore the others in the schema");
        }
        return categories;
    }

    /** A target that waiting times can be. */
    static DataShape.Target.Numeric waitingTimes(DataShape shape) {
        return shape.numberTarget()
                .filter(number -> number.low() >= 0 && number.high() > 0)
                .orElseThrow(() -> new SettingException(GammaExponential.NAME
                        + " needs a target that is a number with bounds, the lower one 0 or more"));
    }

    static GammaExponential exponential(DataShape shape, SettingValues settings) {
        DataShape.Target.Numeric target = waitingTimes(shape);
        return new GammaExponential(
                settings.number("priorShape", 1, PRIOR_COUNTS),
                settings.number("priorRate", target.high() / 2, Limits.around(target.high() / 2, 1e6)),
                target.high(),
                shape.publicSize());
    }

    private static FitMethod<?, ?> mixture(DataShape shape, SettingValues settings, boolean isPrivate) {
        List<String> columns = withoutIntercept(shape);
        int components = settings.integer("components", 2, 2, SharedSettings.MOST_PARTS);
        int steps = isPrivate ? 10 : 100;
        if (settings.choice("covariance", "diagonal", List.of("diagonal", "full"))
                .equals("full")) {
            CorrelatedGaussianMixture model =
                    new CorrelatedGaussianMixture(columns, components, shape.rowNormBound(), shape.publicSize());
            return method(GaussianMixture.NAME, model, model, steps, shape, settings, isPrivate);
        }
        GaussianMixture model = new GaussianMixture(columns, components, shape.rowNormBound(), shape.publicSize());
        return method(GaussianMixture.NAME, model, model, steps, shape, settings, isPrivate);
    }

    private static <Q extends Posterior> FitMethod<?, ?> method(
            String name,
            ConjugateExponentialModel<Q> model,
            ModelUse use,
            int steps,
            DataShape shape,
            SettingValues settings,
            boolean averaged) {
        return new FitMethod<>(
                name,
                new PrivateVariationalBayes<Q>(SharedSettings.variationalBayes(
                        shape, settings, steps, averaged ? "linear-average" : "last", "full")),
                model,
                use,
                settings.inForce(),
                Optional.empty());
    }

    static List<String> withoutIntercept(DataShape shape) {
        return shape.columns().stream().filter(name -> !name.equals(INTERCEPT)).toList();
    }

    /** The declared column of an encoded one: {@code job} of {@code job=teacher}. */
    private static String column(String encoded) {
        int end = encoded.indexOf('=');
        return end < 0 ? encoded : encoded.substring(0, end);
    }
}
