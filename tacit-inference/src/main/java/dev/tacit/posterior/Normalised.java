package dev.tacit.posterior;

/**
 * What a product, quotient or power of Gaussian factors normalises to: a distribution, or nothing.
 *
 * <p>In expectation propagation and partitioned inference a factor, or a cavity, need not have a finite integral. That is
 * a state to act on (skip the update, damp it, raise eigenvalues), so it is a value here and neither an exception nor a
 * covariance with negative eigenvalues.
 *
 * @param <P> the family of the distribution
 */
public sealed interface Normalised<P extends Posterior> {
    /** The factor is a multiple of this density. */
    record Proper<P extends Posterior>(P posterior) implements Normalised<P> {}

    /**
     * The integral of the factor is not finite.
     *
     * @param smallestEigenvalue of its precision, zero or negative (or tiny, if rounding decides); NaN if the factor is
     *     not finite
     */
    record Improper<P extends Posterior>(double smallestEigenvalue) implements Normalised<P> {}

    /** Whether there is a distribution. */
    default boolean isProper() {
        return this instanceof Proper;
    }

    /** The distribution, or an exception with the given reason if there is none. */
    default P orElseThrow(String reason) {
        if (this instanceof Proper<P> proper) {
            return proper.posterior();
        }
        throw new IllegalStateException(reason);
    }
}
