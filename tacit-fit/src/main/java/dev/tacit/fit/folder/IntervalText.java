package dev.tacit.fit.folder;

import dev.tacit.fit.artefact.MeasuredIntervals;
import dev.tacit.fit.twin.IntervalCheck;

/** What is said beside intervals: whether anybody has looked how often they hold the truth. */
public final class IntervalText {
    /** Ends a sentence about intervals. */
    public static final String WEIGHTS_MEAN_NOTHING =
            "of single weights mean nothing: units can change places. Judge predictions (tacit score).";

    public static final String NOT_CHECKED = "Nobody has checked yet how often intervals of this fit hold the truth;"
            + " tacit diagnose does, and it costs nothing.";

    private IntervalText() {}

    /** How the intervals are to be read. */
    public static String of(FitOutcome outcome) {
        if (!outcome.fitted().identifiable()) {
            return "Intervals " + WEIGHTS_MEAN_NOTHING;
        }
        String checked = outcome.check().map(IntervalCheck::sentence).orElse(NOT_CHECKED);
        return MeasuredIntervals.of(outcome.fitted())
                .map(measured -> checked + " " + measured)
                .orElse(checked);
    }
}
