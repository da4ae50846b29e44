package dev.tacit.door.mechanism;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.noise.NoiseSource;

/**
 * How noise is added to a sum of bounded contributions, and what that promises.
 *
 * <p>A release goes through three calls: {@link #grid} says in which integers to add up, {@code UnitSum.add} checks and adds
 * each unit's clipped contribution, {@link #addNoise} adds the noise. The sum itself never leaves the integers before the
 * noise is in it.
 */
public interface NoiseMechanism {
    /**
     * What one release of a sum of the given dimension can reveal about a record whose contribution is within the L2
     * bound.
     */
    PrivacyProfile profile(int dimension);

    /** The same mechanism with the noise of this one times a factor. */
    NoiseMechanism scaled(double factor);

    /** The standard deviation of the noise on each coordinate. */
    double noiseStandardDeviation(double l2Bound);

    /** The grid on which contributions of L2 norm up to the bound are added up. */
    SumGrid grid(double l2Bound, int dimension);

    /**
     * True if outputs may be released; false for idealised noise, which refuses
     * {@code SecureNoise}.
     */
    boolean forRelease();

    /**
     * Adds the noise: exact discrete Gaussian integers on the grid.
     *
     * @param gridSums exact sums in units of {@link #grid}, one for each coordinate; noisy when this returns
     * @param l2Bound the bound that the grid was made for
     * @param noise fresh random bits
     */
    default void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
        double steps =
                noiseStandardDeviation(l2Bound) / grid(l2Bound, gridSums.length).granularity();
        noise.addDiscreteGaussian(steps, gridSums);
    }
}
