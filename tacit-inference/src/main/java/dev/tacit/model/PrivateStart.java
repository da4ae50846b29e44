package dev.tacit.model;

import dev.tacit.door.session.NoisySum;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;

/**
 * Releases before the first step of expectation propagation, bought with a share of the budget: where components lie, how
 * columns are scaled, how much records say about each direction.
 *
 * <p>Every release is a full pass, and its noisy sum changes the constants of the model, which only released and public
 * numbers reach.
 */
public interface PrivateStart {
    /** What is released, in words that may be published. */
    String label();

    /** How many releases there are, all alike. */
    int releases();

    /** How many numbers each has. */
    int dimension();

    /** The public L2 bound at which contributions are clipped. */
    double l2Bound();

    /** The part of the budget that all of them together may spend, between 0 and 1 (see {@link #relativeNoise}). */
    double budgetShare();

    /** The constants before the first of these releases. */
    double[] begin(RandomStream random);

    /** What one record contributes to a release. */
    ContributionSum query(double[] constants, int release);

    /** The constants after a release. */
    double[] constants(double[] before, int release, NoisySum released);

    /**
     * Noise multiplier of these releases over that of the steps that follow, so that to first order (Σ rate² /
     * multiplier² is what Gaussian releases spend) they take their share.
     */
    default double relativeNoise(int steps, double samplingRate) {
        return Math.sqrt((1 - budgetShare()) * releases() / (budgetShare() * steps)) / samplingRate;
    }
}
