package dev.tacit.experiments.objective;

import dev.tacit.noise.ReplayNoise;

/**
 * Standard normal doubles, fast and idealised, for simulation only.
 *
 * <pre>
 *   layers of equal area V under f(x) = exp(−x²/2):
 *   x_0 = V / f(r),  x_1 = r,  f(x_{i+1}) = f(x_i) + V / x_i,  x_256 = 0
 * </pre>
 *
 * The ziggurat of Marsaglia and Tsang 2000 with 256 layers; differs from the paper by 53-bit abscissae and independent
 * bits for layer and abscissa (Doornik 2005). The gaps between doubles reveal what such noise was added to (Mironov
 * 2012), so the methods take a {@link ReplayNoise}: a release cannot use them, and what they touch is stamped.
 */
public final class GaussianSampler {
    private static final int LAYERS = 256;
    private static final double ABSCISSA_UNIT = 0x1p-53;
    private static final double[] RIGHT = new double[LAYERS + 1];
    private static final double[] HEIGHT = new double[LAYERS + 1];
    private static final double[] WIDTH_PER_UNIT = new double[LAYERS];
    /** An abscissa in units below this lies under the curve in all of the layer. */
    private static final long[] INNER = new long[LAYERS];

    static {
        double low = 3;
        double high = 4;
        while (Math.nextUp(low) < high) {
            double middle = (low + high) / 2;
            if (topOfLayers(middle) < 1) {
                high = middle;
            } else {
                low = middle;
            }
        }
        topOfLayers(high);
        RIGHT[LAYERS] = 0;
        HEIGHT[LAYERS] = 1;
        for (int layer = 0; layer < LAYERS; layer++) {
            WIDTH_PER_UNIT[layer] = RIGHT[layer] * ABSCISSA_UNIT;
            INNER[layer] = (long) (RIGHT[layer + 1] / RIGHT[layer] / ABSCISSA_UNIT);
        }
    }

    private GaussianSampler() {}

    /**
     * Builds the layers for a tail that starts at r, and returns the height where the last one would end; 1 is a fit.
     */
    private static double topOfLayers(double tailStart) {
        double height = StrictMath.exp(-0.5 * tailStart * tailStart);
        double area = tailStart * height + tailArea(tailStart);
        RIGHT[0] = area / height;
        HEIGHT[0] = 0;
        RIGHT[1] = tailStart;
        HEIGHT[1] = height;
        for (int layer = 1; layer < LAYERS; layer++) {
            height += area / RIGHT[layer];
            HEIGHT[layer + 1] = height;
            RIGHT[layer + 1] = height < 1 ? StrictMath.sqrt(-2 * StrictMath.log(height)) : 0;
            if (height > 1 && layer < LAYERS - 1) {
                return height;
            }
        }
        return height;
    }

    /** ∫_r^∞ exp(−x²/2) dx by the continued fraction of Mills' ratio, for r of 3 or more. */
    private static double tailArea(double tailStart) {
        double fraction = tailStart;
        for (int term = 200; term >= 1; term--) {
            fraction = tailStart + term / fraction;
        }
        return StrictMath.exp(-0.5 * tailStart * tailStart) / fraction;
    }

    /** One standard normal number. */
    public static double next(ReplayNoise noise) {
        while (true) {
            long word = noise.nextLong();
            int layer = (int) word & (LAYERS - 1);
            long abscissa = word >>> 11;
            double magnitude = abscissa * WIDTH_PER_UNIT[layer];
            if (abscissa >= INNER[layer]) {
                if (layer == 0) {
                    magnitude = tail(noise);
                } else if (isAboveCurve(layer, magnitude, noise)) {
                    continue;
                }
            }
            return (word & LAYERS) == 0 ? magnitude : -magnitude;
        }
    }

    /** Fills {@code samples} with independent standard normal numbers. */
    public static void fill(double[] samples, ReplayNoise noise) {
        for (int index = 0; index < samples.length; index++) {
            samples[index] = next(noise);
        }
    }

    private static boolean isAboveCurve(int layer, double magnitude, ReplayNoise noise) {
        double height = HEIGHT[layer] + (HEIGHT[layer + 1] - HEIGHT[layer]) * uniform(noise);
        return height >= StrictMath.exp(-0.5 * magnitude * magnitude);
    }

    /** Marsaglia 1964: x = r + a with a exponential of rate r, accepted with probability exp(−a²/2). */
    private static double tail(ReplayNoise noise) {
        while (true) {
            double excess = -StrictMath.log(uniform(noise)) / RIGHT[1];
            if (-2 * StrictMath.log(uniform(noise)) >= excess * excess) {
                return RIGHT[1] + excess;
            }
        }
    }

    /** Uniform on the middles of 2^53 equal parts of (0, 1). */
    private static double uniform(ReplayNoise noise) {
        return ((noise.nextLong() >>> 11) + 0.5) * ABSCISSA_UNIT;
    }
}
