package dev.tacit.model;

import dev.tacit.door.session.NoisySum;
import dev.tacit.query.ContributionSum;

/**
 * One full pass before the steps of private variational Bayes, whose noisy sum becomes hyper-parameters: for topics the
 * frequencies of words.
 */
public interface PreliminaryRelease {
    /** What is released, in words that may be published. */
    String label();

    /** The part of the budget that it may spend, between 0 and 1 (to first order, see {@link #relativeNoise}). */
    double budgetShare();

    /** What one record contributes. */
    ContributionSum query();

    /** The public L2 bound at which contributions are clipped. */
    double l2Bound();

    /** The hyper-parameters that the release gives. */
    double[] hyperParameters(NoisySum released);

    /**
     * Noise multiplier of this release over that of each of the steps that follow, so that to first order
     * (Σ rate² / multiplier² is what Gaussian releases spend) it takes its share: √((1 − share) / (share · steps)) / rate.
     */
    default double relativeNoise(int steps, double samplingRate) {
        return Math.sqrt((1 - budgetShare()) / (budgetShare() * steps)) / samplingRate;
    }
}
