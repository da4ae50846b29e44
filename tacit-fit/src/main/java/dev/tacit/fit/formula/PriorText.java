package dev.tacit.fit.formula;

import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.util.Optional;
import java.util.regex.Pattern;

/** The prior of a fit in words. */
final class PriorText {
    private static final Pattern ALL_COLUMNS = Pattern.compile("(^|;)\\s*b\\s*~");

    private PriorText() {}

    /** What was believed before the data; empty for methods that do not say it in natural units. */
    static Optional<String> sentence(StoredPosterior fitted) {
        if (fitted.prior().isEmpty()) {
            return Optional.empty();
        }
        Object own = fitted.settings().get(FormulaRequest.PRIOR);
        String given = own == null ? "" : own.toString();
        String columns = ALL_COLUMNS.matcher(given).find() ? "" : "normal(0, 2.5) per standard deviation of a column, ";
        return Optional.of((given.isEmpty() ? "" : given + "; otherwise ") + columns
                + "normal(0, 5) on the intercept at the centre" + groups(fitted)
                + "; tacit refit changes it at no cost");
    }

    private static String groups(StoredPosterior fitted) {
        return fitted.posterior() instanceof GroupedPosterior
                ? ", half-normal(1) on the standard deviation of groups"
                : "";
    }
}
