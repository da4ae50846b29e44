package dev.tacit.testkit.neighbour;

/**
 * Ways to break a noisy sum that a {@link NeighbourTest} must notice, and the one that must pass.
 *
 * <p>A test runs the same release under every constant, so it cannot be vacuous: the broken twins change one number on
 * its way into the real code and nothing else.
 */
public enum Sabotage {
    /** The release as it is. */
    NONE,
    /** Noise of half the standard deviation. */
    HALF_NOISE,
    /** Contributions of any size. */
    NO_CLIP,
    /** Every record takes part, though a random sample was claimed. */
    NO_SAMPLING;

    /** The bound to which noise is scaled; noise standard deviations are proportional to it. */
    public double noiseBound(double l2Bound) {
        return this == HALF_NOISE ? l2Bound / 2 : l2Bound;
    }

    /** The bound to which contributions are clipped. */
    public double clipBound(double l2Bound) {
        return this == NO_CLIP ? Double.MAX_VALUE : l2Bound;
    }

    /** The probability with which a record takes part. */
    public double samplingRate(double rate) {
        return this == NO_SAMPLING ? 1 : rate;
    }
}
