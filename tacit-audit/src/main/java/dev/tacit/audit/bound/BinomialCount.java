package dev.tacit.audit.bound;

import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * How often something happened in independent trials, with exact confidence bounds on its probability p.
 *
 * <pre>
 *   lower:  P(Bin(n, p) ≥ k) = falseAlarm        upper:  P(Bin(n, p) ≤ k) = falseAlarm
 * </pre>
 *
 * Clopper, Pearson 1934. Each bound is wrong with probability at most {@code falseAlarm}, whatever p is.
 *
 * @param hits number of trials in which it happened
 * @param trials number of trials
 */
public record BinomialCount(long hits, long trials) {
    public BinomialCount {
        if (hits < 0 || trials < 1 || hits > trials) {
            throw new IllegalArgumentException("hits lie between 0 and the number of trials, which is at least 1");
        }
    }

    /** The share of trials in which it happened. */
    public double share() {
        return (double) hits / trials;
    }

    /** A number that p exceeds, except with probability {@code falseAlarm}. */
    public double lowerBound(double falseAlarm) {
        if (hits == 0) {
            return 0;
        }
        // P(Bin(n, p) ≥ k) = I_p(k, n - k + 1) increases in p.
        double low = 0;
        double high = share();
        for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
            double middle = (low + high) / 2;
            if (RegularizedBeta.value(middle, (double) hits, trials - hits + 1.0) < falseAlarm) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** A number that p stays below, except with probability {@code falseAlarm}. */
    public double upperBound(double falseAlarm) {
        return 1 - new BinomialCount(trials - hits, trials).lowerBound(falseAlarm);
    }
}
