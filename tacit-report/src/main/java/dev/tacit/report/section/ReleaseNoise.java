package dev.tacit.report.section;

/**
 * How much of one released sum is noise.
 *
 * @param label which release
 * @param noiseToSignal length of the expected noise over the length of the released sum, as {@code NoisySum} says it
 */
public record ReleaseNoise(String label, double noiseToSignal) {}
