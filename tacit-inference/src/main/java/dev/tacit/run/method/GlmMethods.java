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
import java.util.Optional;

/** How regressions are fitted by their private likelihood. */
final class GlmMethods {
    static final String CLOGLOG = "cloglog-regression";
    static final String NEGATIVE_BINOMIAL = "negative-binomial-regression";
    static final String GAMMA = "gamma-regression";
    static final String STUDENT = "student-regression";
    static final String BETA = "beta-regression";
    static final String ORDINAL = "ordinal-regression";
    static final String MULTINOMIAL = "multinomial-regression";
    static final String SURVIVAL = "piecewise-exponential-regression";

    private GlmMethods() {}

    static Optional<FitMethod<?, ?>> find(String model, DataShape shape, SettingValues settings, boolean isPrivate) {
        return family(model, shape).map(family -> method(model, family, shape, settings, isPrivate));
    }

    private static Optional<GlmFamily> family(String model, DataShape shape) {
        return switch (model) {
            case LogisticRegression.NAME -> Optional.of(new BernoulliLink(BernoulliLink.Link.LOGIT));
            case LinearRegression.NAME -> Optional.of(new GaussianResponse());
            case PoissonRegression.NAME -> Optional.of(new QuasiPoisson());
            case ProbitRegression.NAME -> Optional.of(new BernoulliLink(BernoulliLink.Link.PROBIT));
            case CLOGLOG -> Optional.of(new BernoulliLink(BernoulliLink.Link.CLOGLOG));
            case NEGATIVE_BINOMIAL -> Optional.of(new NegativeBinomial());
            case GAMMA -> Optional.of(new GammaLog());
            case STUDENT -> Optional.of(new StudentResponse());
            case BETA -> Optional.of(new BetaLogit());
            case ORDINAL -> Optional.of(ordinal(shape));
            case MULTINOMIAL -> Optional.of(multinomial(shape));
            case SURVIVAL -> Optional.of(survival(shape));
            default -> Optional.empty();
        };
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
