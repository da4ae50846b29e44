package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;
import java.util.List;
import org.apache.commons.numbers.gamma.RegularizedGamma;

/**
 * Counts with log link whose variance is s times the mean, s unknown: Poisson residuals, cut as far out as the
 * overdispersion needs.
 *
 * <pre>
 *   λ = e^η,  l = max(0, ⌊λ_t − 3 √(s_t λ_t)⌋),  u = ⌈λ_t + 3 √(s_t λ_t) + 1⌉,   ψ = clip(y, l, u) − E clip
 *   E clip = E min(Y, u) + E max(Y, l) − λ by the Poisson distribution function;   slope = λ P(l ≤ Y &lt; u);   variance: s times the slope
 *   χ = 2 (ψ/b)² − 1,  b the bound of ψ;   E ψ² by P(Y = k + 1) = P(Y = k) (λ + (s − 1) k)/(s (k + 1)),  P(Y = 0) = s^(−λ/(s − 1)):
 *   mean λ and variance s λ, s ≥ 1 (below 1, s times Poisson's); by a normal residual where there are many terms
 * </pre>
 *
 * |ψ| ≤ b = max(E clip − l, u − E clip), |χ| ≤ 1. For Poisson data s = 1 and nothing is lost.
 */
public final class QuasiPoisson implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    private static final double REACH = 3;
    private static final int LAMBDA = 3;
    private static final int LOW = 4;
    private static final int HIGH = 5;
    private static final int MEAN = 6;
    private static final int SPREAD = 7;

    @Override
    public String name() {
        return "poisson";
    }

    @Override
    public int referenceSize() {
        return 8;
    }

    @Override
    public List<String> extraNames() {
        return List.of("overdispersion");
    }

    @Override
    public double extraLow(int parameter) {
        return 0.3;
    }

    @Override
    public double extraHigh(int parameter) {
        return 50;
    }

    @Override
    public double chiBound() {
        return 1;
    }

    static double mean(double eta) {
        return Math.exp(Math.max(-7, Math.min(7, eta)));
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double lambda = mean(eta);
        double reach = REACH * Math.sqrt(extra[0] * lambda);
        double low = Math.max(0, Math.floor(lambda - reach));
        double high = Math.ceil(lambda + reach + 1);
        double clipped = cutMean(lambda, low, high);
        double slope = cutSlope(lambda, low, high);
        reference[at + BOUND] = Math.max(clipped - low, high - clipped);
        reference[at + SLOPE] = slope;
        reference[at + VARIANCE] = slope * extra[0];
        reference[at + LAMBDA] = lambda;
        reference[at + LOW] = low;
        reference[at + HIGH] = high;
        reference[at + MEAN] = clipped;
        reference[at + SPREAD] = extra[0];
    }

    /** P(Y ≤ k) for a whole k from 0, Y Poisson. */
    private static double below(double k, double lambda) {
        return RegularizedGamma.Q.value(k + 1, lambda);
    }

    /** P(Y > k). */
    private static double above(double k, double lambda) {
        return RegularizedGamma.P.value(k + 1, lambda);
    }

    /** E clip(Y, low, high): Σ clip(k) P(Y = k), term by term where there are few. */
    static double cutMean(double lambda, double low, double high) {
        if (high <= CutCounts.MOST_TERMS) {
            return CutCounts.mean(Math.exp(-lambda), lambda, 0, low, high);
        }
        double upper = lambda * below(high - 1, lambda) + high * above(high, lambda);
        double lower = low > 0 ? lambda * above(low - 1, lambda) + low * below(low, lambda) : lambda;
        return upper + lower - lambda;
    }

    /** λ P(low ≤ Y &lt; high). */
    static double cutSlope(double lambda, double low, double high) {
        if (high <= CutCounts.MOST_TERMS) {
            return CutCounts.slope(Math.exp(-lambda), lambda, 0, low, high);
        }
        // far from both cuts the difference is rounding, of either sign
        return lambda * Math.max(0, below(high - 1, lambda) - (low > 0 ? below(low - 1, lambda) : 0));
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return Math.max(reference[at + LOW], Math.min(reference[at + HIGH], y)) - reference[at + MEAN];
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        double share = psi(y, reference, at) / reference[at + BOUND];
        chi[0] = 2 * share * share - 1;
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        return cutMean(mean(eta), reference[at + LOW], reference[at + HIGH]) - reference[at + MEAN];
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return cutSlope(mean(eta), reference[at + LOW], reference[at + HIGH]);
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        return extra[0] * slope(eta, extra, reference, at);
    }

    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        double square = reference[at + HIGH] <= CutCounts.MOST_TERMS
                ? cutSquare(mean(eta), extra[0], reference, at)
                : normalSquare(mean(eta), extra[0], reference, at);
        chi[0] = 2 * square / (reference[at + BOUND] * reference[at + BOUND]) - 1;
    }

    /** E ψ² of counts with mean λ and variance s λ. */
    private static double cutSquare(double lambda, double s, double[] reference, int at) {
        double more = Math.max(s - 1, 0);
        double zero = Math.exp(more > 1e-9 ? -lambda * Math.log1p(more) / more : -lambda);
        double square = CutCounts.square(
                zero,
                lambda / (1 + more),
                more / (1 + more),
                reference[at + LOW],
                reference[at + HIGH],
                reference[at + MEAN]);
        return Math.min(s, 1) * square;
    }

    private static double normalSquare(double lambda, double s, double[] reference, int at) {
        double ratio = s / reference[at + SPREAD];
        double edge = REACH / Math.sqrt(ratio);
        double within = 2 * SpecialFunctions.normalCdf(edge) - 1;
        double moved = lambda - reference[at + LAMBDA];
        return reference[at + SLOPE]
                        * reference[at + SPREAD]
                        * (ratio * (within - 2 * edge * SpecialFunctions.normalDensity(edge))
                                + REACH * REACH * (1 - within))
                + moved * moved;
    }

    /** Poisson counts, of a Gamma-distributed mean if there is more variance than theirs. */
    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        double lambda = mean(eta);
        double more = extra[0] - 1;
        double rate = more > 1e-3 ? random.gamma(lambda / more) * more : lambda;
        return poisson(rate, random);
    }

    /** A Poisson number: by waiting times in steps of at most 500, so that nothing underflows. */
    static double poisson(double rate, RandomStream random) {
        double left = rate;
        double count = 0;
        while (left > 500) {
            double order = Math.floor(left * 0.875);
            double waited = random.gamma(order);
            if (waited > left) {
                // order − 1 arrivals before `waited`, of which each lies before `left` with the same probability
                double share = left / waited;
                for (double i = 1; i < order; i++) {
                    count += random.uniform() < share ? 1 : 0;
                }
                return count;
            }
            count += order;
            left -= waited;
        }
        double product = random.openUniform();
        double limit = Math.exp(-left);
        while (product > limit) {
            count++;
            product *= random.openUniform();
        }
        return count;
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
        return startTarget(mean(eta), centre, spread);
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double lambda = mean(eta);
        return Math.abs(lambda - centre) < 3 * spread ? lambda / spread : 1e-3;
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
            double lambda = mean(eta[i]);
            mean += weights[i] * lambda;
            square += weights[i] * lambda * lambda;
        }
        double between = Math.max(0, square - mean * mean);
        return new double[] {Matrices.clamp((spread * spread - between) / mean, 1, 20)};
    }

    @Override
    public double[] usualExtra() {
        return new double[] {1};
    }

    /** The field of cut counts is close to linear over a posterior. */
    @Override
    public boolean smooths() {
        return false;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double expected = Math.exp(Math.min(700, mean + variance / 2));
        double spread = extra[0] * expected + expected * expected * Math.expm1(Math.min(700, variance));
        return new Prediction.Numeric(expected, Math.sqrt(spread));
    }
}
