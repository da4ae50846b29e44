package dev.tacit.audit.subject;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;

/**
 * A mechanism that claims what another one does and adds a part of its noise: the control that an audit must catch.
 *
 * @param claimed what it says that it is
 * @param factor its noise over the claimed noise
 */
public record LessNoise(NoiseMechanism claimed, double factor) implements NoiseMechanism {
    @Override
    public PrivacyProfile profile(int dimension) {
        return claimed.profile(dimension);
    }

    @Override
    public NoiseMechanism scaled(double scale) {
        return new LessNoise(claimed.scaled(scale), factor);
    }

    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return claimed.noiseStandardDeviation(l2Bound);
    }

    @Override
    public SumGrid grid(double l2Bound, int dimension) {
        return claimed.grid(l2Bound, dimension);
    }

    @Override
    public boolean forRelease() {
        return false;
    }

    @Override
    public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
        double steps =
                noiseStandardDeviation(l2Bound) / grid(l2Bound, gridSums.length).granularity();
        noise.addDiscreteGaussian(factor * steps, gridSums);
    }
}
