package dev.tacit.accounting.numerics;

/**
 * e^x − 1, cos x − 1, sin x and log(1 + x), accurate relative to themselves also near 0, in arithmetic that the JVM compiles in place (for {@link Math#expm1} and
 * {@link Math#log1p} it calls out).
 *
 * <pre>
 *   e^x − 1 = x·(1 + x/2! + x²/3! + ... + x^18/19!) for |x| &lt; 1          log(1 + x) = log y·x / (y − 1),  y = fl(1 + x)
 * </pre>
 *
 * The terms left out of the series are below 2⁻⁵⁶ of the sum. The quotient of the logarithm varies slowly with y, so that the rounding of y
 * cancels (Goldberg 1991, Theorem 4). Either relative error is at most 8 units of 2⁻⁵³.
 */
public final class NearZero {
    private static final double C2 = 1.0 / 2;
    private static final double C3 = C2 / 3;
    private static final double C4 = C3 / 4;
    private static final double C5 = C4 / 5;
    private static final double C6 = C5 / 6;
    private static final double C7 = C6 / 7;
    private static final double C8 = C7 / 8;
    private static final double C9 = C8 / 9;
    private static final double C10 = C9 / 10;
    private static final double C11 = C10 / 11;
    private static final double C12 = C11 / 12;
    private static final double C13 = C12 / 13;
    private static final double C14 = C13 / 14;
    private static final double C15 = C14 / 15;
    private static final double C16 = C15 / 16;
    private static final double C17 = C16 / 17;
    private static final double C18 = C17 / 18;
    private static final double C19 = C18 / 19;

    private NearZero() {}

    /** e^x − 1. */
    public static double expm1(double x) {
        return Math.abs(x) < 1 ? expm1Series(x) : Math.exp(x) - 1;
    }

    /** e^x − 1 for |x| &lt; 1: no branch, so that loops over arrays are vectorised. */
    public static double expm1Series(double x) {
        double high = C10
                + x
                        * (C11
                                + x
                                        * (C12
                                                + x
                                                        * (C13
                                                                + x
                                                                        * (C14
                                                                                + x
                                                                                        * (C15
                                                                                                + x
                                                                                                        * (C16
                                                                                                                + x
                                                                                                                        * (C17
                                                                                                                                + x
                                                                                                                                        * (C18
                                                                                                                                                + x
                                                                                                                                                        * C19))))))));
        double low = C3 + x * (C4 + x * (C5 + x * (C6 + x * (C7 + x * (C8 + x * (C9 + x * high))))));
        return x + x * x * (C2 + x * low);
    }

    /** sin x for |x| ≤ 1: no branch, so that loops over arrays are vectorised. */
    public static double sineSeries(double x) {
        double y = x * x;
        double high = C11 - y * (C13 - y * (C15 - y * C17));
        return x - x * y * (C3 - y * (C5 - y * (C7 - y * (C9 - y * high))));
    }

    /** cos x − 1 for |x| ≤ 1, accurate relative to itself: no branch, so that loops over arrays are vectorised. */
    public static double cosineLessOneSeries(double x) {
        double y = x * x;
        double high = C10 - y * (C12 - y * (C14 - y * (C16 - y * C18)));
        return -y * (C2 - y * (C4 - y * (C6 - y * (C8 - y * high))));
    }

    /** log(1 + x). */
    public static double log1p(double x) {
        double sum = 1 + x;
        if (Math.abs(x) >= 0.5) {
            return Math.log(sum);
        }
        double difference = sum - 1;
        return difference == 0 ? x : Math.log(sum) * (x / difference);
    }
}
