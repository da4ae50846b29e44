package dev.tacit.accounting.exact.contour;

/**
 * The unsampled Gaussian release: the loss is Gaussian, so everything is closed.
 *
 * <pre>
 *   L ~ N(μ²/2, μ²),   K(z) = μ² z(z+1)/2
 * </pre>
 */
public record GaussianMoments(double shift, double times) implements MomentCurve {
    @Override
    public double lostMass() {
        return 0;
    }

    @Override
    public void addCumulants(double theta, double[] sums) {
        double variance = times * shift * shift;
        double value = 0.5 * variance * theta * (theta + 1);
        sums[0] += value;
        sums[1] += variance * (theta + 0.5);
        sums[2] += variance;
        sums[3] += 4 * Math.ulp(value);
    }

    @Override
    public void addLogCharacteristic(
            double theta,
            double step,
            int count,
            double[] real,
            double[] imaginary,
            double[] rounding,
            double[] quadrature) {
        double variance = times * shift * shift;
        for (int k = 0; k < count; k++) {
            double t = (k + 1) * step;
            double decay = 0.5 * variance * t * t;
            double turn = variance * t * (theta + 0.5);
            real[k] -= decay;
            imaginary[k] += turn;
            rounding[k] += 4 * Math.ulp(decay) + 4 * Math.ulp(turn);
        }
    }

    @Override
    public double roughVariance() {
        return times * shift * shift;
    }

    @Override
    public double work(double theta, double step, int count) {
        return count;
    }

    @Override
    public DecayBound decay(double theta) {
        double variance = times * shift * shift;
        return t -> -0.5 * variance * t * t;
    }
}
