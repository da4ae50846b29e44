package dev.tacit.partitioned;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;

/**
 * One party's share of the noise in a sum over several parties, of which only the sum is ever seen.
 *
 * <pre>
 *   party m      g (Σ_{i of m} round(v_i / g) + Z_m),   Z_m ~ N_Z(0, s²) for each coordinate,   g s = (1 + 2^−20) noiseMultiplier l2Bound / √honestShares
 *   aggregator   the sum over parties: what the profile speaks about
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Theorems 11 and 14, with exact noise in place of real numbers.
 *
 * <p><b>The profile is that of the sum</b>, as long as it holds at least {@code honestShares} shares whose noise the
 * observer does not know. Whoever sees a single share sees √honestShares times less noise than was charged: shares go to
 * an aggregator that is trusted, or masked, and nowhere else.
 *
 * <p><b>Why the sum is as good as one discrete Gaussian.</b> For variances a and b and an integer n,
 * Σ_k exp(−k²/2a) exp(−(n−k)²/2b) = exp(−n²/2(a+b)) Σ_k exp(−(k − na/(a+b))²/2c) with c = ab/(a+b), and by Poisson
 * summation the last sum is √(2πc) up to a factor within 1 ± η, η = 3 exp(−2π²c), whatever n. So N_Z(0, a) + N_Z(0, b) has
 * the probabilities of N_Z(0, a+b) up to (1 ± η)², and k shares those of N_Z(0, k s²) up to (1 ± η)^2k with c ≥ s²/2. The
 * grid gives s ≥ 2^20 √dimension / √honestShares ≥ 2^12, so η is below the smallest positive double, and
 * {@link DiscreteGaussianMechanism}'s theorem holds for the sum. Further shares are added afterwards: post-processing.
 * All parties use the same grid, which depends on public numbers only, so their sums add up exactly.
 *
 * @param noiseMultiplier noise standard deviation of the sum over L2 bound, as accounting sees it
 * @param honestShares how many shares must be in every sum that is released
 */
public record NoiseShare(double noiseMultiplier, int honestShares) implements NoiseMechanism {
    private static final double SURPLUS = 0x1p-20;
    private static final int MOST_SHARES = 1 << 16;

    public NoiseShare {
        new DiscreteGaussianMechanism(noiseMultiplier).forRelease();
        if (honestShares < 1 || honestShares > MOST_SHARES) {
            throw new IllegalArgumentException("noise is shared by 1 to " + MOST_SHARES + " parties");
        }
    }

    @Override
    public PrivacyProfile profile(int dimension) {
        return PrivacyProfile.gaussian(noiseMultiplier);
    }

    @Override
    public NoiseShare scaled(double factor) {
        return new NoiseShare(noiseMultiplier * factor, honestShares);
    }

    /** Of one share. */
    @Override
    public double noiseStandardDeviation(double l2Bound) {
        return noiseMultiplier * (1 + SURPLUS) * l2Bound / Math.sqrt(honestShares) * (1 + 0x1p-50);
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
}
