package dev.tacit.accounting.exact.closed;

import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.FixedSizeSampledPair;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.pair.LaplacePair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.RandomizedResponsePair;
import dev.tacit.accounting.pair.ReversedPair;
import dev.tacit.door.unit.PrivacyBudget;

/**
 * The exact (epsilon, delta) curve of one pair used once, and its inverse.
 *
 * <pre>
 *   delta(ε) = P(L = ∞) + P(L &gt; ε) − e^ε Q(L &gt; ε),   ε ≥ 0
 *   ((1 − q)Q + qP, Q):  delta(ε) = q·delta_base(log(1 + (e^ε − 1)/q))
 *   (Q, (1 − q)Q + qP):  delta(ε) = β·delta_reversed(log(q·e^ε / β)),   β = 1 − (1 − q)e^ε
 * </pre>
 *
 * Gaussian, Laplace and randomised response have closed forms, and sampling is carried through to them (Balle, Barthe,
 * Gaboardi 2018, Theorem 2, as an equality of the pairs), so nothing cancels. Other pairs are evaluated from their
 * masses, whose relative error is taken to be at most 1e-12. "Upper" and "lower" bracket the true value; every rounding
 * goes to that side.
 */
public final class SingleRelease {
    private static final double MASS_SLACK = 1e-12;
    private static final double ROUNDING = 16 * Math.ulp(1.0);
    private static final double TINIEST = 8 * Double.MIN_VALUE;

    private SingleRelease() {}

    /** A delta that holds at this epsilon. */
    public static double deltaUpper(DominatingPair pair, double epsilon) {
        return delta(pair, requireEpsilon(epsilon), true);
    }

    /** A lower bound on the smallest delta that holds at this epsilon. */
    public static double deltaLower(DominatingPair pair, double epsilon) {
        return delta(pair, requireEpsilon(epsilon), false);
    }

    /** An epsilon that holds at this delta; +∞ if none does. */
    public static double epsilonUpper(DominatingPair pair, double delta) {
        return epsilon(pair, PrivacyBudget.requireDelta(delta), true);
    }

    /** A lower bound on the smallest epsilon, at least 0, that holds at this delta. */
    public static double epsilonLower(DominatingPair pair, double delta) {
        return epsilon(pair, PrivacyBudget.requireDelta(delta), false);
    }

    private static double delta(DominatingPair pair, double epsilon, boolean upper) {
        if (epsilon >= top(pair)) {
            return pair.infiniteLossMass();
        }
        if (pair instanceof GaussianPair gaussian) {
            return upper
                    ? GaussianClosedForm.deltaUpper(gaussian.shift(), epsilon)
                    : GaussianClosedForm.deltaLower(gaussian.shift(), epsilon);
        }
        if (pair instanceof LaplacePair laplace) {
            return outward(Math.max(0, -Math.expm1((epsilon - laplace.epsilon()) / 2)), upper);
        }
        if (pair instanceof RandomizedResponsePair response) {
            return outward(
                    Math.max(0, -Math.expm1(epsilon - response.epsilon())) / (1 + Math.exp(-response.epsilon())),
                    upper);
        }
        if (pair instanceof PoissonSampledPair sampled) {
            return sampled(sampled.base(), sampled.rate(), epsilon, upper);
        }
        if (pair instanceof FixedSizeSampledPair sampled) {
            return sampled(sampled.base(), sampled.rate(), epsilon, upper);
        }
        if (pair instanceof ReversedPair reversed) {
            if (reversed.original().symmetric()) {
                return delta(reversed.original(), epsilon, upper);
            }
            if (reversed.original() instanceof PoissonSampledPair sampled) {
                return added(sampled, epsilon, upper);
            }
        }
        return fromMasses(pair, epsilon, upper);
    }

    /** Surely no finite loss is larger. */
    private static double top(DominatingPair pair) {
        return pair.lossSupremum() * (1 + ROUNDING);
    }

    private static double sampled(DominatingPair base, double rate, double epsilon, boolean upper) {
        double baseEpsilon = baseEpsilon(epsilon, rate);
        double argument = upper ? baseEpsilon * (1 - ROUNDING) : baseEpsilon * (1 + ROUNDING);
        return outward(rate * delta(base, argument, upper), upper);
    }

    /** log(1 + (e^ε − 1)/rate). */
    private static double baseEpsilon(double epsilon, double rate) {
        return epsilon > 700 ? epsilon - Math.log(rate) : Math.log1p(Math.expm1(epsilon) / rate);
    }

