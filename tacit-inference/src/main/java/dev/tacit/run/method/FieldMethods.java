package dev.tacit.run.method;

import dev.tacit.inference.noiseaware.ModelImpliedField;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategorical;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponential;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** How models are fitted by their model-implied field, with its defaults. */
final class FieldMethods {
    private static final String ABOUT = "the same from noisy scores, with a posterior that knows about their noise";

    private FieldMethods() {}

    static List<Entry> entries() {
        return List.of(
                entry(BetaBernoulli.NAME, ABOUT, FieldMethods::bernoulli),
                entry(DirichletCategorical.NAME, ABOUT, FieldMethods::categorical),
                entry(
                        GammaExponential.NAME,
                        "the same from clipped scores: no upper bound, but the model's tail is trusted",
                        FieldMethods::exponential));
    }

    /** What is done is the same with and without noise. */
    private static Entry entry(
            String model, String about, BiFunction<DataShape, SettingValues, FitMethod<?, ?>> factory) {
        return Entry.other(
                model, ModelImpliedField.NAME, about, (shape, settings, isPrivate) -> factory.apply(shape, settings));
    }

    private static FitMethod<?, ?> bernoulli(DataShape shape, SettingValues settings) {
        if (!(shape.target() instanceof DataShape.Target.Binary)) {
            throw new SettingException(BetaBernoulli.NAME + " needs a target of type binary");
        }
        BetaBernoulliScore model = new BetaBernoulliScore(
                settings.number("priorSuccesses", 1, ConjugateMethods.PRIOR_COUNTS),
                settings.number("priorFailures", 1, ConjugateMethods.PRIOR_COUNTS),
                shape.publicSize());
        return method(BetaBernoulli.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> categorical(DataShape shape, SettingValues settings) {
        DirichletCategoricalScore model = new DirichletCategoricalScore(
                ConjugateMethods.categories(shape),
                settings.number("priorConcentration", 1, ConjugateMethods.PRIOR_COUNTS),
                shape.publicSize());
        return method(DirichletCategorical.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> exponential(DataShape shape, SettingValues settings) {
        DataShape.Target.Numeric target = ConjugateMethods.waitingTimes(shape);
        GammaExponentialScore model = new GammaExponentialScore(
                settings.number("priorShape", 1, ConjugateMethods.PRIOR_COUNTS),
                settings.number("priorRate", target.high() / 2, Limits.around(target.high() / 2, 1e6)),
                settings.number("scoreBound", GammaExponentialScore.WIDE_BOUND, Limits.between(1, 1e3)),
                shape.publicSize());
        return method(GammaExponential.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> method(String name, ScoreFieldModel model, ModelUse use, SettingValues settings) {
        ModelImpliedField kernel = new ModelImpliedField(
                settings.integer("steps", ModelImpliedField.STANDARD_STEPS, 1, SharedSettings.MOST_STEPS));
        return new FitMethod<>(name, kernel, model, use, settings.inForce(), Optional.empty());
    }
}
