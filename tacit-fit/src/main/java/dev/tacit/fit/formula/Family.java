package dev.tacit.fit.formula;

import dev.tacit.fit.base.FitException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How a response is distributed around its predictor, by the name that a formula uses and by that of the model. */
public enum Family {
    /** One of two values; coefficients are logarithms of odds ratios. */
    BERNOULLI("logistic-regression", "logit", "odds ratio"),
    /** A number. */
    GAUSSIAN("linear-regression", "identity", ""),
    /** A count; coefficients are logarithms of rate ratios. */
    POISSON("poisson-regression", "log", "rate ratio"),
    /** A count that varies more than a Poisson one. */
    NEGATIVE_BINOMIAL("negative-binomial-regression", "log", "rate ratio"),
    /** A positive number whose standard deviation is proportional to its mean; coefficients are logarithms of ratios of means. */
    GAMMA("gamma-regression", "log", "ratio of means"),
    /** A number with outliers. */
    STUDENT("student-regression", "identity", ""),
    /** A share between 0 and 1; coefficients are logarithms of odds ratios. */
    BETA("beta-regression", "logit", "odds ratio"),
    /** One of several values with an order. */
    ORDINAL("ordinal-regression", "cumulative logit", "odds ratio"),
    /** One of several values without an order; coefficients are logarithms of odds ratios of a value and the reference. */
    MULTINOMIAL("multinomial-regression", "softmax", "odds ratio"),
    /** A time to an event, some of them censored; coefficients are logarithms of hazard ratios. */
    PIECEWISE_EXPONENTIAL("piecewise-exponential-regression", "log", "hazard ratio");

    private final String model;
    private final String link;
    private final String ratio;

    Family(String model, String link, String ratio) {
        this.model = model;
        this.link = link;
        this.ratio = ratio;
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
