package dev.tacit.accounting.exact.jumps;

import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.GaussLegendre;
import dev.tacit.accounting.numerics.MixtureRatio;
import dev.tacit.accounting.numerics.NormalTail;

/**
 * The moments, from above, of Poisson-sampled Gaussian releases without their largest losses.
 *
 * <pre>
 *   M(θ) − 1 ≤ ∫ from u₀ to c of (e^{θL} − 1) dP,      lost = P(u &gt; c),      dP and L as in {@link PoissonGaussianMoments}
 * </pre>
 *
 * What lies below u₀ has negative losses and can only lower the moment. Composite Gauss-Legendre rule: with |f| ≤ F on the Bernstein ellipse
 * of parameter 4 around a panel of width W, the error of 32 points is at most (W/2)·64/15·F·4^{−64}/(1 − 4^{−2}) (Trefethen 2008, Theorem
 * 4.5). On that ellipse |r₊(u)| ≤ r₊(Re u), |φ(u)| = φ(Re u) e^{(Im u)²/2} and |r₋(u)|² = r₋(Re u)²·(1 − 4p(1−p) sin²(a Im u/2)) with the share p
 * of the sampled branch in r₋. The errors of the rule and of rounding are added.
 */
public final class CutGaussianMoments {
    private static final GaussLegendre RULE = new GaussLegendre(32);
    private static final double LOG_RULE_ERROR = Math.log(64.0 / 15 / (1 - 1.0 / 16)) - 64 * Math.log(4);
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    /** How far the ellipse reaches beyond the panel, and into the complex plane, for a panel of width 1. */
    private static final double BEYOND = 0.5 * (0.5 * (4 + 0.25) - 1);

    private static final double HEIGHT = 0.25 * (4 - 0.25);
    /** Largest a·Im u: the ratios have no zero below π. */
    private static final double MOST_TURN = 3;

    private static final double LOG_PANEL_ERROR = Math.log(1e-16);
    private static final double LOG_MASS_BELOW = Math.log(1e-17);
    private static final int MOST_PANELS = 1000;
    /** Points at which the size of the integrand is looked at, to know which error is small. */
    private static final int GLANCES = 100;

    private static final double UNIT = 0x1p-53;

    private final Direction direction;
    private final double shift;
    private final double rate;
    private final double times;
    private final double first;
    private final double cut;

    /** @param logLostMass logarithm of the P-mass that all releases together may lose */
    public CutGaussianMoments(
            Direction direction, double noiseMultiplier, double rate, double times, double logLostMass) {
        if (direction == Direction.ADD) {
            throw new IllegalArgumentException("the losses of adding a record are bounded and need no cut");
        }
        this.direction = direction;
        this.shift = 1 / noiseMultiplier;
        this.rate = rate;
        this.times = times;
        this.first = -NormalTail.pointWithTailAtMost(LOG_MASS_BELOW - Math.log(times));
        this.cut = cut(logLostMass - Math.log(times));
    }

