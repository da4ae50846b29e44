package dev.tacit.federated.noise;

import java.math.BigInteger;

/**
 * How one party's noise is cut into a base and layers that can be taken off, as fractions of the variance z²C² of the whole noise.
 *
 * <pre>
 *   base      1 / (n − fixed)                           n = M − T parties whose noise counts
 *   layer k   1 / ((n − k)(n − k + 1)),  k = 1 … d       the base and the first k layers are 1/(n − k) together
 * </pre>
 *
 * Jiang, Wang, Chen 2024 (XNoise). With d' parties missing every survivor shows its layers above d'. The n − d' honest ones keep 1/(n − d')
 * each, so the honest noise in the sum is exactly the whole: absent parties cost neither privacy nor surplus noise. Without layers the
 * base is 1/(n − d), as {@link dev.tacit.partitioned.NoiseSharing} has it.
 *
 * @param honest n
 * @param fixed absences that the base allows for; 0 with layers
 * @param count d, or 0 without layers
 */
public record NoiseLayers(int honest, int fixed, int count) {
    public NoiseLayers {
        if (honest < 1 || fixed < 0 || count < 0 || honest - fixed - count < 1 || (fixed > 0 && count > 0)) {
            throw new IllegalArgumentException("noise is in layers for fewer absences than there are honest parties");
        }
    }

    /** The denominator of the base's fraction of the variance. */
    public int baseDenominator() {
        return honest - fixed;
    }

    /** The denominator of the fraction of layer k, from 1. */
    public BigInteger denominator(int layer) {
        if (layer < 1 || layer > count) {
            throw new IllegalArgumentException("there are layers 1 to " + count);
        }
        return BigInteger.valueOf(honest - layer).multiply(BigInteger.valueOf(honest - layer + 1L));
    }

    /** The standard deviation of the base. */
    public double baseDeviation(double wholeDeviation) {
        return up(wholeDeviation / Math.sqrt(baseDenominator()));
    }

    /** The standard deviation of layer k, from 1; the same double on every machine. */
    public double layerDeviation(int layer, double wholeDeviation) {
        return up(wholeDeviation / Math.sqrt(denominator(layer).doubleValue()));
    }

    /** Rounded up by more than the square root and the division lose. */
    private static double up(double deviation) {
        return deviation * (1 + 0x1p-50);
    }

    /** The standard deviation of the base and all layers together: what a party adds. */
    public double wholePartyDeviation(double wholeDeviation) {
        return up(wholeDeviation / Math.sqrt(honest - fixed - count));
    }

    /**
     * The noise left in a sum over so many survivors when layers above {@code missing} are off, as a multiple of the variance z²C²; 1 or more,
     * and public.
     */
    public double relativeVariance(int survivors, int missing) {
        return (double) survivors / (honest - fixed - Math.min(missing, count));
    }
}
