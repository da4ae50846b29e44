package dev.tacit.door.unit;

/**
 * How much may be revealed in all: (epsilon, delta) differential privacy.
 *
 * @param epsilon largest privacy loss, finite and at least 0
 * @param delta probability mass on which that loss may be exceeded, strictly between 0 and 1
 */
public record PrivacyBudget(double epsilon, double delta) {
    public PrivacyBudget {
        if (!(epsilon >= 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon must be a finite number, 0 or more");
        }
        requireDelta(delta);
    }

    /** The one check of a delta, shared by everything that takes one. */
    public static double requireDelta(double delta) {
        if (!(delta > 0 && delta < 1)) {
            throw new IllegalArgumentException("delta must be strictly between 0 and 1");
        }
        return delta;
    }
}
