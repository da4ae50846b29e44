package dev.tacit.testkit;

import dev.tacit.privacy.event.DiscreteGaussianProfile;
import dev.tacit.privacy.event.LaplaceProfile;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.event.PureProfile;
import dev.tacit.privacy.event.ZeroConcentratedProfile;

/** Single releases other than Gaussian ones, for test cases. */
public final class Leaves {
    private Leaves() {}

    /** Laplace noise; the multiplier is scale over L1 sensitivity. */
    public static PrivacyEvent laplace(double scaleMultiplier) {
        return new PrivacyEvent.Release(new LaplaceProfile(scaleMultiplier));
    }

    /** Integer-valued Gaussian noise on a sum of sensitivity 1. */
    public static PrivacyEvent discreteGaussian(double noiseMultiplier) {
        return new PrivacyEvent.Release(new DiscreteGaussianProfile(noiseMultiplier));
    }

    /** Anything that is epsilon-DP. */
    public static PrivacyEvent pure(double epsilon) {
        return new PrivacyEvent.Release(new PureProfile(epsilon));
    }

    /** Anything that is rho-zCDP. */
    public static PrivacyEvent zeroConcentrated(double rho) {
        return new PrivacyEvent.Release(new ZeroConcentratedProfile(rho));
    }
}
