package dev.tacit.accounting.pair;

import java.util.OptionalDouble;

/**
 * Laplace noise on a Poisson sample, when one record is replaced by its opposite.
 *
 * <pre>
 *   P = (1 − rate)·Laplace(0) + rate·Laplace(e),   Q = (1 − rate)·Laplace(0) + rate·Laplace(−e),   e = epsilon, scale 1
 *   L(x) = log(1 − rate + rate·e^{2x−e}) − log(1 − rate + rate·e^{−e})   for 0 ≤ x ≤ e,   odd in x, constant beyond ±e
 *   x    = log( 1 + (e^L − 1)·((1 − rate)e^e + rate)/rate ) / 2
 * </pre>
 *
 * Why it dominates, for any noise whose pairs (record in, record out) are dominated by a one-dimensional shift family
 * with monotone likelihood ratio: a test of level p under the output without the record has at most the power G(p), at
 * least the power g(p), with the record, whatever the record. So P(E) − a·Q(E) ≤ max over p of (1 − rate)(1 − a)p +
 * rate·(G(p) − a·g(p)), and in the one-dimensional family the half line {x &gt; t} of level p attains G at the shift e
 * and g at the shift −e together.
 *
 * @param epsilon one record's L1 bound over the scale
 * @param rate the probability of each record, in (0, 1)
 */
public record PoissonReplaceLaplacePair(double epsilon, double rate) implements DominatingPair {
    public PoissonReplaceLaplacePair {
        PoissonSampledPair.requireRate(rate);
        if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon is a positive number");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return mass(lowerLoss, upperLoss, epsilon);
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return mass(lowerLoss, upperLoss, -epsilon);
    }

    private double mass(double lowerLoss, double upperLoss, double centre) {
        double largest = lossSupremum();
        double from = lowerLoss < -largest ? Double.NEGATIVE_INFINITY : outcome(lowerLoss);
        double to = upperLoss >= largest ? Double.POSITIVE_INFINITY : upperLoss < -largest ? from : outcome(upperLoss);
        if (lowerLoss >= largest || !(from < to)) {
            return 0;
        }
        return (1 - rate) * laplace(from, to) + rate * laplace(from - centre, to - centre);
    }

    /** The outcome at which the loss is this, between −epsilon and epsilon. */
    private double outcome(double loss) {
        double size = Math.abs(loss);
        if (size == 0) {
            return 0;
        }
        double logExcess = size > 40 ? size : Math.log(Math.expm1(size));
        double y = logExcess + epsilon + Math.log((1 - rate) + rate * Math.exp(-epsilon)) - Math.log(rate);
        double outcome = y > 40 ? 0.5 * y : 0.5 * Math.log1p(Math.exp(y));
        return Math.copySign(Math.min(epsilon, outcome), loss);
    }

    /** Mass of the unit Laplace distribution on an interval. */
    private static double laplace(double from, double to) {
        if (from >= 0) {
            return -0.5 * Math.exp(-from) * Math.expm1(from - to);
        }
        return to <= 0 ? -0.5 * Math.exp(to) * Math.expm1(from - to) : -0.5 * (Math.expm1(-to) + Math.expm1(from));
    }

    @Override
    public double lossInfimum() {
        return -lossSupremum();
    }

    @Override
    public double lossSupremum() {
        return PoissonSampledPair.sampledLoss(epsilon, rate) - PoissonSampledPair.sampledLoss(-epsilon, rate);
    }

    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public OptionalDouble lossLattice() {
        return OptionalDouble.of(lossSupremum());
    }
}
