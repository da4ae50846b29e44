package dev.tacit.accounting.pair;

import dev.tacit.accounting.numerics.NormalInterval;
import dev.tacit.accounting.numerics.NormalInterval.Point;

/**
 * Gaussian noise on a Poisson sample, when one record is replaced by its opposite.
 *
 * <pre>
 *   P = (1 − rate)·N(0, 1) + rate·N(a, 1),   Q = (1 − rate)·N(0, 1) + rate·N(−a, 1),   a = 1/noiseMultiplier
 *   L(u) = log r(u) − log r(−u),   r(u) = 1 − rate + rate·e^{au − a²/2},
 *   a·u  = L/2 + asinh( (1 − rate)/rate · e^{a²/2} · sinh(L/2) )
 * </pre>
 *
 * The loss is odd and increasing in u, so the pair is symmetric. The inverse is exact: with w = e^{au − L/2} the
 * equation of the loss becomes w − 1/w = 2 sinh(L/2)(1 − rate)/(rate·e^{−a²/2}). That the pair dominates is shown in
 * docs/privacy-model.md: for a test of level p under N(0), the mass under any N(x) is largest, and under any N(x')
 * smallest, on the same half line, for x = a and x' = −a.
 *
 * @param noiseMultiplier noise standard deviation over the L2 bound of one record
 * @param rate the probability of each record, in (0, 1)
 */
public record PoissonReplaceGaussianPair(double noiseMultiplier, double rate) implements DominatingPair {
    public PoissonReplaceGaussianPair {
        PoissonSampledPair.requireRate(rate);
        if (!(noiseMultiplier > 0) || Double.isInfinite(noiseMultiplier)) {
            throw new IllegalArgumentException("a noise multiplier is a positive number");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return mass(outcome(lowerLoss), outcome(upperLoss), -1 / noiseMultiplier);
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return mass(outcome(lowerLoss), outcome(upperLoss), 1 / noiseMultiplier);
    }

    private double mass(double lower, double upper, double offset) {
        double outside = NormalInterval.between(Point.sum(lower, 0), Point.sum(upper, 0));
        double inside = NormalInterval.between(Point.sum(lower, offset), Point.sum(upper, offset));
        return (1 - rate) * outside + rate * inside;
    }

    /** The outcome u at which the loss is this. */
    double outcome(double loss) {
        double half = 0.5 * Math.abs(loss);
        if (half == 0 || Double.isInfinite(half)) {
            return loss;
        }
        double shift = 1 / noiseMultiplier;
        double argument = (1 - rate) / rate * Math.exp(0.5 * shift * shift) * Math.sinh(half);
        double asinh = argument < 1e100 ? asinh(argument) : asinhOfHalfExp(logTwiceArgument(shift, half));
        return Math.copySign((half + asinh) / shift, loss);
    }

    private double logTwiceArgument(double shift, double half) {
        return Math.log1p(-rate) - Math.log(rate) + 0.5 * shift * shift + half + Math.log(-Math.expm1(-2 * half));
    }

    private static double asinhOfHalfExp(double x) {
        return x > 40 ? x : asinh(0.5 * Math.exp(x));
    }

    private static double asinh(double x) {
        return Math.log1p(x + x * (x / (1 + Math.sqrt(1 + x * x))));
    }

    @Override
    public double lossInfimum() {
        return Double.NEGATIVE_INFINITY;
    }

    @Override
    public double lossSupremum() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public boolean symmetric() {
        return true;
    }
}
