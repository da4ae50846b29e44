package dev.tacit.accounting.pair;

/**
 * A release that sees each record with a probability, compared with the same release without one of the records.
 *
 * <pre>
 *   ((1 − rate)·Q + rate·P,  Q),      L' = log(1 − rate + rate·e^L)
 * </pre>
 *
 * Zhu, Dong, Wang 2022, Theorem 11: if (P, Q) dominates the release when the record is removed, this pair dominates the
 * sampled release when it is removed, and {@link ReversedPair} of it dominates when it is added. Both compose; they
 * must be composed separately.
 *
 * @param base the pair of the release without sampling; P has the extra record
 * @param rate the probability of each record, in (0, 1)
 */
public record PoissonSampledPair(DominatingPair base, double rate) implements DominatingPair {
    public PoissonSampledPair {
        requireRate(rate);
    }

    static void requireRate(double rate) {
        if (!(rate > 0 && rate < 1)) {
            throw new IllegalArgumentException("the rate of a sampled pair lies strictly between 0 and 1");
        }
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        double lower = baseLoss(lowerLoss, rate);
        double upper = baseLoss(upperLoss, rate);
        return lower < upper ? (1 - rate) * base.massOfQ(lower, upper) + rate * base.massOfP(lower, upper) : 0;
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        double lower = baseLoss(lowerLoss, rate);
        double upper = baseLoss(upperLoss, rate);
        return lower < upper ? base.massOfQ(lower, upper) : 0;
    }

    /** log(1 − rate + rate·e^loss). */
    public static double sampledLoss(double loss, double rate) {
        if (loss > 700) {
            return loss + Math.log(rate);
        }
        double excess = rate * Math.expm1(loss);
        return excess > -0.5 ? Math.log1p(excess) : Math.log((1 - rate) + rate * Math.exp(loss));
    }

    /** The inverse of {@link #sampledLoss}; −∞ at and below log(1 − rate). */
    static double baseLoss(double sampledLoss, double rate) {
        if (sampledLoss > 700) {
            return sampledLoss - Math.log(rate);
        }
        double excess = Math.expm1(sampledLoss) / rate;
        if (excess > -0.5) {
            return Math.log1p(excess);
        }
        double scaled = Math.expm1(sampledLoss - Math.log1p(-rate));
        return scaled > 0 ? Math.log(scaled) + Math.log1p(-rate) - Math.log(rate) : Double.NEGATIVE_INFINITY;
    }

    @Override
    public double lossInfimum() {
        return sampledLoss(base.lossInfimum(), rate);
    }

    @Override
    public double lossSupremum() {
        return sampledLoss(base.lossSupremum(), rate);
    }

    @Override
    public double infiniteLossMass() {
        return rate * base.infiniteLossMass();
    }

    @Override
    public boolean symmetric() {
        return false;
    }
}
