package dev.tacit.federated.noise;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.noise.NoiseLayer;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One party's share of the noise in an opened sum, in a base and in layers that can be taken off.
 *
 * <pre>
 *   party m   g (Σ round(v/g) + B_m + Σ_k L_mk),   B_m ~ N_Z(0, base),  L_mk ~ N_Z(0, layer k)      {@link NoiseLayers}
 *   opened    the sum over survivors without the layers above the number of those who are missing
 * </pre>
 *
 * <b>The profile is that of the opened sum</b>, as for {@link dev.tacit.partitioned.NoiseShare}: of n − d' honest survivors each keeps variance
 * z²C²/(n − d') that nobody else knows. The base comes from the door's own source; a layer comes from a key that the party drew from the
 * same kind of source before the round. Variances of at least z²C²/n² keep s ≥ 2^20 √dimension/n ≥ 2^12 grid steps, so sums of layers are
 * one discrete Gaussian up to less than the smallest positive double (the argument is in {@code NoiseShare}).
 *
 * @param noiseMultiplier noise standard deviation of the opened sum over L2 bound, as accounting sees it
 * @param layers how the noise is cut
 * @param keys the party's layers of the round that is being answered, one for each of {@code layers}
 */
public record LayeredNoiseShare(double noiseMultiplier, NoiseLayers layers, Supplier<List<NoiseLayer>> keys)
        implements NoiseMechanism {
    private static final double SURPLUS = 0x1p-20;

    public LayeredNoiseShare {
        new DiscreteGaussianMechanism(noiseMultiplier).forRelease();
        Objects.requireNonNull(layers, "layers");
        Objects.requireNonNull(keys, "keys");
    }

    /** For whoever does not add noise and only needs to know how much it is. */
    public static LayeredNoiseShare publicPart(double noiseMultiplier, NoiseLayers layers) {
        return new LayeredNoiseShare(noiseMultiplier, layers, List::of);
    }

    @Override
    public PrivacyProfile profile(int dimension) {
        return PrivacyProfile.gaussian(noiseMultiplier);
    }

    @Override
    public LayeredNoiseShare scaled(double factor) {
        return new LayeredNoiseShare(noiseMultiplier * factor, layers, keys);
    }

    /** Of one party, with all its layers. */
    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return layers.wholePartyDeviation(wholeNoise(l2Bound));
    }

    /** The standard deviation of the noise that is charged, on each number of an opened sum. */
    public double wholeNoise(double l2Bound) {
        return noiseMultiplier * (1 + SURPLUS) * l2Bound;
    }

    /** The same in steps of the grid. */
    public double wholeSteps(double l2Bound, int dimension) {
        return wholeNoise(l2Bound) / grid(l2Bound, dimension).granularity();
    }

    /** That of the whole sum, the same for all parties. */
    @Override
    public SumGrid grid(double l2Bound, int dimension) {
        return new DiscreteGaussianMechanism(noiseMultiplier).grid(l2Bound, dimension);
    }

    @Override
    public boolean forRelease() {
        return true;
    }

    @Override
    public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
        List<NoiseLayer> own = keys.get();
        if (own.size() != layers.count()) {
            throw new IllegalStateException(
                    "a release has " + layers.count() + " layers of noise, and " + own.size() + " keys were given");
        }
        double whole = wholeSteps(l2Bound, gridSums.length);
        noise.addDiscreteGaussian(layers.baseDeviation(whole), gridSums);
        for (int layer = 1; layer <= own.size(); layer++) {
            own.get(layer - 1).add(layers.layerDeviation(layer, whole), gridSums);
        }
    }
}
