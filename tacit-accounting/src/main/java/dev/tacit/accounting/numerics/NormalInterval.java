package dev.tacit.accounting.numerics;

import org.apache.commons.numbers.gamma.Erf;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * Probabilities of intervals under N(0, 1), accurate to about 1e-15 relative to themselves, however far out or narrow
 * the interval is.
 *
 * <p>A point is an unevaluated sum of two doubles: at 1e-300 the probability changes by 1e-13 relative when the point
 * moves by one rounding. Narrow intervals are integrated by a 16-point Gauss-Legendre rule because a difference of
 * tails would cancel.
 */
public final class NormalInterval {
    private static final GaussLegendre RULE = new GaussLegendre(16);
    private static final double SQRT_HALF = 0.7071067811865476;
    private static final double SQRT_HALF_REST = -4.833646656726457e-17;
    private static final double TWO_OVER_SQRT_PI = 1.1283791670955126;
    private static final double SQRT_TWO_PI = 2.5066282746310002;

    private NormalInterval() {}

    /** A real number as a double and the rounding error it leaves. */
    public record Point(double value, double rest) {
        /** first + second, exactly. */
        public static Point sum(double first, double second) {
            double sum = first + second;
            if (Double.isInfinite(sum)) {
                return new Point(sum, 0);
            }
            double shadow = sum - first;
            return new Point(sum, (first - (sum - shadow)) + (second - shadow));
        }

        /** numerator/denominator + addend, to about twice double precision. */
        public static Point quotientPlus(double numerator, double denominator, double addend) {
            double quotient = numerator / denominator;
            if (Double.isInfinite(quotient)) {
                return new Point(quotient, 0);
            }
            double quotientRest = Math.fma(-quotient, denominator, numerator) / denominator;
            Point sum = sum(quotient, addend);
            double rest = sum.rest() + quotientRest;
            double value = sum.value() + rest;
            return new Point(value, (sum.value() - value) + rest);
        }

        /** The same number with the other sign. */
        public Point negated() {
            return new Point(-value, -rest);
        }
    }

    /** P(Z &gt; point). */
    public static double above(Point point) {
        double scaled = point.value() * SQRT_HALF;
        double tail = Erfc.value(scaled);
        if (Double.isInfinite(scaled) || tail == 0) {
            return 0.5 * tail;
        }
        double rest =
                Math.fma(point.value(), SQRT_HALF, -scaled) + point.value() * SQRT_HALF_REST + point.rest() * SQRT_HALF;
        double slope = scaled > 0
                ? TWO_OVER_SQRT_PI / Erfcx.value(scaled)
                : TWO_OVER_SQRT_PI * Math.exp(-scaled * scaled) / tail;
        return 0.5 * tail * (1 - rest * slope);
    }

    /** The density of N(0, 1) at a point. */
    public static double density(Point point) {
        double square = point.value() * point.value();
        if (!(square < 1500)) {
            return 0;
        }
        double rest = Math.fma(point.value(), point.value(), -square) + 2 * point.value() * point.rest();
        return Math.exp(-0.5 * square) * (1 - 0.5 * rest) / SQRT_TWO_PI;
    }

    /** P(lower &lt; Z ≤ upper). */
    public static double between(Point lower, Point upper) {
        double width = (upper.value() - lower.value()) + (upper.rest() - lower.rest());
        if (!(width > 0)) {
            return 0;
        }
        if (width * Math.max(1, Math.max(Math.abs(lower.value()), Math.abs(upper.value()))) < 1) {
            return narrow(lower, upper, 0.5 * width);
        }
        if (lower.value() >= 0) {
            return above(lower) - above(upper);
        }
        if (upper.value() <= 0) {
            return above(upper.negated()) - above(lower.negated());
        }
        return 0.5 * (Erf.value(upper.value() * SQRT_HALF) + Erf.value(-lower.value() * SQRT_HALF));
    }

    private static double narrow(Point lower, Point upper, double halfWidth) {
        Point sum = Point.sum(lower.value(), upper.value());
        Point middle = new Point(0.5 * sum.value(), 0.5 * (sum.rest() + lower.rest() + upper.rest()));
        double integral = 0;
        for (int i = RULE.count() / 2; i < RULE.count(); i++) {
            double offset = halfWidth * RULE.node(i);
            integral += RULE.weight(i) * Math.exp(-0.5 * offset * offset) * Math.cosh(middle.value() * offset);
        }
        return 2 * halfWidth * integral * density(middle);
    }

    /**
     * The Mills ratio R(c) = P(Z &gt; c) / density(c) minus R(c + shift), for c ≥ −1 and shift ≥ 0, without
     * cancellation.
     *
     * <pre>
     *   R(c) − R(c + shift) = ∫₀^∞ (1 − e^{−shift·v}) e^{−v²/2 − cv} dv
     * </pre>
     *
     * The integral is used when the two ratios are close; panels grow with the decay of the integrand.
     */
    public static double millsDifference(double c, double shift) {
        double first = mills(c);
        double second = mills(c + shift);
        if (second < 0.7 * first) {
            return first - second;
        }
        double integral = 0;
        double decayed = 0;
        double left = 0;
        for (int panel = 0; decayed < 40; panel++) {
            decayed += 2 + 1.5 * panel;
            double right = 2 * decayed / (c + Math.sqrt(c * c + 2 * decayed));
            double half = 0.5 * (right - left);
            double middle = left + half;
            double sum = 0;
            for (int i = 0; i < RULE.count(); i++) {
                sum += RULE.weight(i) * millsIntegrand(c, shift, middle + half * RULE.node(i));
            }
            integral += half * sum;
            left = right;
        }
        return integral;
    }

    private static double millsIntegrand(double c, double shift, double v) {
        return -Math.expm1(-shift * v) * Math.exp(-v * (0.5 * v + c));
    }

    /** R(c) = P(Z &gt; c) / density(c); infinite where it overflows. */
    public static double mills(double c) {
        return 0.5 * SQRT_TWO_PI * Erfcx.value(c * SQRT_HALF);
    }
}
