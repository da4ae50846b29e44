package dev.tacit.audit.bound;

import org.apache.commons.numbers.gamma.Erfc;

/**
 * The smallest defects that a test of so many outputs finds in a Gaussian release whose claim is tight.
 *
 * <pre>
 *   tight:          Φ(m/2 − ε/m) − e^ε Φ(−m/2 − ε/m) = delta,     m the distance of the neighbours in noise deviations
 *   noise times k:  distance m/k           leak p: on one neighbour, with probability p, an output that the other never has
 *   found:          lower bound of P(E on D)  >  e^ε · upper bound of P(E on D′) + delta      for the best half line E
 * </pre>
 *
 * with counts two standard errors on the wrong side of their expectation, so that such a defect is found in about nineteen
 * of twenty tests. A release that is not Gaussian, or outputs that do not show all that was released, can hide more.
 *
 * @param noiseFactor the largest factor on the noise that is found; 0 if none is
 * @param leak the smallest probability of a leak that is found; 1 if none is
 */
public record DetectableDefect(double noiseFactor, double leak) {
    private static final int HALVINGS = 12;
    private static final int THRESHOLDS = 80;
    private static final double WRONG_SIDE = 2;

    /**
     * @param epsilon claimed
     * @param delta claimed
     * @param trials how many outputs of each side are counted
     * @param share the probability, at most, with which each bound is wrong
     */
    public static DetectableDefect of(double epsilon, double delta, long trials, double share) {
        double distance = distance(epsilon, delta);
        if (distance == 0) {
            return new DetectableDefect(1, leak(epsilon, delta, distance, trials, share));
        }
        double low = 0.05;
        double high = 1;
        if (!found(epsilon, delta, distance / low, 0, trials, share)) {
            return new DetectableDefect(0, leak(epsilon, delta, distance, trials, share));
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (found(epsilon, delta, distance / middle, 0, trials, share)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new DetectableDefect(low, leak(epsilon, delta, distance, trials, share));
    }

    /** Whether defects of these sizes are found. */
    public boolean finds(double noise, double leakProbability) {
        return noiseFactor >= noise && leak <= leakProbability;
    }

    private static double leak(double epsilon, double delta, double distance, long trials, double share) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (found(epsilon, delta, distance, middle, trials, share)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private static boolean found(
            double epsilon, double delta, double distance, double leak, long trials, double share) {
        for (int i = 0; i <= THRESHOLDS; i++) {
            double threshold = -6 + (12 + distance) * i / THRESHOLDS;
            double likely = leak + (1 - leak) * normal(distance - threshold);
            double unlikely = normal(-threshold);
            double atLeast = count(likely, trials, -1).lowerBound(share);
            if (atLeast > delta
                    && atLeast > Math.exp(epsilon) * count(unlikely, trials, 1).upperBound(share) + delta) {
                return true;
            }
        }
        return false;
    }

    private static BinomialCount count(double probability, long trials, int side) {
        double deviation = Math.sqrt(trials * probability * (1 - probability));
        double hits = trials * probability + side * WRONG_SIDE * deviation;
        return new BinomialCount(Math.max(0, Math.min(trials, Math.round(hits))), trials);
    }

    private static double distance(double epsilon, double delta) {
        double low = 0;
        double high = 100;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            double spent = middle == 0
                    ? 0
                    : normal(middle / 2 - epsilon / middle)
                            - Math.exp(epsilon) * normal(-middle / 2 - epsilon / middle);
            if (spent > delta) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low < 1e-12 ? 0 : low;
    }

    private static double normal(double x) {
        return Erfc.value(-x / Math.sqrt(2)) / 2;
    }
}
