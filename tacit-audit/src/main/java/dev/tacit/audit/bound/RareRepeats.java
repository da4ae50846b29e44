package dev.tacit.audit.bound;

/**
 * Whether noise came out the same more often than chance has it.
 *
 * <pre>
 *   P(at least k) ≤ exp(k − λ − k ln(k/λ)) for k ≥ λ,    λ the sum of the probabilities of single repeats
 * </pre>
 *
 * Chernoff 1952; repeats need not be independent, only each as unlikely as said whatever happened before.
 *
 * @param seen how often noise was that of an earlier release, or none at all
 * @param expected at most so often by chance
 */
public record RareRepeats(long seen, double expected) {
    /** The probability, at most, of seeing so many by chance. */
    public double probability() {
        if (seen <= expected) {
            return 1;
        }
        double mean = Math.max(expected, Double.MIN_NORMAL);
        return Math.exp(seen - mean - seen * Math.log(seen / mean));
    }
}
