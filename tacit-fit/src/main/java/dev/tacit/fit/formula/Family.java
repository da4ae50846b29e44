package dev.tacit.fit.formula;

import dev.tacit.data.formula.design.Response;
import dev.tacit.fit.base.FitException;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a response is distributed around its predictor, by the name that a formula uses and by that of the model. */
public enum Family {
    /** One of two values; coefficients are logarithms of odds ratios. */
    BERNOULLI("logistic-regression", "logit", "odds ratio", Needs.BINARY),
    /** A number. */
    GAUSSIAN("linear-regression", "identity", "", Needs.NUMBER),
    /** A count; coefficients are logarithms of rate ratios. */
    POISSON("poisson-regression", "log", "rate ratio", Needs.COUNT),
    /** A count that varies more than a Poisson one. */
    NEGATIVE_BINOMIAL("negative-binomial-regression", "log", "rate ratio", Needs.COUNT),
    /** A positive number whose standard deviation is proportional to its mean; coefficients are logarithms of ratios of means. */
    GAMMA("gamma-regression", "log", "ratio of means", Needs.POSITIVE),
    /** A number with outliers. */
    STUDENT("student-regression", "identity", "", Needs.NUMBER),
    /** A share between 0 and 1; coefficients are logarithms of odds ratios. */
    BETA("beta-regression", "logit", "odds ratio", Needs.SHARE),
    /** One of several values with an order. */
    ORDINAL("ordinal-regression", "cumulative logit", "odds ratio", Needs.ORDERED),
    /** One of several values without an order; coefficients are logarithms of odds ratios of a value and the reference. */
    MULTINOMIAL("multinomial-regression", "softmax", "odds ratio", Needs.CATEGORY),
    /** A time to an event, some of them censored; coefficients are logarithms of hazard ratios. */
    PIECEWISE_EXPONENTIAL("piecewise-exponential-regression", "log", "hazard ratio", Needs.TIME);

    private final String model;
    private final String link;
    private final String ratio;
    private final Needs needs;

    Family(String model, String link, String ratio, Needs needs) {
        this.model = model;
        this.link = link;
        this.ratio = ratio;
        this.needs = needs;
    }

    /** What a response has to be declared as. */
    private enum Needs {
        BINARY("a column of type binary"),
        NUMBER("a number"),
        POSITIVE("a number with bounds from 0 on"),
        COUNT("a count, or a number from 0"),
        SHARE("a number with bounds strictly between 0 and 1, such as 0.001 and 0.999,"),
        ORDERED("a column of type category, its categories in ascending order"),
        CATEGORY("a column of type category"),
        TIME("Surv(time, event, cuts = c(6, 12))");

        private final String words;

        Needs(String words) {
            this.words = words;
        }

        private boolean hold(Response response) {
            boolean number = response.kind() == Response.Kind.NUMBER || response.kind() == Response.Kind.COUNT;
            return switch (this) {
                case BINARY -> response.kind() == Response.Kind.BINARY;
                case NUMBER -> number;
                case POSITIVE, COUNT -> number && response.lower() >= 0;
                case SHARE -> number && response.lower() > 0 && response.upper() < 1;
                case ORDERED, CATEGORY -> response.kind() == Response.Kind.CATEGORY;
                case TIME -> response.kind() == Response.Kind.SURVIVAL;
            };
        }
    }

    /** Refuses a response that is declared otherwise than the family needs it. */
    void require(Response response) {
        if (!needs.hold(response)) {
            throw FitException.usage("--family " + label() + " needs " + needs.words + " as its response, and \""
                    + response.label() + "\" is declared otherwise; change the schema or the family.");
        }
    }

    /** Whether effects multiply the expected response. */
    public boolean isMultiplicative() {
        return link.equals("log");
    }

    /** The expected response at a predictor, where one number says both. */
    double response(double eta) {
        return switch (link) {
            case "log" -> Math.exp(eta);
            case "logit" -> SpecialFunctions.sigmoid(eta);
            default -> eta;
        };
    }

    /** On the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The model that fits it. */
    public String model() {
        return model;
    }

    /** Its name with its link. */
    public String withLink() {
        return label() + " (" + link + ")";
    }

    /** What the exponential of a coefficient is; empty if it is nothing that has a name. */
    public String ratio() {
        return ratio;
    }

    static Family ofLabel(String label) {
        return Arrays.stream(values())
                .filter(family -> family.label().equals(label))
                .findFirst()
                .orElseThrow(() -> FitException.usage("--family must be one of "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Family::label).toList())
                        + "."));
    }

    public static Optional<Family> ofModel(String model) {
        return Arrays.stream(values())
                .filter(family -> family.model.equals(model))
                .findFirst();
    }
}
