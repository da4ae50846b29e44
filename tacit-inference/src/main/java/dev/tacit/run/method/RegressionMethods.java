package dev.tacit.run.method;

import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PolyaGammaLogistic;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** How regressions on scaled rows are fitted by residual sums and by variational Bayes, with their defaults. */
final class RegressionMethods {
    private RegressionMethods() {}

    static List<Entry> entries() {
        return List.of(
                Entry.next(
                        LogisticRegression.NAME,
                        ResidualNewton.NAME,
                        "one release of curvature, then a few of residual sums, on rows scaled to a bounded norm",
                        RegressionMethods::residualNewton),
                Entry.other(
                        LogisticRegression.NAME,
                        PrivateVariationalBayes.NAME,
                        "variational Bayes by Pólya-Gamma variables, statistics released at every step",
                        RegressionMethods::polyaGamma),
                Entry.other(
                        LinearRegression.NAME,
                        PrivateVariationalBayes.NAME,
                        "variational Bayes with unknown noise, from one release of all statistics",
                        (shape, settings, isPrivate) -> linear(shape, settings)));
    }

    static ResidualNewton.Settings residualNewton(SettingValues settings, boolean isPrivate) {
        ResidualNewton.Settings standard = ResidualNewton.Settings.standard();
        return new ResidualNewton.Settings(
                settings.integer("rounds", isPrivate ? standard.rounds() : 50, 1, SharedSettings.MOST_STEPS),
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
                new PrivateVariationalBayes<GaussianPosterior>(SharedSettings.variationalBayes(
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
                new PrivateVariationalBayes<Posterior>(
                        SharedSettings.variationalBayes(shape, settings, 1, "linear-average", "full")),
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
                SharedSettings.precision(settings, 0.3 * shape.rowNormBound() * shape.rowNormBound()),
                target.low(),
                target.high(),
                shape.publicSize(),
                settings.number(
                        "squareWeight", 1 / shape.rowNormBound(), Limits.around(1 / shape.rowNormBound(), 1000)));
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
        return new LogisticRegression(
                shape.columns(), norm, SharedSettings.precision(settings, unitPrecision * norm * norm));
    }
}
