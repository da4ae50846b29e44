package dev.tacit.numerics;

/**
 * Mills' ratio Φ(−a)/φ(a) of an array of numbers a ≥ 0, by sums, products and quotients alone, which processors do to several
 * numbers at once.
 *
 * <pre>
 *   Φ(−a)/φ(a) = √(π/2) erfcx(a/√2) = P(t)/(1 + a),    t = (a − 5)/(a + 5) in [−1, 1],    P of degree 24
 * </pre>
 *
 * P is the Chebyshev expansion of (1 + a) Φ(−a)/φ(a) in t up to degree 24, computed with 60 digits and written in powers of t; the
 * terms left out are below 1e-18, and no power has a factor above 1.2, so the relative error is that of rounding, below 1e-15. The
 * substitution is that of Shepherd and Laframboise 1981 for erfcx. What is computed for one number does not depend on others; what is
 * not a number stays so.
 */
public final class VectorMillsRatio {
    private static final double CENTRE = 5;

    /** Beyond it a + 5 is a, and the ratio 1/a; keeps quotients of infinities away. */
    private static final double REACH = 1e300;

    private static final double P0 = 1.1568486282918946;
    private static final double P1 = -0.22948753825211315;
    private static final double P2 = 0.07778159886873554;
    private static final double P3 = 0.0250721793016388;
    private static final double P4 = -0.0661776007789934;
    private static final double P5 = 0.0615050458401865;
    private static final double P6 = -0.038026592187762366;
    private static final double P7 = 0.01634823128102938;
    private static final double P8 = -0.004201290310663574;
    private static final double P9 = 1.9530638370790786e-05;
    private static final double P10 = 0.00045704381820007954;
    private static final double P11 = -0.0001343742785571135;
    private static final double P12 = -2.48054584472145e-05;
    private static final double P13 = 2.270961270923768e-05;
    private static final double P14 = -1.7723438185601556e-07;
    private static final double P15 = -3.277287633208865e-06;
    private static final double P16 = 3.2197131609042185e-07;
    private static final double P17 = 4.91996233147834e-07;
    private static final double P18 = -6.738323465177047e-08;
    private static final double P19 = -7.758520236786343e-08;
    private static final double P20 = 1.0082895646260188e-08;
    private static final double P21 = 1.1032071151574336e-08;
    private static final double P22 = -1.0846925288860795e-09;
    private static final double P23 = -9.564832934712551e-10;
    private static final double P24 = 6.288377855498677e-11;

    private VectorMillsRatio() {}

    /** Replaces the first {@code count} numbers, none of which is negative; even and odd powers are summed side by side. */
    public static void replace(double[] a, int count) {
        for (int i = 0; i < count; i++) {
            double x = Math.min(REACH, a[i]);
            double t = (x - CENTRE) / (x + CENTRE);
            double square = t * t;
            double even = Math.fma(square, P24, P22);
            even = Math.fma(square, even, P20);
            even = Math.fma(square, even, P18);
            even = Math.fma(square, even, P16);
            even = Math.fma(square, even, P14);
            even = Math.fma(square, even, P12);
            even = Math.fma(square, even, P10);
            even = Math.fma(square, even, P8);
            even = Math.fma(square, even, P6);
            even = Math.fma(square, even, P4);
            even = Math.fma(square, even, P2);
            even = Math.fma(square, even, P0);
            double odd = Math.fma(square, P23, P21);
            odd = Math.fma(square, odd, P19);
            odd = Math.fma(square, odd, P17);
            odd = Math.fma(square, odd, P15);
            odd = Math.fma(square, odd, P13);
            odd = Math.fma(square, odd, P11);
            odd = Math.fma(square, odd, P9);
            odd = Math.fma(square, odd, P7);
            odd = Math.fma(square, odd, P5);
            odd = Math.fma(square, odd, P3);
            odd = Math.fma(square, odd, P1);
            a[i] = Math.fma(t, odd, even) / (1 + x);
        }
    }
}
