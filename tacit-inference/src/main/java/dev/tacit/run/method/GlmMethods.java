package dev.tacit.run.method;

import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.glm.family.BernoulliLink;
import dev.tacit.glm.family.BetaLogit;
import dev.tacit.glm.family.GammaLog;
import dev.tacit.glm.family.GaussianResponse;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.MultinomialLogit;
import dev.tacit.glm.family.NegativeBinomial;
import dev.tacit.glm.family.OrdinalLogit;
import dev.tacit.glm.family.PiecewiseExponential;
import dev.tacit.glm.family.QuasiPoisson;
import dev.tacit.glm.family.StudentResponse;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.ProbitRegression;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How regressions are fitted by their private likelihood. */
final class GlmMethods {
    private static final String ORDINAL = "ordinal-regression";
    private static final String MULTINOMIAL = "multinomial-regression";
    private static final String SURVIVAL = "piecewise-exponential-regression";

    private static final String ABOUT =
            "a formula's columns in natural units: sums that are a likelihood for any prior, with intervals that hold";

    private GlmMethods() {}

    static List<Entry> entries() {
        return List.of(
                entry(LogisticRegression.NAME, "", shape -> new BernoulliLink(BernoulliLink.Link.LOGIT)),
                entry(LinearRegression.NAME, "", shape -> new GaussianResponse()),
                entry(PoissonRegression.NAME, "counts; ", shape -> new QuasiPoisson()),
                entry(ProbitRegression.NAME, "", shape -> new BernoulliLink(BernoulliLink.Link.PROBIT)),
                entry(
                        "cloglog-regression",
                        "two classes with complementary log-log link; ",
                        shape -> new BernoulliLink(BernoulliLink.Link.CLOGLOG)),
                entry(
                        "negative-binomial-regression",
                        "counts with more variance than their mean; ",
                        shape -> new NegativeBinomial()),
                entry("gamma-regression", "positive numbers with log link; ", shape -> new GammaLog()),
                entry("student-regression", "numbers with outliers; ", shape -> new StudentResponse()),
                entry("beta-regression", "shares between 0 and 1; ", shape -> new BetaLogit()),
                entry(ORDINAL, "ordered classes; ", GlmMethods::ordinal),
                entry(MULTINOMIAL, "classes without an order; ", GlmMethods::multinomial),
                entry(SURVIVAL, "times to an event, some censored; ", GlmMethods::survival));
    }

    private static Entry entry(String model, String target, Function<DataShape, GlmFamily> family) {
        return Entry.standard(
                model,
                PrivateLikelihoodKernel.NAME,
                target + ABOUT,
                (shape, settings, isPrivate) -> method(model, family.apply(shape), shape, settings, isPrivate));
    }

    private static GlmFamily ordinal(DataShape shape) {
        if (shape.target() instanceof DataShape.Target.Category target) {
            return new OrdinalLogit(target.categories().size());
        }
        throw new SettingException(ORDINAL + " needs a target of type category, its categories in their order");
    }

    private static GlmFamily multinomial(DataShape shape) {
        if (shape.target() instanceof DataShape.Target.Category target) {
            return new MultinomialLogit(target.name(), target.categories(), target.reference());
        }
        throw new SettingException(MULTINOMIAL + " needs a target of type category");
    }

    private static GlmFamily survival(DataShape shape) {
        if (shape.target() instanceof DataShape.Target.Survival target) {
            return new PiecewiseExponential(
                    target.ends().stream().mapToDouble(Double::doubleValue).toArray());
        }
        throw new SettingException(SURVIVAL + " needs a time and whether it ended with the event;"
                + " give a formula like Surv(months, died, cuts = c(6, 12)) ~ age");
    }

    private static FitMethod<?, ?> method(
            String name, GlmFamily family, DataShape shape, SettingValues settings, boolean isPrivate) {
        GlmDesign design = shape.design()
                .orElseThrow(() -> new SettingException("the method " + PrivateLikelihoodKernel.NAME
                        + " needs a formula, so that columns are in natural units; give one with --formula"));
        GlmPrior prior = GlmPrior.parse(settings.text("prior", ""));
        double low = 0;
        double high = 0;
        if (shape.target() instanceof DataShape.Target.Category target && name.equals(ORDINAL)) {
            high = target.categories().size() - 1;
        } else if (shape.target() instanceof DataShape.Target.Survival target && name.equals(SURVIVAL)) {
            high = target.ends().get(target.ends().size() - 1);
        } else if (family.standardisesTarget()) {
            DataShape.Target.Numeric target = shape.numberTarget()
                    .orElseThrow(() -> new SettingException(name + " needs a target that is a number with bounds"));
            low = target.low();
            high = target.high();
        } else if (!(shape.target() instanceof DataShape.Target.Binary) && !name.equals(MULTINOMIAL)) {
            throw new SettingException(name + " needs a target of type binary");
        }
        GlmModel model = new GlmModel(design, family, low, high, prior);
        prior.requireColumns(model);
        PrivateLikelihoodKernel kernel =
                isPrivate ? new PrivateLikelihoodKernel() : PrivateLikelihoodKernel.withoutNoise();
        return new FitMethod<>(
                name,
                kernel,
                model,
                model,
                settings.inForce(),
                Optional.of(state -> kernel.read(state, model).withoutNoise()));
    }
}
