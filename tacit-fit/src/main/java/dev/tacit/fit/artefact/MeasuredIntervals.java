package dev.tacit.fit.artefact;

import java.util.Map;
import java.util.Optional;

/**
 * What was measured of intervals of the methods for scaled rows, said beside every number that they print: {@code tacit reproduce
 * method-coverage}, 20 fits each at epsilon 1 and delta 1e-5, outcomes simulated on the rows of published tables (4 000
 * intensive-care stays, 9 568 hours of a power plant, 71 518 patients with diabetes).
 */
public final class MeasuredIntervals {
    private static final Map<String, String> SENTENCES = Map.of(
            "logistic-regression residual-newton",
            measured("intensive-care stays", "residual-newton", "96%")
                    + " They are wide, and effects came out 60% too small.",
            "logistic-regression private-vb",
            measured("intensive-care stays", "private-vb", "66%"),
            "logistic-regression dpvi",
            measured("intensive-care stays", "dpvi", "45%"),
            "logistic-regression dp-sep",
            measured("intensive-care stays", "dp-sep", "32%"),
            "linear-regression dp-sep",
            measured("hours of a power plant", "dp-sep", "13%"),
            "linear-regression private-vb",
            measured("hours of a power plant", "private-vb", "75%"),
            "linear-regression dpvi",
            measured("hours of a power plant", "dpvi", "24%"),
            "poisson-regression dpvi",
            measured("patients with diabetes", "dpvi", "87%, of the worst parameter in 60%"));

    private MeasuredIntervals() {}

    private static String measured(String rows, String method, String share) {
        return "With outcomes simulated on published " + rows + " at epsilon 1, 90% intervals of " + method
                + " held the truth in " + share + " of cases; prefer --method private-likelihood for effects.";
    }

    /** A sentence to stand beside the intervals; empty for methods without one. */
    public static Optional<String> of(StoredPosterior fitted) {
        return Optional.ofNullable(SENTENCES.get(fitted.model() + " " + fitted.method()));
    }
}
