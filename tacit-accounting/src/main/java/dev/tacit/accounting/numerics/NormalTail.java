package dev.tacit.accounting.numerics;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;

/** Tails of the standard normal distribution, accurate relative to themselves however small they are. */
public final class NormalTail {
    private static final double SQRT_HALF = Math.sqrt(0.5);

    private NormalTail() {}

    /** P(Z &gt; x). */
    public static double above(double x) {
        return 0.5 * Erfc.value(x * SQRT_HALF);
    }

    /** log P(Z &gt; x), also where the probability itself underflows. */
    public static double logAbove(double x) {
        if (x < 5) {
            return Math.log(above(x));
        }
        return Math.log(0.5 * Erfcx.value(x * SQRT_HALF)) - 0.5 * x * x;
    }

    /** P(lower &lt; Z ≤ upper), without cancellation between tails. */
    public static double between(double lower, double upper) {
        if (!(lower < upper)) {
            return 0;
        }
        return lower > 0 ? above(lower) - above(upper) : above(-upper) - above(-lower);
    }

    /** A point z ≥ 0 with P(Z &gt; z) ≤ probability, for a probability given by its logarithm. */
    public static double pointWithTailAtMost(double logProbability) {
        return Math.sqrt(2 * Math.max(0, -logProbability - Math.log(2)));
    }
}