    private static double added(PoissonSampledPair sampled, double epsilon, boolean upper) {
        double rate = sampled.rate();
        double kept = Math.log1p(-rate);
        double error = ROUNDING * (epsilon - kept);
        double beta = -Math.expm1(epsilon + kept + (upper ? -error : error));
        if (!(beta > 0)) {
            return 0;
        }
        double baseEpsilon = epsilon + Math.log(rate) - Math.log(beta);
        double argument = baseEpsilon
                + (upper ? -1 : 1) * ROUNDING * (epsilon + Math.abs(Math.log(rate)) + Math.abs(Math.log(beta)));
        return outward(beta * delta(ReversedPair.of(sampled.base()), Math.max(0, argument), upper), upper);
    }

    private static double fromMasses(DominatingPair pair, double epsilon, boolean upper) {
        double above = pair.massOfP(epsilon, Double.POSITIVE_INFINITY);
        double other = pair.massOfQ(epsilon, Double.POSITIVE_INFINITY);
        double weighted = other > 0 ? Math.min(above, Math.exp(epsilon + Math.log(other))) : upper ? 0 : above;
        double slack = (MASS_SLACK + ROUNDING * epsilon) * (above + weighted);
        double value = above - weighted + (upper ? slack : -slack);
        return Math.min(1, Math.max(0, outward(value, upper) + pair.infiniteLossMass()));
    }

    private static double outward(double delta, boolean upper) {
        return upper ? Math.min(1, delta * (1 + ROUNDING) + TINIEST) : Math.max(0, delta * (1 - ROUNDING) - TINIEST);
    }

    private static double epsilon(DominatingPair pair, double delta, boolean upper) {
        if (pair instanceof GaussianPair gaussian) {
            return upper
                    ? GaussianClosedForm.epsilonUpper(gaussian.shift(), delta)
                    : GaussianClosedForm.epsilonLower(gaussian.shift(), delta);
        }
        if (pair instanceof ReversedPair reversed && reversed.original().symmetric()) {
            return epsilon(reversed.original(), delta, upper);
        }
        if (pair instanceof PoissonSampledPair sampled && sampled.infiniteLossMass() == 0) {
            return sampledEpsilon(sampled.base(), sampled.rate(), delta, upper);
        }
        if (pair instanceof FixedSizeSampledPair sampled) {
            return sampledEpsilon(sampled.base(), sampled.rate(), delta, upper);
        }
        return upper ? searchUpper(pair, delta) : searchLower(pair, delta);
    }

    /** log(1 + rate·(e^ε − 1)) where ε holds for the base at delta/rate. */
    private static double sampledEpsilon(DominatingPair base, double rate, double delta, boolean upper) {
        double baseDelta = delta / rate * (upper ? 1 - ROUNDING : 1 + ROUNDING);
        double baseEpsilon = baseDelta < 1 ? epsilon(base, baseDelta, upper) : 0;
        double epsilon = baseEpsilon > 700 ? baseEpsilon + Math.log(rate) : Math.log1p(rate * Math.expm1(baseEpsilon));
        return Math.max(0, epsilon * (upper ? 1 + ROUNDING : 1 - ROUNDING));
    }

    /** The smallest epsilon, up to rounding, at which the upper curve is at most delta. */
    private static double searchUpper(DominatingPair pair, double delta) {
        if (pair.infiniteLossMass() > delta) {
            return Double.POSITIVE_INFINITY;
        }
        if (delta(pair, 0, true) <= delta) {
            return 0;
        }
        double inside = Math.min(1, top(pair));
        while (delta(pair, inside, true) > delta) {
            inside = Math.min(2 * inside, top(pair));
            if (Double.isInfinite(inside)) {
                return inside;
            }
        }
        double outside = 0;
        while (inside - outside > Math.ulp(inside)) {
            double middle = between(outside, inside);
            if (delta(pair, middle, true) <= delta) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside;
    }

    /** The largest epsilon, up to rounding, at which the lower curve is above delta. */
    private static double searchLower(DominatingPair pair, double delta) {
        if (delta(pair, 0, false) <= delta) {
            return 0;
        }
        double outside = Math.min(1, top(pair));
        while (delta(pair, outside, false) > delta) {
            if (Double.isInfinite(outside) || outside >= top(pair)) {
                return outside;
            }
            outside = Math.min(2 * outside, top(pair));
        }
        double inside = 0;
        while (outside - inside > Math.ulp(outside)) {
            double middle = between(inside, outside);
            if (delta(pair, middle, false) > delta) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside;
    }

    /** The arithmetic middle, or the geometric one while the ends differ by orders of magnitude. */
    private static double between(double lower, double upper) {
        if (lower > 0 && upper > 4 * lower) {
            return Math.sqrt(lower) * Math.sqrt(upper);
        }
        return lower == 0 && upper > 1e-300 ? 1e-3 * upper : lower + 0.5 * (upper - lower);
    }

    private static double requireEpsilon(double epsilon) {
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon must be 0 or more");
        }
        return epsilon;
    }
}
