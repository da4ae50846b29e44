package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.io.Serializable;
import java.util.List;

/**
 * A positive number with log link and Gamma distribution of unknown shape k: mean μ = e^η, variance μ²/k.
 *
 * <pre>
 *   T = log(y/μ_t),  density ∝ exp(k t − k e^{η_t − η} eᵗ);   half the deviance k_t (y/μ_t − 1 − T)
 *   ψ = min(y/μ_t, 1 + 3/√k_t) − E,   from below cut where the deviance is 9                          the score but for a factor
 *   χ = min(k_t (y/μ_t − 1 − T)/4.5, 1) − ½ at the cut T                                             the score of log k but for its mean
 * </pre>
 *
 * Bounds and expectations: {@link CutResponse}. A target that is not positive counts as one below every cut.
 */
public final class GammaLog extends CutResponse implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double MOST = 300;

    private final double low;
    private final double high;

    /** Without declared bounds. */
    public GammaLog() {
        this(0, Double.POSITIVE_INFINITY);
    }

    private GammaLog(double low, double high) {
        this.low = low;
        this.high = high;
    }

    @Override
    public GlmFamily within(double targetLow, double targetHigh) {
        if (!(targetLow >= 0)) {
            throw new IllegalArgumentException(
                    "a gamma regression is for positive numbers; declare bounds of the target from 0 on");
        }
        return new GammaLog(targetLow, targetHigh);
    }

    @Override
    public String name() {
        return "gamma";
    }

    @Override
    public List<String> extraNames() {
        return List.of("shape");
    }

    @Override
    public double extraLow(int parameter) {
        return 0.05;
    }

    @Override
    public double extraHigh(int parameter) {
        return 1000;
    }

    private static double inside(double eta) {
        return Math.max(-MOST, Math.min(MOST, eta));
    }

    private static double mean(double eta) {
        return Math.exp(inside(eta));
    }

    @Override
    double term(double t) {
        return Math.exp(t);
    }

    @Override
    double termSlope(double t) {
        return Math.exp(t);
    }

    @Override
    double own(double eta) {
        return inside(eta);
    }

    @Override
    double transformed(double y, double own) {
        return y <= 0 ? Double.NEGATIVE_INFINITY : Math.log(y) - own;
    }

    @Override
    double linear(double eta, double own, double[] extra) {
        return extra[0];
    }

    @Override
    double convex(double eta, double own, double[] extra) {
        return extra[0] * Math.exp(own - inside(eta));
    }

    @Override
    double linearSlope(double eta, double own, double[] extra) {
        return 0;
    }

    @Override
    double convexSlope(double eta, double own, double[] extra) {
        return -convex(eta, own, extra);
    }

    @Override
    double mode(double a, double b) {
        return Math.log(a / b);
    }

    @Override
    double leftOf(double mode, double a, double b, double reach) {
        double c = reach / a;
        return mode - c - Math.sqrt(2 * c);
    }

    @Override
    double rightOf(double mode, double a, double b, double reach) {
        double c = reach / a;
        return mode + Math.log1p(c + Math.sqrt(2 * c));
    }

    @Override
    double value(double t) {
        return Math.exp(t);
    }

    @Override
    double cap(double[] extra) {
        return Math.log1p(3 / Math.sqrt(extra[0]));
    }

    @Override
    double scale(double eta, double[] extra) {
        return 1;
    }

    @Override
    double targetLow() {
        return low;
    }

    @Override
    double targetHigh() {
        return high;
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        return mean(eta) * random.gamma(extra[0]) / extra[0];
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return startTarget(mean(eta), centre, spread);
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double mean = mean(eta);
        return Math.abs(mean - centre) < 3 * spread ? mean / spread : 1e-3;
    }

    @Override
    public double startIntercept(double centre) {
        return Math.log(Math.max(centre, 1e-3 * high));
    }

    /** What the predictor leaves of the target's variance is E μ²/k. */
    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = 0;
        double square = 0;
        for (int i = 0; i < eta.length; i++) {
            double m = mean(eta[i]);
            mean += weights[i] * m;
            square += weights[i] * m * m;
        }
        double left = Math.max(spread * spread - (square - mean * mean), 0.01 * square);
        return new double[] {Matrices.clamp(square / left, 0.2, 100)};
    }

    @Override
    public double[] usualExtra() {
        return new double[] {2};
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double expected = Math.exp(Math.min(300, mean + variance / 2));
        double square = expected * expected * Math.exp(Math.min(300, variance));
        return new Prediction.Numeric(expected, Math.sqrt(square * (1 + 1 / extra[0]) - expected * expected));
    }
}
