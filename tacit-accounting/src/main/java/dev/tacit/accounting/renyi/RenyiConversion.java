package dev.tacit.accounting.renyi;

import java.util.function.DoubleUnaryOperator;

/**
 * From a curve of Rényi divergences R(a) to (epsilon, delta), optimised over every real order a &gt; 1.
 *
 * <pre>
 *   epsilon = R(a) + log((a−1)/a) − (log delta + log a)/(a−1)
 *   delta   = exp((a−1)(R(a) − epsilon)) / (a−1) · (1 − 1/a)^a
 *   delta   = √(1 − exp(−R(a)))                                     at epsilon 0
 * </pre>
 *
 * Canonne, Kamath, Steinke 2020, Proposition 12; the last line is Bretagnolle, Huber 1978. Every order gives a valid
 * bound, so the search only decides how good it is: it walks outwards from a middle order in steps of log(a−1), stops
 * where no larger or smaller order can win because R is non-decreasing, and refines around every local minimum, of
 * which curves of sampled releases can have several. R may be +∞ from some order on.
 */
public final class RenyiConversion {
    private static final double LOWEST = Math.log(1e-9);
    private static final double STEP = 0.4;
    private static final double START = Math.log(8);
    private static final double GOLDEN = 0.5 * (Math.sqrt(5) - 1);

    /** Relative error of the evaluation of one order, for the sum of the sizes of its terms. */
    private static final double ROUNDING = 1e-14;

    /**
     * How far and how finely orders are searched.
     *
     * @param refined width in log(a−1) at which the search ends; the bound is off its minimum by the square of it
     */
    public record Search(double highestOrder, double refined) {
        static final Search THOROUGH = new Search(1e9, 1e-7);
    }

    private RenyiConversion() {}

    /** An epsilon that holds at this delta; +∞ if the curve is. */
    public static double epsilon(DoubleUnaryOperator divergence, double delta) {
        double nearOne = divergence.applyAsDouble(1 + Math.exp(LOWEST));
        if (Math.sqrt(-Math.expm1(-nearOne)) * (1 + ROUNDING) <= delta) {
            return 0;
        }
        return epsilonOfPart(divergence, delta, Search.THOROUGH);
    }

    /** The same if the curve describes a part of the outcomes, whose mass may be below 1: (log E[e^{(a−1)L}; part])/(a−1). */
    public static double epsilonOfPart(DoubleUnaryOperator divergence, double delta, Search search) {
        double logDelta = Math.log(delta);
        double best = minimum(
                new Curve() {
                    @Override
                    public double value(double order, double renyi) {
                        double above = order - 1;
                        double first = Math.log(above / order);
                        double second = (logDelta + Math.log(order)) / above;
                        return renyi
                                + first
                                - second
                                + ROUNDING * (renyi + Math.abs(first) + Math.abs(logDelta) / above);
                    }

                    @Override
                    public boolean noBetterAbove(double order, double renyi, double best) {
                        return renyi + Math.log((order - 1) / order) - Math.log(order) / (order - 1) > best;
                    }

                    @Override
                    public boolean noBetterBelow(double order, double best) {
                        double above = order - 1;
                        return logDelta + Math.log(order) < 0
                                && Math.log(above / order) - (logDelta + Math.log(order)) / above > best;
                    }
                },
                divergence,
                search);
        return Math.max(0, best);
    }

    /** A delta that holds at this epsilon; 1 if nothing smaller does. */
    static double delta(DoubleUnaryOperator divergence, double epsilon) {
        double nearOne = divergence.applyAsDouble(1 + Math.exp(LOWEST));
        double variation = Math.sqrt(-Math.expm1(-nearOne)) * (1 + ROUNDING);
        return Math.min(variation, deltaOfPart(divergence, epsilon, Search.THOROUGH));
    }

