package dev.tacit.accounting.exact.closed;

import dev.tacit.accounting.numerics.NormalInterval;
import dev.tacit.accounting.numerics.NormalInterval.Point;
import dev.tacit.door.unit.PrivacyBudget;

/**
 * The exact (epsilon, delta) curve of Gaussian noise, and its inverses.
 *
 * <pre>
 *   delta = Φ(−c) − e^ε Φ(−c − shift) = φ(c) (R(c) − R(c + shift)),   c = ε/shift − shift/2,   R(x) = Φ(−x)/φ(x)
 *   ∂delta/∂ε = −φ(c) R(c + shift),                                    ∂delta/∂shift = φ(c)
 * </pre>
 *
 * Balle, Wang 2018, Theorem 8; also the conversion of shift-GDP (Dong, Roth, Su 2022, Corollary 2.13). The shift is the
 * distance of the means in noise standard deviations; k releases of shifts μ_i are one of shift √(Σ μ_i²). Differs from
 * the paper: the second form has no cancellation and no overflow, so delta is known to a relative 1e-14 whether it is
 * 1e-300 or 1 − 1e-9. "Upper" and "lower" bracket the true value.
 */
public final class GaussianClosedForm {
    /**
     * Bounds the relative error of {@link #delta} and {@link #complement}; ten times the worst error seen against 50
     * digits.
     */
    private static final double SLACK = 1e-14;

    /** Bounds the absolute error where doubles lose relative precision. */
    private static final double TINIEST = 8 * Double.MIN_VALUE;

    /** Beyond this many standard deviations delta is below the smallest double. */
    private static final double FARTHEST = 38.6;

    /**
     * Smaller deltas are answered from inequalities: an upper bound from e^{−c²/2} / 2, a lower bound from this one.
     */
    private static final double SMALLEST_DELTA = 1e-300;

    private static final int MOST_ITERATIONS = 200;

    private GaussianClosedForm() {}

    /** A delta that holds at this epsilon. */
    public static double deltaUpper(double shift, double epsilon) {
        requireArguments(shift, epsilon);
        if (shift == 0) {
            return 0;
        }
        double value = delta(shift, epsilon);
        if (value > 0.5) {
            return Math.min(1, Math.nextUp(1 - complement(shift, epsilon) * (1 - SLACK)));
        }
        return value * (1 + SLACK) + TINIEST;
    }

    /** A delta that does not hold at this epsilon, or 0. */
    public static double deltaLower(double shift, double epsilon) {
        requireArguments(shift, epsilon);
        double value = shift == 0 ? 0 : delta(shift, epsilon);
        if (value > 0.5) {
            return Math.nextDown(1 - complement(shift, epsilon) * (1 + SLACK));
        }
        return Math.max(0, value * (1 - SLACK) - TINIEST);
    }

    /** An epsilon that holds at this delta. */
    public static double epsilonUpper(double shift, double delta) {
        return epsilon(shift, delta, true);
    }

    /** An epsilon that no analysis of this noise can go below at this delta. */
    public static double epsilonLower(double shift, double delta) {
        return epsilon(shift, delta, false);
    }

    /**
     * A shift that keeps this epsilon and delta: the largest up to rounding, so that its inverse is the noise
     * multiplier to use.
     */
    public static double shiftLower(double epsilon, double delta) {
        return shift(epsilon, delta, true);
    }

    /** A shift that does not keep this epsilon and delta: the smallest up to rounding. */
    public static double shiftUpper(double epsilon, double delta) {
        return shift(epsilon, delta, false);
    }

    private static double epsilon(double shift, double delta, boolean upper) {
        requireArguments(shift, 0);
        PrivacyBudget.requireDelta(delta);
        if (shift == 0 || (upper && holds(shift, 0, delta)) || (!upper && !fails(shift, 0, delta))) {
            return 0;
        }
        boolean small = delta <= 0.5;
        // Both log delta and log(1 − delta) are concave in epsilon, so Newton's method is monotone from the side where
        // they are too small.
        // Such a side is delta ≤ Φ(−c) ≤ e^{−c²/2} / 2 for c ≥ 0, and 1 − delta ≤ 2Φ(c) ≤ e^{−c²/2} for c ≤ 0.
        double start = small ? Math.sqrt(-2 * Math.log(2 * delta)) : -Math.sqrt(-2 * Math.log(1 - delta));
        double epsilon = Math.max(0, shift * (start + shift / 2));
        if (delta < SMALLEST_DELTA) {
            return upper ? epsilon * (1 + 8 * Math.ulp(1.0)) : epsilon(shift, SMALLEST_DELTA, false);
        }
        double target = small ? Math.log(delta) : Math.log(1 - delta);
        double slope = Double.NaN;
        for (int i = 0; i < MOST_ITERATIONS; i++) {
            double value = small ? delta(shift, epsilon) : complement(shift, epsilon);
            if (value == 0) {
                epsilon *= 0.98;
                continue;
            }
            slope = (small ? -1 : 1) * weightedTail(shift, epsilon) / value;
            double step = (target - Math.log(value)) / slope;
            double next = Math.max(0, epsilon + step);
            boolean converged = !(Math.abs(next - epsilon) > 1e-15 * epsilon);
            epsilon = next;
            if (converged) {
                break;
            }
        }
        double margin = margin(slope, epsilon);
        for (int i = 0; i < MOST_ITERATIONS; i++, margin *= 2) {
            double candidate = upper ? epsilon + margin : Math.max(0, epsilon - margin);
            if (upper ? holds(shift, candidate, delta) : candidate == 0 || fails(shift, candidate, delta)) {
                return candidate;
            }
        }
        return upper ? Double.POSITIVE_INFINITY : 0;
    }

