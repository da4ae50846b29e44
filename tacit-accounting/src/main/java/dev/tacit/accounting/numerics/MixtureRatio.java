package dev.tacit.accounting.numerics;

/**
 * The likelihood ratio of a Poisson-sampled Gaussian and its powers, without cancellation.
 *
 * <pre>
 *   r(u) = 1 − rate + rate·e^ℓ,   ℓ = shift·(u − shift/2),   u in units of the noise standard deviation
 * </pre>
 */
public final class MixtureRatio {
    private MixtureRatio() {}

    /** r(u) − 1; infinite where it overflows. */
    public static double excess(double shift, double rate, double u) {
        return rate * NearZero.expm1(shift * (u - 0.5 * shift));
    }

    /** log r(u). */
    public static double log(double shift, double rate, double u) {
        double exponent = shift * (u - 0.5 * shift);
        double excess = rate * NearZero.expm1(exponent);
        if (Math.abs(excess) < 0.5) {
            return NearZero.log1p(excess);
        }
        if (exponent > 0) {
            return exponent + Math.log(rate + (1 - rate) * Math.exp(-exponent));
        }
        return Math.log((1 - rate) + rate * Math.exp(exponent));
    }

    /** rate·e^ℓ / r(u): the posterior probability that the record was sampled; also d log r / dℓ. */
    public static double share(double shift, double rate, double u) {
        double exponent = shift * (u - 0.5 * shift);
        if (exponent > 0) {
            return rate / (rate + (1 - rate) * Math.exp(-exponent));
        }
        double weighted = rate * Math.exp(exponent);
        return weighted / ((1 - rate) + weighted);
    }

    /** (1+excess)^power − 1 − power·excess ≥ 0 for power outside (0, 1), given also logRatio = log(1+excess). */
    public static double powerRemainder(double power, double excess, double logRatio) {
        if (Math.abs(excess) <= 0.3 && Math.abs(power * excess) <= 1) {
            double term = 0.5 * power * (power - 1) * excess * excess;
            double sum = term;
            for (int k = 3; k < 60 && Math.abs(term) > 1e-18 * Math.abs(sum); k++) {
                term *= (power - k + 1) / k * excess;
                sum += term;
            }
            return sum;
        }
        return Math.expm1(power * logRatio) - power * excess;
    }

    /** (1+p)^{θ+1} (1+m)^{−θ} − 1 − (θ+1)p + θm ≥ 0, given also the logarithms of 1+p and 1+m. */
    public static double quotientRemainder(double theta, double p, double logP, double m, double logM) {
        double exponent = (theta + 1) * logP - theta * logM;
        if (Math.abs(exponent) > 0.5 || Math.abs(theta * m) > 0.5 || Math.abs(m) > 0.3 || Math.abs(p) > 0.3) {
            return Math.expm1(exponent) - (theta + 1) * p + theta * m;
        }
        double remainderP = powerRemainder(theta + 1, p, logP);
        double remainderM = powerRemainder(-theta, m, logM);
        return remainderP
                + remainderM
                - theta * (theta + 1) * p * m
                + (theta + 1) * p * remainderM
                - theta * m * remainderP
                + remainderP * remainderM;
    }
}
