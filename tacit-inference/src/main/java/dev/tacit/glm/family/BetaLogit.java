package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;
import java.util.List;

/**
 * A share between 0 and 1 with logit link and Beta distribution of unknown precision φ: mean μ = σ(η), variance
 * μ (1 − μ)/(1 + φ).
 *
 * <pre>
 *   T = logit y,  density ∝ exp(φ μ t − φ log(1 + eᵗ));   E T = digamma(φ μ) − digamma(φ (1 − μ)) without a cut
 *   ψ = φ_t μ_t (1 − μ_t) (cut T − E),  cut where half the deviance D_t(T) is 4.5                     the score
 *   χ = min(D_t(cut T)/4.5, 1) − ½,  D_t(t) = φ_t (log(1 + eᵗ) − μ_t t − least)                        the score of log φ but for its mean
 * </pre>
 *
 * (Ferrari, Cribari-Neto 2004.) Bounds and expectations: {@link CutResponse}. Targets at or outside of 0 and 1 count as
 * those beyond every cut.
 */
public final class BetaLogit extends CutResponse implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double MOST = 12;
    private static final GaussHermite RULE = GaussHermite.of(15);

    private final double low;
    private final double high;

    /** Without declared bounds. */
    public BetaLogit() {
        this(0, 1);
    }

    private BetaLogit(double low, double high) {
        this.low = low;
        this.high = high;
    }

    @Override
    public GlmFamily within(double targetLow, double targetHigh) {
        if (!(targetLow > 0 && targetHigh < 1)) {
            throw new IllegalArgumentException("a beta regression is for shares strictly between 0 and 1;"
                    + " declare bounds of the target inside, such as 0.001 and 0.999");
        }
        return new BetaLogit(targetLow, targetHigh);
    }

    @Override
    public String name() {
        return "beta";
    }

    @Override
    public List<String> extraNames() {
        return List.of("phi");
    }

    @Override
    public double extraLow(int parameter) {
        return 0.2;
    }

    @Override
    public double extraHigh(int parameter) {
        return 2000;
    }

    private static double mean(double eta) {
        return SpecialFunctions.sigmoid(Math.max(-MOST, Math.min(MOST, eta)));
    }

    @Override
    double term(double t) {
        return SpecialFunctions.softplus(t);
    }

    @Override
    double termSlope(double t) {
        return SpecialFunctions.sigmoid(t);
    }

    @Override
    double own(double eta) {
        return 0;
    }

    @Override
    double transformed(double y, double own) {
        return y <= 0 ? Double.NEGATIVE_INFINITY : y >= 1 ? Double.POSITIVE_INFINITY : Math.log(y) - Math.log1p(-y);
    }

    @Override
    double linear(double eta, double own, double[] extra) {
        return extra[0] * mean(eta);
    }

    @Override
    double convex(double eta, double own, double[] extra) {
        return extra[0];
    }

    @Override
    double linearSlope(double eta, double own, double[] extra) {
        double mean = mean(eta);
        return extra[0] * mean * (1 - mean);
    }

    @Override
    double convexSlope(double eta, double own, double[] extra) {
        return 0;
    }

    @Override
    double mode(double a, double b) {
        return Math.log(a) - Math.log(b - a);
    }

    private static double entropy(double mean) {
        return -mean * Math.log(mean) - (1 - mean) * Math.log1p(-mean);
    }

    /** s ≥ 0, so that D ≥ −A t − least. */
    @Override
    double leftOf(double mode, double a, double b, double reach) {
        return -(reach / b + entropy(a / b)) * b / a;
    }

    /** s ≥ t. */
    @Override
    double rightOf(double mode, double a, double b, double reach) {
        return (reach / b + entropy(a / b)) * b / (b - a);
    }

    @Override
    double value(double t) {
        return t;
    }

    @Override
    double cap(double[] extra) {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    double scale(double eta, double[] extra) {
        return linearSlope(eta, 0, extra);
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
        double mean = mean(eta);
        double a = random.logGamma(extra[0] * mean);
        double b = random.logGamma(extra[0] * (1 - mean));
        return SpecialFunctions.sigmoid(a - b);
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return startTarget(mean(eta), centre, spread);
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double mean = mean(eta);
        return Math.max(mean * (1 - mean) / spread, 1e-3);
    }

    @Override
    public double startIntercept(double centre) {
        double inside = Math.max(0.01, Math.min(0.99, centre));
        return Math.log(inside / (1 - inside));
    }

    /** What the predictor leaves of the target's variance is E μ (1 − μ)/(1 + φ). */
    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = 0;
        double square = 0;
        for (int i = 0; i < eta.length; i++) {
            double m = mean(eta[i]);
            mean += weights[i] * m;
            square += weights[i] * m * m;
        }
        double left = Math.max(spread * spread - (square - mean * mean), 0.005 * (mean - square));
        return new double[] {Matrices.clamp((mean - square) / left - 1, 0.5, 200)};
    }

    @Override
    public double[] usualExtra() {
        return new double[] {10};
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double deviation = Math.sqrt(variance);
        double sum = 0;
        double squares = 0;
        for (int node = 0; node < RULE.size(); node++) {
            double m = mean(mean + deviation * RULE.node(node));
            sum += RULE.weight(node) * m;
            squares += RULE.weight(node) * (m * m + m * (1 - m) / (1 + extra[0]));
        }
        return new Prediction.Numeric(sum, Math.sqrt(Math.max(0, squares - sum * sum)));
    }
}
