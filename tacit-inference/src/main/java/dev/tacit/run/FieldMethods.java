package dev.tacit.run;

import dev.tacit.inference.ModelImpliedField;
import dev.tacit.model.BetaBernoulli;
import dev.tacit.model.BetaBernoulliScore;
import dev.tacit.model.DirichletCategorical;
import dev.tacit.model.DirichletCategoricalScore;
import dev.tacit.model.GammaExponential;
import dev.tacit.model.GammaExponentialScore;
import dev.tacit.model.LinearRegression;
import dev.tacit.model.LinearRegressionScore;
import dev.tacit.model.ModelUse;
import dev.tacit.model.NormalColumnsRegression;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.calibration.CalibrationException;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How models are fitted by their model-implied field, with its defaults. */
public final class FieldMethods {
    /** Noise of the mean release over the bound, for which scores of a regression are clipped best. */
    public static final String AVERAGE_NOISE = "averageNoise";

    /** Public standard deviation of an encoded column. */
    public static final String COLUMN_DEVIATION = "columnDeviation";

    /** What epsilon 1 at delta 1e-5 takes. */
    private static final double STANDARD_NOISE = 4;

    /** Bounds of a centred column are taken to be four standard deviations from its middle. */
    private static final double STANDARD_DEVIATION = 0.25;

    private static final String INTERCEPT = "intercept";

    private FieldMethods() {}

    /**
     * Settings with the noise that a budget leads to, unless they say it: how scores are clipped may depend on it, and it is
     * public.
     */
    public static Map<String, String> withNoiseOf(
            PrivacyBudget budget, Neighbours neighbours, String model, String method, Map<String, String> settings)
            throws CalibrationException {
        if (!method.equals(ModelImpliedField.NAME)
                || !model.equals(LinearRegression.NAME)
                || settings.containsKey(AVERAGE_NOISE)) {
            return settings;
        }
        double noise = Calibrated.of(
                        ReleasePlan.of("scores", 1, 1, new SamplingScheme.FullPass()),
                        budget,
                        new ExactAccountant(),
                        neighbours)
                .noiseMultiplier();
        Map<String, String> with = new TreeMap<>(settings);
        with.put(AVERAGE_NOISE, Double.toString(noise));
        return with;
    }

    static Optional<FitMethod<?, ?>> find(String model, DataShape shape, SettingValues settings) {
        return switch (model) {
            case BetaBernoulli.NAME -> Optional.of(bernoulli(shape, settings));
            case DirichletCategorical.NAME -> Optional.of(categorical(shape, settings));
            case GammaExponential.NAME -> Optional.of(exponential(shape, settings));
            case LinearRegression.NAME -> Optional.of(regression(shape, settings));
            default -> Optional.empty();
        };
    }

    private static FitMethod<?, ?> bernoulli(DataShape shape, SettingValues settings) {
        if (!(shape.target() instanceof DataShape.Target.Binary)) {
            throw new SettingException(BetaBernoulli.NAME + " needs a target of type binary");
        }
        BetaBernoulliScore model = new BetaBernoulliScore(
                settings.number("priorSuccesses", 1), settings.number("priorFailures", 1), shape.publicSize());
        return method(BetaBernoulli.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> categorical(DataShape shape, SettingValues settings) {
        DirichletCategoricalScore model = new DirichletCategoricalScore(
                ConjugateMethods.categories(shape), settings.number("priorConcentration", 1), shape.publicSize());
        return method(DirichletCategorical.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> exponential(DataShape shape, SettingValues settings) {
        DataShape.Target.Numeric target = ConjugateMethods.waitingTimes(shape);
        GammaExponentialScore model = new GammaExponentialScore(
                settings.number("priorShape", 1),
                settings.number("priorRate", target.high() / 2),
                settings.number("scoreBound", GammaExponentialScore.WIDE_BOUND),
                shape.publicSize());
        return method(GammaExponential.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> regression(DataShape shape, SettingValues settings) {
        DataShape.Target.Numeric target = shape.numberTarget()
                .orElseThrow(
                        () -> new SettingException("linear regression needs a target that is a number with bounds"));
        if (shape.rowNormBound() < Math.sqrt(shape.columns().size()) * (1 - 1e-9)) {
            throw new SettingException(ModelImpliedField.NAME
                    + " of linear regression needs columns of type number with center: true, and no rowNorm");
        }
        List<String> columns = ConjugateMethods.withoutIntercept(shape);
        boolean intercept = shape.columns().contains(INTERCEPT);
        LinearRegressionScore.Setting setting = new LinearRegressionScore.Setting(
                columns,
                intercept,
                settings.number("priorPrecision", 0.25),
                settings.number("priorShape", 1),
                settings.number("priorRate", 0.01),
                shape.publicSize());
        NormalColumnsRegression model = new NormalColumnsRegression(
                LinearRegressionScore.of(setting, settings.number(AVERAGE_NOISE, STANDARD_NOISE)),
                intercept,
                settings.number(COLUMN_DEVIATION, STANDARD_DEVIATION),
                target.low(),
                target.high());
        return method(LinearRegression.NAME, model, model, settings);
    }

    private static FitMethod<?, ?> method(String name, ScoreFieldModel model, ModelUse use, SettingValues settings) {
        ModelImpliedField kernel = new ModelImpliedField(settings.integer("steps", ModelImpliedField.STANDARD_STEPS));
        return new FitMethod<>(name, kernel, model, use, settings.inForce(), Optional.empty());
    }
}
