package dev.tacit.audit.bound;

/**
 * How often one event happened on two neighbours, with bounds that hold together at a stated error.
 *
 * <pre>
 *   epsilon ≥ ln((P(E on D) − delta) / P(E on D′)),    P by Clopper, Pearson 1934, the first from below, the second from above
 * </pre>
 *
 * @param event in words
 * @param likely its count where it should be too likely
 * @param unlikely its count on the neighbour
 * @param likelyAtLeast lower bound of its probability where it is likely
 * @param unlikelyAtMost upper bound of its probability on the neighbour
 */
public record ErrorRates(
        String event, BinomialCount likely, BinomialCount unlikely, double likelyAtLeast, double unlikelyAtMost) {
    /**
     * @param share the probability, at most, with which each of the two bounds is wrong
     */
    public static ErrorRates of(String event, BinomialCount likely, BinomialCount unlikely, double share) {
        return new ErrorRates(event, likely, unlikely, likely.lowerBound(share), unlikely.upperBound(share));
    }

    /** The epsilon that the counts rule out everything below of, at a delta; 0 if they rule out nothing. */
    public double epsilon(double delta) {
        return likelyAtLeast > delta ? Math.max(0, Math.log((likelyAtLeast - delta) / unlikelyAtMost)) : 0;
    }

    /** By how much the event is more likely than a claim allows; not positive if it is not. */
    public double excess(ClaimedCurve claim) {
        return likelyAtLeast - claim.mostLikely(unlikelyAtMost);
    }
}
