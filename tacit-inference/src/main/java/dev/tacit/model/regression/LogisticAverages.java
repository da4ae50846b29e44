package dev.tacit.model.regression;

import dev.tacit.numerics.LogisticPredictive;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The average of a sigmoid over a normal number, and its derivative, from a table: as cheap as two exponentials.
 *
 * <pre>
 *   p(m, v) = E sigmoid(m + √v Z),   p′ = ∂p / ∂m,   Z ~ N(0, 1)
 *   c = 1 / √(1 + π v / 8),   p(m, v) = G(m c, c²)
 * </pre>
 *
 * G hardly depends on c²: for every v it is between a logistic and a normal distribution function of almost the same width
 * (MacKay 1992, equation 11, takes it for constant). It is interpolated by polynomials of degree {@value #DEGREE} in m c and
 * {@value #SQUARE_DEGREE} in c² at Chebyshev nodes, on cells of width 1 / {@value #CELLS_PER_UNIT} and 1 / {@value #BANDS};
 * beyond m c = {@value #RANGE} it is 1. p is wrong by less than 2e-10 and p′ by less than
 * 1e-9, for every m and v. Bands of c² are
 * filled in when they are first used.
 */
final class LogisticAverages {
    private static final int DEGREE = 6;
    private static final int SQUARE_DEGREE = 2;
    private static final int CELLS_PER_UNIT = 4;
    private static final int RANGE = 25;
    private static final int BANDS = 256;

    private static final int CELLS = RANGE * CELLS_PER_UNIT;

    /** Numbers for a cell: for each power of m c those of c², both rising. */
    private static final int NUMBERS = (DEGREE + 1) * (SQUARE_DEGREE + 1);

    private static final AtomicReferenceArray<double[]> TABLE = new AtomicReferenceArray<>(BANDS);

    private LogisticAverages() {}

    /**
     * Replaces {@code means[i]} by p and {@code variances[i]} by p′, for i below {@code count}. What is computed for
     * one i does not depend on others; what is not a number gives what is not a number.
     */
    static void replace(double[] means, double[] variances, int count) {
        for (int i = 0; i < count; i++) {
            double mean = means[i];
            double share = 1 / (1 + Math.PI / 8 * variances[i]);
            double slope = Math.sqrt(share);
            double place = Math.abs(mean) * slope * CELLS_PER_UNIT;
            if (!(place < CELLS && share <= 1)) {
                boolean known = share <= 1 && place >= CELLS;
                means[i] = known ? (mean > 0 ? 1 : 0) : Double.NaN;
                variances[i] = known ? 0 : Double.NaN;
                continue;
            }
            int cell = (int) place;
            double level = share * BANDS;
            int band = Math.min(BANDS - 1, (int) level);
            double[] numbers = band(band);
            double x = 2 * (place - cell) - 1;
            double y = 2 * (level - band) - 1;
            int at = cell * NUMBERS;
            double square = x * x;
            double first = quadratic(numbers, at + 3, y);
            double second = quadratic(numbers, at + 6, y);
            double third = quadratic(numbers, at + 9, y);
            double fourth = quadratic(numbers, at + 12, y);
            double fifth = quadratic(numbers, at + 15, y);
            double sixth = quadratic(numbers, at + 18, y);
            double value = quadratic(numbers, at, y)
                    + first * x
                    + (second + third * x) * square
                    + (fourth + fifth * x + sixth * square) * (square * square);
            double derivative = first
                    + 2 * second * x
                    + (3 * third + 4 * fourth * x) * square
                    + (5 * fifth + 6 * sixth * x) * (square * square);
            means[i] = 0.5 + Math.copySign(value - 0.5, mean);
            variances[i] = derivative * slope * (2 * CELLS_PER_UNIT);
        }
    }

    /** p of one pair, the same bits as {@link #replace}. */
    static double probability(double mean, double variance) {
        double[] means = {mean};
        replace(means, new double[] {variance}, 1);
        return means[0];
    }

    /** p′ of one pair, the same bits as {@link #replace}. */
    static double slope(double mean, double variance) {
        double[] variances = {variance};
        replace(new double[] {mean}, variances, 1);
        return variances[0];
    }

    private static double quadratic(double[] numbers, int at, double y) {
        return numbers[at] + numbers[at + 1] * y + numbers[at + 2] * (y * y);
    }

    private static double[] band(int band) {
        double[] numbers = TABLE.getAcquire(band);
        if (numbers != null) {
            return numbers;
        }
        TABLE.compareAndSet(band, null, filled(band));
        return TABLE.get(band);
    }

    private static double[] filled(int band) {
        double[][] powers = monomials(DEGREE + 1);
        double[][] squarePowers = monomials(SQUARE_DEGREE + 1);
        double[] numbers = new double[CELLS * NUMBERS];
        for (int j = 0; j <= SQUARE_DEGREE; j++) {
            double share = (band + 0.5 + 0.5 * node(j, SQUARE_DEGREE + 1)) / BANDS;
            double variance = (1 / share - 1) * 8 / Math.PI;
            double stretch = 1 / Math.sqrt(share);
            for (int cell = 0; cell < CELLS; cell++) {
                for (int i = 0; i <= DEGREE; i++) {
                    double place = (cell + 0.5 + 0.5 * node(i, DEGREE + 1)) / CELLS_PER_UNIT;
                    double value = LogisticPredictive.exact(place * stretch, variance);
                    for (int k = 0; k <= DEGREE; k++) {
                        for (int l = 0; l <= SQUARE_DEGREE; l++) {
                            numbers[cell * NUMBERS + k * (SQUARE_DEGREE + 1) + l] +=
                                    powers[k][i] * squarePowers[l][j] * value;
                        }
                    }
                }
            }
        }
        return numbers;
    }

    private static double node(int i, int count) {
        return Math.cos(Math.PI * (i + 0.5) / count);
    }

    /** Row k: what the values at the nodes add to the coefficient of x^k; the inverse of a Vandermonde matrix. */
    private static double[][] monomials(int count) {
        double[][] result = new double[count][count];
        for (int i = 0; i < count; i++) {
            double[] lagrange = new double[count];
            lagrange[0] = 1;
            int degree = 0;
            for (int other = 0; other < count; other++) {
                if (other != i) {
                    double scale = 1 / (node(i, count) - node(other, count));
                    for (int k = degree + 1; k >= 0; k--) {
                        lagrange[k] = scale * ((k > 0 ? lagrange[k - 1] : 0) - node(other, count) * lagrange[k]);
                    }
                    degree++;
                }
            }
            for (int k = 0; k < count; k++) {
                result[k][i] = lagrange[k];
            }
        }
        return result;
    }
}
