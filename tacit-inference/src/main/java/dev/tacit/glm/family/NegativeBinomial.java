package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.io.Serializable;
import java.util.List;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * Counts with log link and variance m + m²/s, s unknown.
 *
 * <pre>
 *   v = s_t/(s_t + m_t),   l, u = m_t ∓ 3 deviations (floor, ceiling + 1),   ψ = v (clip(y, l, u) − E clip)
 *   χ = (1 − v) ((clip(y) − e)²/b² − its expectation),  b = max(e − l, u − e):  both parts lie in [0, 1 − v], so |χ| ≤ 1
 *   E clip, E clip² and d/dη E clip = E[Y; l &lt; Y ≤ u] by adding up P(Y = k + 1) = P(Y = k) (1 − p) (k + s)/(k + 1),  P(Y = 0) = p^s,  p = s/(s + m)
 *   beyond 150 terms by k P_s(k) = m P_{s+1}(k − 1), so that E[Y; Y ≤ k] = m G₁(k − 1) and E[Y (Y − 1); Y ≤ k] = m² (1 + 1/s) G₂(k − 2),
 *   G_j(k) = P_{s+j}(Y ≤ k) = I_p(s + j, k + 1): what a sum costs does not grow with its mean
 * </pre>
 */
public final class NegativeBinomial implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    private static final double REACH = 3;

    private static final int LOW = 3;
    private static final int HIGH = 4;
    private static final int MEAN = 5;
    private static final int SHARE = 6;
    private static final int SCALE = 7;
    private static final int CENTRE = 8;

    @Override
    public String name() {
        return "negative-binomial";
    }

    @Override
    public int referenceSize() {
        return 9;
    }

    @Override
    public List<String> extraNames() {
        return List.of("dispersion");
    }

    @Override
    public double extraLow(int parameter) {
        return 0.05;
    }

    @Override
    public double extraHigh(int parameter) {
        return 200;
    }

    @Override
    public double chiBound() {
        return 1;
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double mean = QuasiPoisson.mean(eta);
        double s = extra[0];
        double deviation = Math.sqrt(mean + mean * mean / s);
        double low = Math.max(0, Math.floor(mean - REACH * deviation));
        double high = Math.ceil(mean + REACH * deviation + 1);
        double cut = cutMean(mean, s, low, high);
        double variance = Math.max(cutSquare(mean, s, low, high, cut), 1e-9);
        double share = s / (s + mean);
        double reach = Math.max(cut - low, high - cut);
        reference[at + BOUND] = share * reach;
        reference[at + SLOPE] = share * cutSlope(mean, s, low, high);
        reference[at + VARIANCE] = share * share * variance;
        reference[at + LOW] = low;
        reference[at + HIGH] = high;
        reference[at + MEAN] = cut;
        reference[at + SHARE] = share;
        reference[at + SCALE] = (1 - share) / (reach * reach);
        reference[at + CENTRE] = reference[at + SCALE] * variance;
    }

    private static double zero(double mean, double s) {
        return Math.exp(s * Math.log(s / (s + mean)));
    }

    /** E clip(Y, low, high). */
    static double cutMean(double mean, double s, double low, double high) {
        if (high <= CutCounts.MOST_TERMS) {
            double more = mean / (s + mean);
            return CutCounts.mean(zero(mean, s), more * s, more, low, high);
        }
        return low * below(low, mean, s, 0) + between(mean, s, low, high) + high * (1 - below(high - 1, mean, s, 0));
    }

    /** E (clip(Y, low, high) − centre)². */
    static double cutSquare(double mean, double s, double low, double high, double centre) {
        if (high <= CutCounts.MOST_TERMS) {
            double more = mean / (s + mean);
            return CutCounts.square(zero(mean, s), more * s, more, low, high, centre);
        }
        double atLow = below(low, mean, s, 0);
        double under = below(high - 1, mean, s, 0);
        double pairs = mean * mean * (1 + 1 / s) * (below(high - 3, mean, s, 2) - below(low - 2, mean, s, 2));
        return (low - centre) * (low - centre) * atLow
                + pairs
                + (1 - 2 * centre) * between(mean, s, low, high)
                + centre * centre * (under - atLow)
                + (high - centre) * (high - centre) * (1 - under);
    }

    /** d/dη E clip(Y, low, high). */
    static double cutSlope(double mean, double s, double low, double high) {
        if (high <= CutCounts.MOST_TERMS) {
            double more = mean / (s + mean);
            return CutCounts.slope(zero(mean, s), more * s, more, low, high);
        }
        return between(mean, s, low, high + 1);
    }

    /** E[Y; low &lt; Y &lt; high]. */
    private static double between(double mean, double s, double low, double high) {
        return mean * (below(high - 2, mean, s, 1) - below(low - 1, mean, s, 1));
    }

    /** G_j(k). */
    private static double below(double k, double mean, double s, int j) {
        return k < 0 ? 0 : RegularizedBeta.value(s / (s + mean), s + j, k + 1);
    }

    private static double cut(double y, double[] reference, int at) {
        return Math.max(reference[at + LOW], Math.min(reference[at + HIGH], y)) - reference[at + MEAN];
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return reference[at + SHARE] * cut(y, reference, at);
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        double residual = cut(y, reference, at);
        chi[0] = reference[at + SCALE] * residual * residual - reference[at + CENTRE];
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        double cut = cutMean(QuasiPoisson.mean(eta), extra[0], reference[at + LOW], reference[at + HIGH]);
        return reference[at + SHARE] * (cut - reference[at + MEAN]);
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return reference[at + SHARE]
                * Math.max(0, cutSlope(QuasiPoisson.mean(eta), extra[0], reference[at + LOW], reference[at + HIGH]));
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double mean = QuasiPoisson.mean(eta);
        double cut = cutMean(mean, extra[0], reference[at + LOW], reference[at + HIGH]);
        double square = cutSquare(mean, extra[0], reference[at + LOW], reference[at + HIGH], cut);
        return reference[at + SHARE] * reference[at + SHARE] * Math.max(square, 1e-9);
    }

    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        double mean = QuasiPoisson.mean(eta);
        double square = cutSquare(mean, extra[0], reference[at + LOW], reference[at + HIGH], reference[at + MEAN]);
        chi[0] = reference[at + SCALE] * square - reference[at + CENTRE];
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        return QuasiPoisson.poisson(QuasiPoisson.mean(eta) * random.gamma(extra[0]) / extra[0], random);
    }

    @Override
    public boolean standardisesTarget() {
        return true;
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return Math.max(-3, Math.min(3, (y - centre) / spread));
    }

    @Override
    public double startBound() {
        return 3;
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return startTarget(QuasiPoisson.mean(eta), centre, spread);
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double mean = QuasiPoisson.mean(eta);
        return Math.abs(mean - centre) < 3 * spread ? mean / spread : 1e-3;
    }

    @Override
    public double startIntercept(double centre) {
        return Math.log(Math.max(centre, 0.1));
    }

    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = 0;
        double square = 0;
        for (int i = 0; i < eta.length; i++) {
            double m = QuasiPoisson.mean(eta[i]);
            mean += weights[i] * m;
            square += weights[i] * m * m;
        }
        double more = Math.max(spread * spread - mean - (square - mean * mean), 0.05 * mean);
        return new double[] {Matrices.clamp(square / more, 0.3, 30)};
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
    public Prediction predict(double mean, double variance, double[] extra) {
        double expected = Math.exp(Math.min(700, mean + variance / 2));
        double square = expected * expected * Math.exp(Math.min(700, variance));
        double spread = expected + square * (1 + 1 / extra[0]) - expected * expected;
        return new Prediction.Numeric(expected, Math.sqrt(spread));
    }
}
