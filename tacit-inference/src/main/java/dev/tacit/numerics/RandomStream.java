package dev.tacit.numerics;

import java.nio.charset.StandardCharsets;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.core.source64.XoShiRo256PlusPlus;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A seeded stream of random numbers for models and simulations; never for privacy, whose noise is drawn behind the door.
 *
 * <p>xoshiro256++ (Blackman and Vigna 2021) keyed by 128 bits. {@link #fork} derives the key of another stream from the
 * key and a label and from nothing else: what has been drawn does not matter. So a run that draws step t from
 * {@code fork(t)} can be resumed at any step without saving a state. The same seed gives the same numbers on every
 * machine and Java version: normal numbers take no transcendental function except to accept or reject within one part in
 * 10^15, and the others take those of {@link StrictMath}.
 *
 * <p>One stream belongs to one thread.
 */
public final class RandomStream {
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final long key;
    private final long otherKey;
    private final UniformRandomProvider source;
    private final ContinuousSampler normal;

    private RandomStream(long key, long otherKey) {
        this.key = key;
        this.otherKey = otherKey;
        long[] state = new long[4];
        for (int i = 0; i < 4; i++) {
            state[i] = mix(key + (2 * i + 1) * GOLDEN) ^ mix(otherKey + (2 * i + 2) * GOLDEN);
        }
        this.source = new XoShiRo256PlusPlus(state);
        this.normal = ZigguratSampler.NormalizedGaussian.of(source);
    }

    /** The stream of a seed. */
    public static RandomStream ofSeed(long seed) {
        return new RandomStream(mix(seed), mix(seed ^ GOLDEN));
    }

    /** The stream of this label, the same whenever it is asked for; different labels give unrelated streams. */
    public RandomStream fork(long label) {
        long mixed = mix(label + GOLDEN);
        return new RandomStream(mix(key ^ mixed) + otherKey, mix(otherKey + mixed) ^ Long.rotateLeft(key, 32));
    }

    /** The stream of this name; one name and one number never stand for the same stream in practice. */
    public RandomStream fork(String name) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return fork(mix(hash));
    }

    /** The finaliser of Stafford's thirteenth variant, a bijection on 64 bits. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** 64 random bits. */
    public long nextLong() {
        return source.nextLong();
    }

    /** A uniform integer in [0, bound). */
    public int nextInt(int bound) {
        return source.nextInt(bound);
    }

    /** A uniform number in [0, 1): a multiple of 2^−53. */
    public double uniform() {
        return source.nextDouble();
    }

    /** A uniform number in (0, 1): an odd multiple of 2^−54, so its logarithm is finite. */
    public double openUniform() {
        return ((source.nextLong() >>> 11) + 0.5) * 0x1p-53;
    }

    /** A normal number with mean 0 and variance 1, by the modified ziggurat of McFarland (2016). */
    public double normal() {
        return normal.sample();
    }

    /** Fills an array with independent normal numbers. */
    public void fillNormal(double[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = normal.sample();
        }
    }

    /** An exponential number with mean 1. */
    public double exponential() {
        return -StrictMath.log(openUniform());
    }

    /**
     * A Gamma number with this shape and rate 1, by rejection (Marsaglia and Tsang 2000); below shape 1, a number of
     * shape + 1 times U^(1/shape), which underflows to 0 where the exact number is below the smallest double.
     */
    public double gamma(double shape) {
        if (!(shape > 0) || shape == Double.POSITIVE_INFINITY) {
            throw new IllegalArgumentException("the shape of a Gamma distribution must be positive and finite");
        }
        return shape < 1
                ? gammaOfLargeShape(shape + 1) * StrictMath.pow(openUniform(), 1 / shape)
                : gammaOfLargeShape(shape);
    }

    /** The logarithm of a Gamma number with this shape and rate 1, finite for every shape. */
    public double logGamma(double shape) {
        if (shape >= 1) {
            return StrictMath.log(gamma(shape));
        }
        if (!(shape > 0)) {
            throw new IllegalArgumentException("the shape of a Gamma distribution must be positive and finite");
        }
        return StrictMath.log(gammaOfLargeShape(shape + 1)) + StrictMath.log(openUniform()) / shape;
    }

    private double gammaOfLargeShape(double shape) {
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double x = normal.sample();
            double root = 1 + c * x;
            if (root > 0) {
                double v = root * root * root;
                double u = openUniform();
                double square = x * x;
                if (u < 1 - 0.0331 * square * square
                        || StrictMath.log(u) < 0.5 * square + d * (1 - v + StrictMath.log(v))) {
                    return d * v;
                }
            }
        }
    }

    /** A uniformly random order of 0 … n−1 (Fisher and Yates). */
    public int[] permutation(int n) {
        int[] order = new int[n];
        for (int i = 0; i < n; i++) {
            int j = source.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
