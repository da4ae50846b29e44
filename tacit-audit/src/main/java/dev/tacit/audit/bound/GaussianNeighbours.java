package dev.tacit.audit.bound;

import org.apache.commons.numbers.gamma.Erfc;

/**
 * The outputs of one Gaussian release on neighbours, along the line on which they differ.
 *
 * <pre>
 *   without the unit  N(0, 1),      with it  (1 − rate) N(0, 1) + rate N(distance, 1)
 * </pre>
 *
 * @param distance how far the unit moves the sum, in deviations of the noise
 * @param rate the probability with which it is in the batch
 */
public record GaussianNeighbours(double distance, double rate) {
    /** One release that every unit takes part in, whose unit uses its bound. */
    public static GaussianNeighbours ofNoise(double noiseMultiplier) {
        return ofNoise(noiseMultiplier, 1);
    }

    /** One release that a unit takes part in with a probability. */
    public static GaussianNeighbours ofNoise(double noiseMultiplier, double samplingRate) {
        return new GaussianNeighbours(1 / noiseMultiplier, samplingRate);
    }

    /**
     * The release that has exactly this claim.
     *
     * <pre>
     *   Φ(m/2 − ε/m) − e^ε Φ(−m/2 − ε/m) = delta,     m the distance
     * </pre>
     */
    public static GaussianNeighbours ofClaim(double epsilon, double delta) {
        double low = 0;
        double high = 100;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            double spent = middle == 0
                    ? 0
                    : normal(middle / 2 - epsilon / middle)
                            - Math.exp(epsilon) * normal(-middle / 2 - epsilon / middle);
            if (spent > delta) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return new GaussianNeighbours(low < 1e-12 ? 0 : low, 1);
    }

    /** The same with its noise times a factor. */
    GaussianNeighbours withNoise(double factor) {
        return new GaussianNeighbours(distance / factor, rate);
    }

    /** P(output ≥ threshold) without the unit. */
    double aboveWithout(double threshold) {
        return normal(-threshold);
    }

    /** P(output ≥ threshold) with the unit. */
    double aboveWith(double threshold) {
        return (1 - rate) * normal(-threshold) + rate * normal(distance - threshold);
    }

    private static double normal(double x) {
        return Erfc.value(-x / Math.sqrt(2)) / 2;
    }
}
