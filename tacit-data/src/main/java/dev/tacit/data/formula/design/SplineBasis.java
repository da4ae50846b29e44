package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Interval;
import java.util.Arrays;

/**
 * B-splines over the declared range, or the natural cubic splines among them.
 *
 * <pre>
 *   B_{i,0}(x) = 1[t_i ≤ x &lt; t_{i+1}],   B_{i,p}(x) = (x − t_i) / (t_{i+p} − t_i) B_{i,p−1}(x) + (t_{i+p+1} − x) / (t_{i+p+1} − t_{i+1}) B_{i+1,p−1}(x)
 *   knots t: the bounds, p + 1 times each, and the interior knots
 * </pre>
 *
 * The first function is left out, because the intercept holds it. Natural splines are the part of the cubic ones whose
 * second derivative is 0 at both bounds, in the coordinates of R's {@code ns}: the Householder reflections of LINPACK's
 * {@code dqrdc2} that carry the two conditions to the first two axes. The functions are those of R's package splines (de
 * Boor 1978) for the same knots.
 */
final class SplineBasis implements Basis {
    private final int degree;
    private final double[] knots;
    private final int functions;
    private final double[][] combination;
    private final Interval[] ranges;

    private SplineBasis(int degree, double[] knots, double[][] combination) {
        this.degree = degree;
        this.knots = knots;
        this.functions = knots.length - degree - 1;
        this.combination = combination;
        int width = combination == null ? functions - 1 : combination.length;
        this.ranges = new Interval[width];
        for (int j = 0; j < width; j++) {
            // B-splines are not negative and add up to at most 1, so that a combination lies between its coefficients
            // and 0.
            ranges[j] = combination == null
                    ? Interval.UNIT
                    : new Interval(
                                    Arrays.stream(combination[j]).min().orElseThrow(),
                                    Arrays.stream(combination[j]).max().orElseThrow())
                            .withZero();
        }
    }

    /** {@code bs}: B-splines of a degree with these interior knots. */
    static SplineBasis ofDegree(int degree, Interval bounds, double[] interior) {
        return new SplineBasis(degree, knots(degree, bounds, interior), null);
    }

    /** {@code ns}: natural cubic splines with these interior knots. */
    static SplineBasis natural(Interval bounds, double[] interior) {
        SplineBasis cubic = ofDegree(3, bounds, interior);
        int size = cubic.functions - 1;
        double[][] conditions = new double[2][size];
        for (int j = 0; j < size; j++) {
            conditions[0][j] = cubic.secondDerivative(j + 1, bounds.lower());
            conditions[1][j] = cubic.secondDerivative(j + 1, bounds.upper());
        }
        return new SplineBasis(3, cubic.knots, complement(conditions, size));
    }

    /** The given number of interior knots at equal distances: the quantiles of an even spread over the bounds. */
    static double[] evenKnots(Interval bounds, int count) {
        double[] interior = new double[count];
        for (int j = 0; j < count; j++) {
            interior[j] = bounds.lower() + (bounds.upper() - bounds.lower()) * (j + 1) / (count + 1);
        }
        return interior;
    }

    private static double[] knots(int degree, Interval bounds, double[] interior) {
        double[] knots = new double[2 * (degree + 1) + interior.length];
        Arrays.fill(knots, 0, degree + 1, bounds.lower());
        System.arraycopy(interior, 0, knots, degree + 1, interior.length);
        Arrays.fill(knots, knots.length - degree - 1, knots.length, bounds.upper());
        return knots;
    }

    /** Rows of Qᵀ after the first two, where the conditions are Q R. */
    private static double[][] complement(double[][] conditions, int size) {
        double[][] reflections = {conditions[0].clone(), conditions[1].clone()};
        double[] pivots = new double[2];
        for (int column = 0; column < 2; column++) {
            double[] vector = reflections[column];
            double norm = 0;
            for (int i = column; i < size; i++) {
                norm = Math.hypot(norm, vector[i]);
            }
            double signed = vector[column] < 0 ? -norm : norm;
            for (int i = column; i < size; i++) {
                vector[i] /= signed;
            }
            vector[column] += 1;
            pivots[column] = vector[column];
            if (column == 0) {
                reflect(vector, pivots[0], 0, reflections[1]);
            }
        }
        double[][] rows = new double[size - 2][size];
        for (int axis = 0; axis < size; axis++) {
            double[] image = new double[size];
            image[axis] = 1;
            reflect(reflections[0], pivots[0], 0, image);
            reflect(reflections[1], pivots[1], 1, image);
            for (int j = 2; j < size; j++) {
                rows[j - 2][axis] = image[j];
            }
        }
        return rows;
    }

    private static void reflect(double[] vector, double pivot, int from, double[] target) {
        double product = 0;
        for (int i = from; i < target.length; i++) {
            product += vector[i] * target[i];
        }
        for (int i = from; i < target.length; i++) {
            target[i] -= product / pivot * vector[i];
        }
    }

    @Override
    public int width() {
        return ranges.length;
    }

    @Override
    public Interval range(int function) {
        return ranges[function];
    }

    @Override
    public void write(double x, double[] values, int first) {
        double[] splines = new double[degree + 1];
        int span = span(x);
        nonZero(x, span, splines);
        for (int j = 0; j < ranges.length; j++) {
            double value = 0;
            if (combination == null) {
                int place = j + 1 - (span - degree);
                value = place >= 0 && place <= degree ? splines[place] : 0;
            } else {
                for (int k = 0; k <= degree; k++) {
                    int spline = span - degree + k;
                    value += spline == 0 ? 0 : combination[j][spline - 1] * splines[k];
                }
            }
            values[first + j] = ranges[j].clamp(value);
        }
    }

    /** The place of the last knot that is not above the point, and below the upper bound. */
    private int span(double x) {
        int span = degree;
        while (span + 1 < functions && x >= knots[span + 1]) {
            span++;
        }
        return span;
    }

    /** The degree + 1 splines that are not zero between two knots. */
    private void nonZero(double x, int span, double[] splines) {
        double[] left = new double[degree + 1];
        double[] right = new double[degree + 1];
        splines[0] = 1;
        for (int j = 1; j <= degree; j++) {
            left[j] = x - knots[span + 1 - j];
            right[j] = knots[span + j] - x;
            double saved = 0;
            for (int r = 0; r < j; r++) {
                double share = splines[r] / (right[r + 1] + left[j - r]);
                splines[r] = saved + right[r + 1] * share;
                saved = left[j - r] * share;
            }
            splines[j] = saved;
        }
    }

    private double secondDerivative(int spline, double x) {
        return derivative(spline, degree, 2, x);
    }

    private double derivative(int spline, int order, int times, double x) {
        if (times == 0) {
            return value(spline, order, x);
        }
        double below = knots[spline + order] - knots[spline];
        double above = knots[spline + order + 1] - knots[spline + 1];
        double falling = below > 0 ? order / below * derivative(spline, order - 1, times - 1, x) : 0;
        double rising = above > 0 ? order / above * derivative(spline + 1, order - 1, times - 1, x) : 0;
        return falling - rising;
    }

    private double value(int spline, int order, double x) {
        if (order == 0) {
            int span = span(x);
            return spline == span ? 1 : 0;
        }
        double below = knots[spline + order] - knots[spline];
        double above = knots[spline + order + 1] - knots[spline + 1];
        double left = below > 0 ? (x - knots[spline]) / below * value(spline, order - 1, x) : 0;
        double right = above > 0 ? (knots[spline + order + 1] - x) / above * value(spline + 1, order - 1, x) : 0;
        return left + right;
    }
}
