package dev.tacit.cli;

import java.util.Optional;

/** The prior of a fit in words. */
final class PriorText {
    /** The setting that holds priors of single terms. */
    static final String SETTING = "prior";

    private PriorText() {}

    /** What was believed before the data; empty for methods that do not say it in natural units. */
    static Optional<String> sentence(FittedModel fitted) {
        if (fitted.prior().isEmpty()) {
            return Optional.empty();
        }
        Object own = fitted.settings().get(SETTING);
        String terms = own == null || own.toString().isEmpty() ? "" : own + "; otherwise ";
        return Optional.of(terms + "normal(0, 2.5) per standard deviation of a column, normal(0, 5) on the intercept"
                + " at the centre; tacit refit changes it at no cost");
    }
}