    /** The smallest cut, up to rounding, beyond which one release has at most this mass. */
    private double cut(double logMass) {
        double low = first;
        double high = shift + NormalTail.pointWithTailAtMost(logMass);
        while (high - low > 1e-9 * (1 + Math.abs(high))) {
            double middle = 0.5 * (low + high);
            if (logMassBeyond(middle) <= logMass) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    private double logMassBeyond(double point) {
        double unsampled = Math.log1p(-rate) + NormalTail.logAbove(point);
        double sampled = Math.log(rate) + NormalTail.logAbove(point - shift);
        double larger = Math.max(unsampled, sampled);
        return larger + Math.log1p(Math.exp(Math.min(unsampled, sampled) - larger));
    }

    /** P-mass that all releases together lose, from above. */
    double lostMass() {
        return times * Math.exp(logMassBeyond(cut)) * (1 + 1e-11) + Double.MIN_NORMAL;
    }

    /** times·log M(θ) from above; +∞ if that takes too many panels. */
    double logMoment(double theta) {
        double sum = 0;
        double compensation = 0;
        double error = 0;
        int panels = 0;
        double width = cut - first;
        if (shift * HEIGHT * width > MOST_TURN * MOST_PANELS) {
            return Double.POSITIVE_INFINITY;
        }
        double allowed = LOG_PANEL_ERROR - Math.log(times) + Math.max(0, logLargest(theta));
        for (double x = first; x < cut; x += width) {
            width = Math.min(2 * width, cut - x);
            double logError = logError(theta, x, width);
            while (!(logError <= allowed)) {
                width *= 0.5;
                logError = logError(theta, x, width);
                if (!(width > 1e-7)) {
                    return Double.POSITIVE_INFINITY;
                }
            }
            if (++panels > MOST_PANELS) {
                return Double.POSITIVE_INFINITY;
            }
            error += Math.exp(logError);
            double half = 0.5 * width;
            for (int i = 0; i < RULE.count(); i++) {
                double u = x + half * (1 + RULE.node(i));
                double plus = MixtureRatio.log(shift, rate, u);
                double minus = logMinus(u);
                double exponent = theta * (plus - minus);
                double logDensity = -0.5 * u * u - LOG_SQRT_TWO_PI + plus;
                double change = exponent > 1
                        ? Math.exp(logDensity + exponent) - Math.exp(logDensity)
                        : Math.exp(logDensity) * Math.expm1(exponent);
                double weight = half * RULE.weight(i);
                double term = weight * change;
                double size = 16 + 0.5 * u * u + theta * (Math.abs(plus) + Math.abs(minus));
                double scale = exponent > 0 ? Math.exp(logDensity + exponent) : Math.exp(logDensity);
                error += 4
                        * UNIT
                        * (size * Math.abs(term) + weight * scale * theta * (Math.abs(plus) + Math.abs(minus)));
                double corrected = term - compensation;
                double next = sum + corrected;
                compensation = (next - sum) - corrected;
                sum = next;
            }
        }
        return times * Math.log1p(sum + error) * (1 + 4 * UNIT) + Double.MIN_NORMAL;
    }

    /** log r₋, where the loss has it. */
    private double logMinus(double u) {
        return direction == Direction.REPLACE ? MixtureRatio.log(shift, rate, -u) : 0;
    }

    /** Log of about the largest value of the integrand of M(θ). */
    private double logLargest(double theta) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i <= GLANCES; i++) {
            double u = first + (cut - first) * i / GLANCES;
            double plus = MixtureRatio.log(shift, rate, u);
            largest = Math.max(largest, -0.5 * u * u + plus + theta * (plus - logMinus(u)));
        }
        return largest;
    }

    /** Log of the error of the rule on one panel. */
    private double logError(double theta, double left, double width) {
        double height = HEIGHT * width;
        if (!(shift * height <= MOST_TURN)) {
            return Double.POSITIVE_INFINITY;
        }
        double start = left - BEYOND * width;
        double end = left + (1 + BEYOND) * width;
        double nearest = start > 0 ? start : end < 0 ? end : 0;
        double plus = MixtureRatio.log(shift, rate, end);
        double logPower = theta * plus;
        if (direction == Direction.REPLACE) {
            double sine = Math.sin(0.5 * shift * height);
            double most = MixtureRatio.share(shift, rate, -start);
            double least = MixtureRatio.share(shift, rate, -end);
            double share = most <= 0.5 ? most : least >= 0.5 ? least : 0.5;
            logPower -= theta
                    * (MixtureRatio.log(shift, rate, -end) + 0.5 * Math.log1p(-4 * share * (1 - share) * sine * sine));
        }
        double logDensity = -0.5 * nearest * nearest + 0.5 * height * height - LOG_SQRT_TWO_PI + plus;
        double logBound = logDensity + Math.max(0, logPower) + Math.log(2);
        return Math.log(0.5 * width) + LOG_RULE_ERROR + logBound + 1e-6;
    }
}
