package dev.tacit.cli;

import java.util.Map;
import java.util.Optional;

/** What was measured of a method's intervals on published tables. */
final class MeasuredIntervals {
    private static final Map<String, String> SENTENCES = Map.of();

    private MeasuredIntervals() {}

    /** A sentence to stand beside the intervals; empty for methods without one. */
    static Optional<String> of(FittedModel fitted) {
        return Optional.ofNullable(SENTENCES.get(fitted.model() + " " + fitted.method()));
    }
}
