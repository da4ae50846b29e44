package dev.tacit.door.session;

/**
 * One noisy sum as it was drawn.
 *
 * @param index of the release in its plan, from 0
 * @param l2Bound the bound that contributions were clipped to
 * @param noiseStandardDeviation of the noise on each number
 * @param integers the noisy sum, in steps of the grid
 */
public record SealedRelease(long index, double l2Bound, double noiseStandardDeviation, long[] integers) {}
