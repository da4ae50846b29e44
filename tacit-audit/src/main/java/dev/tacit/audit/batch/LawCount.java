package dev.tacit.audit.batch;

import dev.tacit.audit.bound.BinomialCount;
import java.util.Locale;

/**
 * How often something happened in independent trials whose probability the plan fixes.
 *
 * @param what happened, in words
 * @param count how often
 * @param probability by the law of the batches
 */
record LawCount(String what, BinomialCount count, double probability) {
    /** Whether the count contradicts its probability, which it does with probability {@code falseAlarm} at most if the law holds. */
    boolean contradicts(double falseAlarm) {
        return !(probability >= count.lowerBound(falseAlarm / 2) && probability <= count.upperBound(falseAlarm / 2));
    }

    String words() {
        return String.format(
                Locale.ROOT,
                "%s in %d of %d trials, and their law has %.4g",
                what,
                count.hits(),
                count.trials(),
                probability * count.trials());
    }
}
