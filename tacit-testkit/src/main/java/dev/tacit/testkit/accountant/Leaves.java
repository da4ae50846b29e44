package dev.tacit.testkit.accountant;

import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.door.event.PrivacyEvent;

/** Single releases other than Gaussian ones, for test cases. */
public final class Leaves {
    private Leaves() {}

    /** Laplace noise; the multiplier is scale over L1 sensitivity. */
    public static PrivacyEvent laplace(double scaleMultiplier) {
        return new LaplaceCurves(scaleMultiplier).release();
    }

    /** Integer-valued Gaussian noise on a sum of sensitivity 1. */
    public static PrivacyEvent discreteGaussian(double noiseMultiplier) {
        return new DiscreteGaussianCurves(noiseMultiplier).release();
    }

    /** Anything that is epsilon-DP. */
    public static PrivacyEvent pure(double epsilon) {
        return new PureCurves(epsilon).release();
    }

    /** Anything that is rho-zCDP. */
    public static PrivacyEvent zeroConcentrated(double rho) {
        return new ZeroConcentratedCurves(rho).release();
    }
}
