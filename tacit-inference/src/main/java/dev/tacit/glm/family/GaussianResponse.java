package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;
import java.util.List;

/**
 * A number with normal errors of unknown deviation σ, fitted to the standardised target.
 *
 * <pre>
 *   e = (y − η_t)/σ_t,   ψ = clip(e, ±k),  k = 2.5,   E ψ = 0 at the point by symmetry
 *   with d = (η − η_t)/σ_t, s = σ/σ_t, a = (−k − d)/s, b = (k − d)/s:
 *     E ψ = −k Φ(a) + k Φ(−b) + d (Φ(b) − Φ(a)) − s (φ(b) − φ(a)),   d Eψ/dη = (Φ(b) − Φ(a))/σ_t
 *   χ = ψ² − k²/2,  |χ| ≤ k²/2
 * </pre>
 */
public final class GaussianResponse implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    static final double K = 2.5;

    private static final int ETA = 3;
    private static final int SIGMA = 4;
    private static final double WITHIN = 2 * SpecialFunctions.normalCdf(K) - 1;
    private static final double CUT_VARIANCE =
            WITHIN - 2 * K * SpecialFunctions.normalDensity(K) + K * K * (1 - WITHIN);

    @Override
    public String name() {
        return "gaussian";
    }

    @Override
    public int referenceSize() {
        return 5;
    }

    @Override
    public List<String> extraNames() {
        return List.of("sigma");
    }

    @Override
    public double extraLow(int parameter) {
        return 0.02;
    }

    @Override
    public double extraHigh(int parameter) {
        return 1.5;
    }

    @Override
    public double chiBound() {
        return K * K / 2;
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        reference[at + BOUND] = K;
        reference[at + SLOPE] = WITHIN / extra[0];
        reference[at + VARIANCE] = CUT_VARIANCE;
        reference[at + ETA] = eta;
        reference[at + SIGMA] = extra[0];
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        double e = (y - reference[at + ETA]) / reference[at + SIGMA];
        return Math.max(-K, Math.min(K, e));
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        double psi = psi(y, reference, at);
        chi[0] = psi * psi - K * K / 2;
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        double d = (eta - reference[at + ETA]) / reference[at + SIGMA];
        double s = extra[0] / reference[at + SIGMA];
        double a = (-K - d) / s;
        double b = (K - d) / s;
        double below = SpecialFunctions.normalCdf(a);
        double above = SpecialFunctions.normalCdf(-b);
        return K * (above - below)
                + d * (1 - above - below)
                - s * (SpecialFunctions.normalDensity(b) - SpecialFunctions.normalDensity(a));
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        double d = (eta - reference[at + ETA]) / reference[at + SIGMA];
        double s = extra[0] / reference[at + SIGMA];
        return (SpecialFunctions.normalCdf((K - d) / s) - SpecialFunctions.normalCdf((-K - d) / s))
                / reference[at + SIGMA];
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double s = extra[0] / reference[at + SIGMA];
        return CUT_VARIANCE * s * s;
    }

    /** E min(e², k²) − k²/2 for e ~ N(d, s²). */
    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        double d = (eta - reference[at + ETA]) / reference[at + SIGMA];
        double s = extra[0] / reference[at + SIGMA];
        double a = (-K - d) / s;
        double b = (K - d) / s;
        double within = SpecialFunctions.normalCdf(b) - SpecialFunctions.normalCdf(a);
        double atA = SpecialFunctions.normalDensity(a);
        double atB = SpecialFunctions.normalDensity(b);
        chi[0] = (d * d + s * s) * within
                + s * s * (a * atA - b * atB)
                + 2 * d * s * (atA - atB)
                + K * K * (1 - within)
                - K * K / 2;
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        return eta + extra[0] * random.normal();
    }

    @Override
    public boolean standardisesTarget() {
        return true;
    }

    @Override
    public boolean fitsStandardised() {
        return true;
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return Math.max(-K, Math.min(K, (y - centre) / spread));
    }

    @Override
    public double startBound() {
        return K;
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return eta;
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        return 1;
    }

    /** What the predictor leaves of the standardised target's variance of 1, at least 0.3: noise adds to its spread. */
    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = Matrices.dot(weights, eta);
        double variance = 0;
        for (int i = 0; i < eta.length; i++) {
            variance += weights[i] * (eta[i] - mean) * (eta[i] - mean);
        }
        return new double[] {Math.sqrt(Matrices.clamp(1 - variance, 0.3, 1))};
    }

    @Override
    public double[] usualExtra() {
        return new double[] {1};
    }

    @Override
    public boolean smooths() {
        return false;
    }

    @Override
    public boolean choosesClips() {
        return false;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        return new Prediction.Numeric(mean, Math.sqrt(variance + extra[0] * extra[0]));
    }
}
