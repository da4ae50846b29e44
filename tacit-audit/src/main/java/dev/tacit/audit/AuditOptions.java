package dev.tacit.audit;

import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/**
 * How much an audit does.
 *
 * @param confidence at which an honest run is not accused, by all layers together
 * @param seed from which everything is drawn; the same seed and number of runs give the same audit
 * @param threads how many run side by side
 * @param seconds about how long it may take, if the number of runs is not given
 * @param runs on each table; as many as there is time for if empty
 * @param queryPoints how many runs of the method say what all others ask; 0 for every run by itself, or what time allows
 * @param fits whole fits of each table for the black box, at least 40 or none; as many as seem right if empty
 * @param clock nanoseconds, to find out how many that is
 * @param folder for small files that are removed again
 */
public record AuditOptions(
        double confidence,
        long seed,
        int threads,
        double seconds,
        OptionalInt runs,
        int queryPoints,
        OptionalInt fits,
        LongSupplier clock,
        Path folder) {
    public AuditOptions {
        if (!(confidence > 0.5 && confidence < 1)) {
            throw new IllegalArgumentException("a confidence lies between 0.5 and 1");
        }
        if (threads < 1 || !(seconds > 0)) {
            throw new IllegalArgumentException("an audit takes a thread and some time");
        }
    }

    /** A number of runs in place of a time, and no whole fits. */
    public static AuditOptions ofRuns(int runs, long seed, Path folder) {
        return new AuditOptions(0.999, seed, 1, 1, OptionalInt.of(runs), 0, OptionalInt.of(0), () -> 0, folder);
    }

    /** The same with so many whole fits. */
    public AuditOptions withFits(int count) {
        return new AuditOptions(
                confidence, seed, threads, seconds, runs, queryPoints, OptionalInt.of(count), clock, folder);
    }

    /** The same, with this many runs of the method that say what all others ask: for methods that compute long between releases. */
    public AuditOptions withQueryPoints(int count) {
        return new AuditOptions(confidence, seed, threads, seconds, runs, count, fits, clock, folder);
    }
}
