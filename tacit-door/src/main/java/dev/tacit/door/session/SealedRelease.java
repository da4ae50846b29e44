package dev.tacit.door.session;

/**
 * One noisy sum as it was drawn.
 *
 * @param index of the release in its plan, from 0
 * @param l2Bound the bound that contributions were clipped to
 * @param noiseStandardDeviation of the noise on each number
 * @param value the noisy sum
 */
public record SealedRelease(long index, double l2Bound, double noiseStandardDeviation, double[] value) {}
