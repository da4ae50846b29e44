package dev.tacit.numerics;

import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Erfcx;
import org.apache.commons.numbers.gamma.InverseErfc;
import org.apache.commons.numbers.gamma.LogGamma;
import org.apache.commons.numbers.gamma.Trigamma;

/**
 * Special functions of models, for one number and for arrays.
 *
 * <p>Array versions work on the first {@code count} numbers, write to {@code result}, which may be the argument itself,
 * and give the same bits as the scalar versions. NaN gives NaN. Errors are the largest found against 60 digits on the
 * points of {@code special-functions.json}, relative unless said otherwise; the test holds them.
 */
public final class SpecialFunctions {
    private static final double HALF_LOG_TWO_PI = 0.9189385332046728;
    private static final double SQRT2 = Math.sqrt(2);
    private static final double SQRT_HALF = Math.sqrt(0.5);

    private SpecialFunctions() {}

    // ---- logistic --------------------------------------------------------------------------------------------------

    /** 1 / (1 + e^−x). Error 3e-16 (0 below −745). */
    public static double sigmoid(double x) {
        double e = Exponential.ofNegative(-Math.abs(x));
        return (x >= 0 ? 1 : e) / (1 + e);
    }

    /** {@link #sigmoid(double)} of an array. */
    public static void sigmoid(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = sigmoid(x[i]);
        }
    }

    /** log(p / (1 − p)), the inverse of {@link #sigmoid}. */
    public static double logit(double probability) {
        return Math.abs(probability - 0.5) < 0.25
                ? Math.log1p((2 * probability - 1) / (1 - probability))
                : Math.log(probability / (1 - probability));
    }

    /** log(1 + e^x) without overflow. Error 3e-16. */
    public static double softplus(double x) {
        double e = Exponential.ofNegative(-Math.abs(x));
        return e >= 0 ? Math.max(x, 0) + Exponential.log1pOfUnit(e) : Double.NaN;
    }

    /** The x with softplus(x) = y, for positive y. */
    public static double inverseSoftplus(double y) {
        return y + Math.log(-Math.expm1(-y));
    }

    /** {@link #softplus(double)} of an array. */
    public static void softplus(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = softplus(x[i]);
        }
    }

    /** log sigmoid(x) = −softplus(−x). */
    public static double logSigmoid(double x) {
        return -softplus(-x);
    }

    /** The log-likelihood of a label (0 or 1, or any weight between) under a logit: y x − log(1 + e^x), stable. */
    public static double logisticLogLikelihood(double logit, double label) {
        return -(label * softplus(-logit) + (1 - label) * softplus(logit));
    }

    /** The sum of {@link #logisticLogLikelihood(double, double)} over the first {@code count} rows. */
    public static double logisticLogLikelihood(double[] logits, double[] labels, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double x = logits[i];
            // −softplus(−x) = x − softplus(x), so one softplus is enough; both signs keep the sum free of cancellation
            double shared = softplus(-Math.abs(x));
            sum -= shared + Math.abs(x) * (x >= 0 ? 1 - labels[i] : labels[i]);
        }
        return sum;
    }

    /** log(1 + x), for x &gt; −1. Error 3e-16. */
    public static double log1p(double x) {
        double u = 1 + x;
        if (u == Double.POSITIVE_INFINITY) {
            return x;
        }
        // what was lost in 1 + x comes back to first order
        double lost = Math.abs(x) < 1 ? x - (u - 1) : 1 - (u - x);
        return u == 0 ? Double.NEGATIVE_INFINITY : Math.log(u) + lost / u;
    }

    /** {@link #log1p(double)} of an array. */
    public static void log1p(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = log1p(x[i]);
        }
    }

    /** log Σ_{i &lt; count} e^x_i; −∞ for no numbers. */
    public static double logSumExp(double[] x, int count) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, x[i]);
        }
        if (Double.isInfinite(largest)) {
            return largest;
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Exponential.ofNegative(x[i] - largest);
        }
        return largest + Math.log(sum);
    }

    /** e^x_i / Σ_j e^x_j of the first {@code count} numbers. */
    public static void softmax(double[] x, double[] result, int count) {
        double largest = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < count; i++) {
            largest = Math.max(largest, x[i]);
        }
        double sum = 0;
        for (int i = 0; i < count; i++) {
            double e = Exponential.ofNegative(x[i] - largest);
            result[i] = e;
            sum += e;
        }
        for (int i = 0; i < count; i++) {
            result[i] /= sum;
        }
    }

    /**
     * The mean of a Pólya-Gamma variable PG(1, c): tanh(c/2) / (2c), and 1/4 at c = 0 (Polson, Scott, Windle 2013). Error
     * 4e-16.
     */
    public static double polyaGammaMean(double c) {
        double size = Math.abs(c);
        if (size < 1) {
            // the continued fraction of tanh(x)/x to its seventh level, x = c/2
            double s = 0.25 * size * size;
            double above = 135135 + s * (17325 + s * (378 + s));
            double below = 135135 + s * (62370 + s * (3150 + s * 28));
            return 0.25 * above / below;
        }
        double e = Exponential.ofNegative(-size);
        return (1 - e) / ((1 + e) * 2 * size);
    }

    /** {@link #polyaGammaMean(double)} of an array. */
    public static void polyaGammaMean(double[] c, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = polyaGammaMean(c[i]);
        }
    }

    // ---- gamma -----------------------------------------------------------------------------------------------------

    /**
     * ψ(x), the derivative of log Γ. Error 1e-15 relative to max(1, |ψ|) for x &gt; 0; other x go to Commons Numbers.
     *
     * <p>Ten steps of ψ(x) = ψ(x+1) − 1/x taken at once, in pairs, then the asymptotic series (Abramowitz and Stegun
     * 6.3.6, 6.3.18).
     */
    public static double digamma(double x) {
        if (!(x > 0)) {
            return Digamma.value(x);
        }
        if (x == Double.POSITIVE_INFINITY) {
            return x;
        }
        double y = x;
        double first = 0;
        double others = 0;
        if (x < 10) {
            // 1/(x+k) + 1/(x+9−k) = (2x+9) / (t + k(9−k)),  t = x(x+9)
            double t = x * (x + 9);
            double twice = 2 * x + 9;
            first = twice / t;
            others = twice * ((2 * t + 22) / ((t + 8) * (t + 14)) + (2 * t + 38) / ((t + 18) * (t + 20)));
            y = x + 10;
        }
        double inverse = 1 / y;
        double s = inverse * inverse;
        double inner = 1.0 / 240 - s * (1.0 / 132 - s * (691.0 / 32760 - s * (1.0 / 12)));
        double series = s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 - s * inner)));
        return ((Math.log(y) - others) - (0.5 * inverse + series)) - first;
    }

    /** {@link #digamma(double)} of an array. */
    public static void digamma(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = digamma(x[i]);
        }
    }

    /**
     * e^ψ(x) for x &gt; 0, for the loops of variational Bayes: neither logarithm nor, from 8 on, exponential. Error 2e-12;
     * below 0.0014, where it is less than 10^−304, it stays there. NaN for other x.
     *
     * <p>Eight steps of ψ(x) = ψ(x+1) − 1/x at once, then e^ψ(z + ½) = z + 1/(24 z) − 37/(5760 z³) + ..., which is the
     * exponential of ψ(z + ½) ~ log z + Σ_n (1 − 2^(1−2n)) B_2n / (2n z^2n) with Bernoulli's numbers B.
     */
    public static double expDigamma(double x) {
        if (!(x > 0)) {
            return Double.NaN;
        }
        double z = x - 0.5;
        double factor = 1;
        if (x < 8) {
            // 1/(x+k) + 1/(x+7−k) = (2x+7) / (t + k(7−k)),  t = x(x+7)
            double t = x * (x + 7);
            double outer = t * (t + 6);
            double inner = (t + 10) * (t + 12);
            double steps = (2 * x + 7) * ((2 * t + 6) * inner + (2 * t + 22) * outer) / (outer * inner);
            factor = Exponential.ofNegative(-Math.min(steps, 700));
            z = x + 7.5;
        }
        double inverse = 1 / z;
        double s = inverse * inverse;
        double inner = 37.0 / 5760 - s * (10313.0 / 2903040 - s * (5509121.0 / 1393459200 - s * 0.007365033269308669));
        return factor * (z + inverse * (1.0 / 24 - s * inner));
    }

    /**
     * ψ′(x), the derivative of {@link #digamma}. Error 9e-16 for x &gt; 0; other x go to Commons Numbers.
     *
     * <p>Ten steps of ψ′(x) = ψ′(x+1) + 1/x² in pairs, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.12).
     */
    public static double trigamma(double x) {
        if (!(x > 0)) {
            return Trigamma.value(x);
        }
        double y = x;
        double steps = 0;
        if (x < 10) {
            for (int k = 9; k >= 0; k--) {
                double inverse = 1 / (x + k);
                steps += inverse * inverse;
            }
            y = x + 10;
        }
        double inverse = 1 / y;
        double s = inverse * inverse;
        double inner = 1.0 / 30 - s * (5.0 / 66 - s * (691.0 / 2730 - s * (7.0 / 6)));
        double series = s * (1.0 / 6 - s * (1.0 / 30 - s * (1.0 / 42 - s * inner)));
        return (inverse * (1 + (0.5 * inverse + series))) + steps;
    }

    /** {@link #trigamma(double)} of an array. */
    public static void trigamma(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = trigamma(x[i]);
        }
    }

    /**
     * log Γ(x). Error 5e-16 relative to max(1, |log Γ|) for x &gt; 0.
     *
     * <p>Stirling's series from 10 on (Abramowitz and Stegun 6.1.41), Commons Numbers below.
     */
    public static double logGamma(double x) {
        if (!(x >= 10)) {
            return LogGamma.value(x);
        }
        if (x > 1e300) {
            return x == Double.POSITIVE_INFINITY ? x : x * (Math.log(x) - 1);
        }
        double inverse = 1 / x;
        double s = inverse * inverse;
        double inner = 1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 - s * (1.0 / 156)));
        double series = inverse * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * inner)));
        return ((x - 0.5) * (Math.log(x) - 1) - 0.5) + (HALF_LOG_TWO_PI + series);
    }

    /** {@link #logGamma(double)} of an array. */
    public static void logGamma(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = logGamma(x[i]);
        }
    }

    /** log B(a, b) = log Γ(a) + log Γ(b) − log Γ(a + b), without cancellation. */
    public static double logBeta(double a, double b) {
        return org.apache.commons.numbers.gamma.LogBeta.value(a, b);
    }

    // ---- normal ----------------------------------------------------------------------------------------------------

    /** The density of a standard normal number. */
    public static double normalDensity(double x) {
        return halfGaussian(x) * 0.3989422804014327;
    }

    /** Φ(x), the probability that a standard normal number is below x. Error 5e-16 (0 below −38.5). */
    public static double normalCdf(double x) {
        return x <= 0 ? lowerTail(x) : 1 - lowerTail(-x);
    }

    /** {@link #normalCdf(double)} of an array. */
    public static void normalCdf(double[] x, double[] result, int count) {
        for (int i = 0; i < count; i++) {
            result[i] = normalCdf(x[i]);
        }
    }

    /** log Φ(x), also where Φ(x) is too small for a double. Error 5e-16. */
    public static double logNormalCdf(double x) {
        if (x > -1) {
            return x > 0 ? Math.log1p(-lowerTail(-x)) : Math.log(lowerTail(x));
        }
        return Math.log(0.5 * Erfcx.value(-x * SQRT_HALF)) - 0.5 * x * x;
    }

    /** Φ⁻¹(p), the number that a standard normal one is below with probability p. Error 5e-16. */
    public static double normalQuantile(double probability) {
        return probability <= 0.5
                ? -SQRT2 * InverseErfc.value(2 * probability)
                : SQRT2 * InverseErfc.value(2 * (1 - probability));
    }

    /** Φ(x) for x ≤ 0: erfcx varies slowly, so the rounding of x/√2 does not matter, and e^(−x²/2) is formed exactly. */
    private static double lowerTail(double x) {
        return 0.5 * Erfcx.value(-x * SQRT_HALF) * halfGaussian(x);
    }

    /** e^(−x²/2), with the rounding error of the square brought back. */
    private static double halfGaussian(double x) {
        double square = x * x;
        if (!(square < 1500)) {
            return Double.isNaN(x) ? x : 0;
        }
        double lost = Math.fma(x, x, -square);
        double value = Exponential.ofNegative(-0.5 * square);
        return value - 0.5 * lost * value;
    }
}
