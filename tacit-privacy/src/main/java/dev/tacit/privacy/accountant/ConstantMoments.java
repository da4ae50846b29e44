package dev.tacit.privacy.accountant;

/** A constant factor of a moment function, given by its logarithm. */
record ConstantMoments(double logFactor) implements MomentCurve {
    @Override
    public double times() {
        return 1;
    }

    @Override
    public double lostMass() {
        return 0;
    }

    @Override
    public void addCumulants(double theta, double[] sums) {
        sums[0] += logFactor;
        sums[3] += 4 * Math.ulp(logFactor);
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
        // a constant has no phase
    }

    @Override
    public double work(double theta, double step, int count) {
        return 0;
    }

    @Override
    public DecayBound decay(double theta) {
        return t -> 0;
    }
}
