package dev.tacit.numerics;

/**
 * 1 / (1 + exp(−x)) of an array, by sums, products and quotients alone, which processors do to several numbers at once.
 *
 * <pre>
 *   exp(−x) = T(−x/64)^64,   T(y) = 1 + y + … + y⁷/7!,   six squarings;     x beyond {@value #REACH} counts as {@value #REACH}
 * </pre>
 *
 * T is wrong by about y⁸/8! relatively, so the result by σ(1 − σ) 64 (x/64)⁸/8! ≤ 64⁻⁷ max_x e^−x x⁸/8! &lt; 4e-14 absolutely, and
 * rounding adds less than 2e-14. Below −{@value #REACH} all terms of T are positive, so T^64 is larger than at −{@value #REACH}, up
 * to infinity, and the result stays below 5e-18. What is computed for one number does not depend on others; what is not a number stays so.
 */
public final class VectorSigmoid {
    /** Where the sigmoid is 0 or 1 but for 5e-18. */
    private static final double REACH = 40;

    private static final double STEP = -1.0 / 64;

    private VectorSigmoid() {}

    /** Replaces the first {@code count} numbers. */
    public static void replace(double[] x, int count) {
        for (int i = 0; i < count; i++) {
            double y = STEP * Math.min(REACH, x[i]);
            double square = y * y;
            double low = Math.fma(square, Math.fma(y, 1.0 / 6, 1.0 / 2), 1 + y);
            double high = Math.fma(square, Math.fma(y, 1.0 / 5040, 1.0 / 720), Math.fma(y, 1.0 / 120, 1.0 / 24));
            double e = Math.fma(square * square, high, low);
            e *= e;
            e *= e;
            e *= e;
            e *= e;
            e *= e;
            e *= e;
            x[i] = 1 / (1 + e);
        }
    }
}
