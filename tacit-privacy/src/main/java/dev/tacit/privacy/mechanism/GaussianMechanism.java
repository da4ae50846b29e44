package dev.tacit.privacy.mechanism;

import dev.tacit.privacy.event.PrivacyProfile;
import dev.tacit.privacy.noise.GaussianSampler;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.ReplayNoise;

/**
 * The Gaussian mechanism of the textbooks, in floating point: for simulation only.
 *
 * <pre>
 *   output = Σ_i v_i + N(0, (noiseMultiplier l2Bound)² I),   ‖v_i‖₂ ≤ l2Bound
 * </pre>
 *
 * Dwork, Roth 2014, Appendix A; curves by Balle, Wang 2018, Theorem 8. The profile is that of real numbers, which
 * doubles do not keep (Mironov 2012), so a release takes a {@link ReplayNoise} and refuses any other source.
 *
 * @param noiseMultiplier noise standard deviation over L2 bound
 */
public record GaussianMechanism(double noiseMultiplier) implements NoiseMechanism {
    public GaussianMechanism {
        DiscreteGaussianMechanism.requireNoiseMultiplier(noiseMultiplier);
    }

    @Override
    public PrivacyProfile profile(int dimension) {
        return PrivacyProfile.gaussian(noiseMultiplier);
    }

    @Override
    public GaussianMechanism scaled(double factor) {
        return new GaussianMechanism(noiseMultiplier * factor);
    }

    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return noiseMultiplier * l2Bound;
    }

    @Override
    public SumGrid grid(double l2Bound, int dimension) {
        return SumGrid.of(noiseMultiplier, l2Bound, dimension);
    }

    @Override
    public boolean forRelease() {
        return false;
    }

    @Override
    public double[] release(long[] gridSums, double l2Bound, NoiseSource noise) {
        if (!(noise instanceof ReplayNoise replay)) {
            throw new IllegalArgumentException(
                    "idealised Gaussian noise is for simulation; releases use the discrete Gaussian");
        }
        double granularity = grid(l2Bound, gridSums.length).granularity();
        double standardDeviation = noiseStandardDeviation(l2Bound);
        double[] noisy = new double[gridSums.length];
        for (int index = 0; index < noisy.length; index++) {
            noisy[index] = gridSums[index] * granularity + standardDeviation * GaussianSampler.next(replay);
        }
        return noisy;
    }
}
