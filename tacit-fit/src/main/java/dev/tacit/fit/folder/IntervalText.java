package dev.tacit.fit.folder;

import dev.tacit.fit.artefact.MeasuredIntervals;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.fit.twin.IntervalCheck;

/** What is said beside intervals: whether anybody has looked how often they hold the truth. */
public final class IntervalText {
    /** Ends a sentence about intervals. */
    public static final String WEIGHTS_MEAN_NOTHING =
            "of single weights mean nothing: units can change places. Judge predictions (tacit score).";

    private static final String NOT_CHECKED = "Nobody has checked yet how often intervals of this fit hold the truth;"
            + " tacit diagnose does, and it costs nothing.";

    private static final String NOT_REPEATABLE = "Parties did not wait for each other, which no simulated twin repeats:"
            + " nobody can check how often intervals of this fit hold the truth.";

    private static final String TOO_NARROW = "Intervals are too narrow: they do not count the privacy noise, which went"
            + " through an optimiser at each party. ";

    private IntervalText() {}

    /** What twins said of the intervals, or what is known of them without. */
    public static String checked(FitOutcome outcome) {
        return outcome.check().map(IntervalCheck::sentence).orElseGet(() -> unchecked(outcome));
    }

    private static String unchecked(FitOutcome outcome) {
        boolean counted =
                outcome.release().study().map(StudyRecord::noiseCounted).orElse(true);
        return (counted ? "" : TOO_NARROW) + (outcome.fitted().repeatable() ? NOT_CHECKED : NOT_REPEATABLE);
    }

    /** How the intervals are to be read. */
    public static String of(FitOutcome outcome) {
        if (!outcome.fitted().identifiable()) {
            return "Intervals " + WEIGHTS_MEAN_NOTHING;
        }
        String checked = checked(outcome);
        return MeasuredIntervals.of(outcome.fitted())
                .map(measured -> checked + " " + measured)
                .orElse(checked);
    }
}