    private static double shift(double epsilon, double delta, boolean lower) {
        requireArguments(1, epsilon);
        PrivacyBudget.requireDelta(delta);
        double inside = 0;
        double outside = 1;
        while (holds(outside, epsilon, delta) && outside < Double.MAX_VALUE / 4) {
            inside = outside;
            outside *= 2;
        }
        while (inside == 0 && outside > 1e-300) {
            if (holds(outside / 2, epsilon, delta)) {
                inside = outside / 2;
            } else {
                outside /= 2;
            }
        }
        double shift = inside;
        double target = delta <= 0.5 ? Math.log(delta) : Math.log(1 - delta);
        double slope = Double.NaN;
        for (int i = 0; i < MOST_ITERATIONS && inside > 0; i++) {
            double value = delta <= 0.5 ? delta(shift, epsilon) : complement(shift, epsilon);
            slope = (delta <= 0.5 ? 1 : -1) * NormalInterval.density(distance(shift, epsilon)) / value;
            double next = shift + (target - Math.log(value)) / slope;
            if (!(next > inside && next < outside)) {
                next = 0.5 * (inside + outside);
            }
            if (holds(next, epsilon, delta)) {
                inside = next;
            } else {
                outside = next;
            }
            boolean converged = !(Math.abs(next - shift) > 1e-15 * shift);
            shift = next;
            if (converged) {
                break;
            }
        }
        double margin = margin(slope, shift);
        for (int i = 0; i < MOST_ITERATIONS; i++, margin *= 2) {
            double candidate = lower ? Math.max(0, shift - margin) : shift + margin;
            if (lower ? candidate == 0 || holds(candidate, epsilon, delta) : fails(candidate, epsilon, delta)) {
                return candidate;
            }
        }
        return lower ? 0 : Double.POSITIVE_INFINITY;
    }

    /** How far a root of a logarithm with this slope may be off, as a first guess; every candidate is checked. */
    private static double margin(double slope, double root) {
        double uncertainty = 2 * SLACK / Math.abs(slope);
        return (uncertainty < 1 ? uncertainty : 0) + 2 * Math.ulp(root);
    }

    /** Surely true delta(ε) ≤ delta. */
    private static boolean holds(double shift, double epsilon, double delta) {
        return delta <= 0.5
                ? delta(shift, epsilon) * (1 + SLACK) + TINIEST <= delta
                : complement(shift, epsilon) * (1 - SLACK) >= 1 - delta;
    }

    /** Surely true delta(ε) &gt; delta. */
    private static boolean fails(double shift, double epsilon, double delta) {
        return delta <= 0.5
                ? delta(shift, epsilon) * (1 - SLACK) - TINIEST > delta
                : complement(shift, epsilon) * (1 + SLACK) < 1 - delta;
    }

    private static double delta(double shift, double epsilon) {
        Point distance = distance(shift, epsilon);
        double c = distance.value();
        if (!(c < FARTHEST)) {
            return 0;
        }
        if (c < 0 && shift >= 1) {
            return NormalInterval.above(distance) - weightedTail(shift, epsilon);
        }
        return NormalInterval.density(distance) * NormalInterval.millsDifference(c, shift);
    }

    /** 1 − delta, a sum of positive terms. */
    private static double complement(double shift, double epsilon) {
        return NormalInterval.above(distance(shift, epsilon).negated()) + weightedTail(shift, epsilon);
    }

    /** e^ε Φ(−c − shift) = φ(c) R(c + shift). */
    private static double weightedTail(double shift, double epsilon) {
        Point distance = distance(shift, epsilon);
        return NormalInterval.density(distance) * NormalInterval.mills(distance.value() + shift);
    }

    private static Point distance(double shift, double epsilon) {
        return Point.quotientPlus(epsilon, shift, -0.5 * shift);
    }

    private static void requireArguments(double shift, double epsilon) {
        if (!(shift >= 0) || Double.isInfinite(shift)) {
            throw new IllegalArgumentException("a shift is a finite number, 0 or more");
        }
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon must be 0 or more");
        }
    }
}