    /** See {@link #epsilonOfPart}. */
    public static double deltaOfPart(DoubleUnaryOperator divergence, double epsilon, Search search) {
        double logDelta = minimum(
                new Curve() {
                    @Override
                    public double value(double order, double renyi) {
                        double above = order - 1;
                        double first = above * (renyi - epsilon);
                        double second = order * Math.log1p(-1 / order) - Math.log(above);
                        return first + second + ROUNDING * (above * (renyi + epsilon) + Math.abs(second) + 1);
                    }

                    @Override
                    public boolean noBetterAbove(double order, double renyi, double best) {
                        double exponent = (order - 1) * (renyi - epsilon);
                        return order >= 2 && exponent >= 1 && exponent - Math.log(order - 1) - 1.4 > best;
                    }

                    @Override
                    public boolean noBetterBelow(double order, double best) {
                        double above = order - 1;
                        return -above * epsilon + above * Math.log(above) - order * Math.log(order) > best;
                    }
                },
                divergence,
                search);
        return Math.min(1, Math.exp(logDelta) * (1 + ROUNDING) + Double.MIN_VALUE);
    }

    /** The bound as a function of the order, and when to stop looking. */
    private interface Curve {
        double value(double order, double renyi);

        /** Surely no larger order gives less than {@code best}, given the divergence at this order. */
        boolean noBetterAbove(double order, double renyi, double best);

        /** Surely no smaller order gives less than {@code best}. */
        boolean noBetterBelow(double order, double best);
    }

    private static double minimum(Curve curve, DoubleUnaryOperator divergence, Search search) {
        int up = (int) Math.ceil((Math.log(search.highestOrder()) - START) / STEP);
        int down = (int) Math.ceil((START - LOWEST) / STEP);
        double[] values = new double[down + up + 1];
        int first = down;
        int last = down;
        double best = Double.POSITIVE_INFINITY;
        for (int i = down; i < values.length; i++, last++) {
            double order = order(i - down);
            double renyi = divergence.applyAsDouble(order);
            values[i] = safe(curve.value(order, renyi));
            best = Math.min(best, values[i]);
            if (Double.isInfinite(renyi) || curve.noBetterAbove(order, renyi, best)) {
                break;
            }
        }
        for (int i = down - 1; i >= 0 && !curve.noBetterBelow(order(i + 1 - down), best); i--, first--) {
            double order = order(i - down);
            values[i] = safe(curve.value(order, divergence.applyAsDouble(order)));
            best = Math.min(best, values[i]);
        }
        last = Math.min(last, values.length - 1);
        double promising = best + 0.3 * Math.abs(best);
        for (int i = first; i <= last; i++) {
            boolean local = values[i] <= promising
                    && (i == first || values[i] <= values[i - 1])
                    && (i == last || values[i] <= values[i + 1]);
            if (local) {
                best = Math.min(best, golden(curve, divergence, i - down, search.refined()));
            }
        }
        return best;
    }

    private static double order(int step) {
        return order(START + step * STEP);
    }

    private static double order(double logAbove) {
        return 1 + Math.exp(Math.max(LOWEST, logAbove));
    }

    private static double safe(double value) {
        return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }

    /** Golden-section search one step around a point of the walk. */
    private static double golden(Curve curve, DoubleUnaryOperator divergence, int step, double refined) {
        double low = START + (step - 1) * STEP;
        double high = START + (step + 1) * STEP;
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        double atLeft = value(curve, divergence, left);
        double atRight = value(curve, divergence, right);
        double best = Math.min(atLeft, atRight);
        while (high - low > refined) {
            if (atLeft <= atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - GOLDEN * (high - low);
                atLeft = value(curve, divergence, left);
                best = Math.min(best, atLeft);
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + GOLDEN * (high - low);
                atRight = value(curve, divergence, right);
                best = Math.min(best, atRight);
            }
        }
        return best;
    }

    private static double value(Curve curve, DoubleUnaryOperator divergence, double logAbove) {
        double order = order(logAbove);
        return safe(curve.value(order, divergence.applyAsDouble(order)));
    }
}
