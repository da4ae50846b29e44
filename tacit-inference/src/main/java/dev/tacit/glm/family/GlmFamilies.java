package dev.tacit.glm.family;

import java.util.List;

/** The families that a name stands for. */
public final class GlmFamilies {
    static final String ORDINAL = "ordinal:";

    private GlmFamilies() {}

    /** All names; that of an ordinal family has the number of levels behind it. */
    public static List<String> names() {
        return List.of(
                "bernoulli",
                "bernoulli-probit",
                "bernoulli-cloglog",
                "gaussian",
                "poisson",
                "negative-binomial",
                "gamma",
                "student",
                "beta",
                "ordinal:LEVELS",
                "multinomial:RESPONSE:REFERENCE:LEVELS",
                "piecewise-exponential:CUTS:END");
    }

    /** The family of a name. */
    public static GlmFamily named(String name) {
        if (name.matches(ORDINAL + "[0-9]{1,2}")) {
            return new OrdinalLogit(Integer.parseInt(name.substring(ORDINAL.length())));
        }
        if (name.startsWith(MultinomialLogit.PREFIX)) {
            return MultinomialLogit.named(name);
        }
        if (name.startsWith(PiecewiseExponential.PREFIX)) {
            return PiecewiseExponential.named(name);
        }
        return switch (name) {
            case "bernoulli" -> new BernoulliLink(BernoulliLink.Link.LOGIT);
            case "bernoulli-probit" -> new BernoulliLink(BernoulliLink.Link.PROBIT);
            case "bernoulli-cloglog" -> new BernoulliLink(BernoulliLink.Link.CLOGLOG);
            case "gaussian" -> new GaussianResponse();
            case "poisson" -> new QuasiPoisson();
            case "negative-binomial" -> new NegativeBinomial();
            case "gamma" -> new GammaLog();
            case "student" -> new StudentResponse();
            case "beta" -> new BetaLogit();
            default ->
                throw new IllegalArgumentException(
                        "there is no family " + name + "; the families are " + String.join(", ", names()));
        };
    }
}
