package dev.tacit.model.regression;

import dev.tacit.numerics.LegendreQuadrature;
import dev.tacit.numerics.SpecialFunctions;

/**
 * Moments of the clipped score of a linear regression whose columns are standard normal.
 *
 * <pre>
 *   e = √k z,   z ~ N(0, 1),   x ~ N(0, I_p) and, behind it, a 1 if there is an intercept;     r = ‖x‖,   q = bound / (r √k)
 *   weights     slope E[x_j² P(|z| ≤ q)],   variance of clip(e x, bound)_j:  E[x_j² min(k z², bound²/r²)]
 *   variance    E min(½ (k z² − 1), bound) and its square, in closed form
 * </pre>
 *
 * r² − 1 or r² is χ² with p degrees of freedom, and with p + 2 under the weight x_j² of a column; the integral over it is a
 * Gauss–Legendre sum in √χ².
 */
public final class ClippedResiduals {
    private static final LegendreQuadrature RULE = LegendreQuadrature.of(48);
    private static final double REACH = 8;

    private final double[] squares;
    private final double[] columnWeights;
    private final double[] interceptWeights;

    /** For p columns. */
    public ClippedResiduals(int columns, boolean intercept) {
        int n = RULE.nodes().length;
        squares = new double[n];
        columnWeights = new double[n];
        interceptWeights = new double[n];
        double low = Math.max(0, Math.sqrt(columns) - REACH);
        double high = Math.sqrt(columns) + REACH;
        for (int i = 0; i < n; i++) {
            double root = low + (high - low) * (1 + RULE.nodes()[i]) / 2;
            squares[i] = root * root + (intercept ? 1 : 0);
            interceptWeights[i] = RULE.weights()[i] * Math.exp((columns - 1) * Math.log(root) - root * root / 2);
            columnWeights[i] = interceptWeights[i] * root * root;
        }
        normalise(interceptWeights);
        normalise(columnWeights);
    }

    private static void normalise(double[] weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] /= sum;
        }
    }

    /** E[x_j² P(|z| ≤ q)] of a column, or the same for the intercept. */
    public double slope(double bound, double k, boolean ofIntercept) {
        double sum = 0;
        for (int i = 0; i < squares.length; i++) {
            sum += weight(i, ofIntercept) * within(bound / Math.sqrt(squares[i] * k));
        }
        return sum;
    }

    /** E[x_j² min(k z², bound²/r²)] of a column, or the same for the intercept. */
    public double square(double bound, double k, boolean ofIntercept) {
        double sum = 0;
        for (int i = 0; i < squares.length; i++) {
            double q = bound / Math.sqrt(squares[i] * k);
            sum += weight(i, ofIntercept) * k * (squareWithin(q) + q * q * (1 - within(q)));
        }
        return sum;
    }

    private double weight(int i, boolean ofIntercept) {
        return ofIntercept ? interceptWeights[i] : columnWeights[i];
    }

    /** P(|z| ≤ q). */
    static double within(double q) {
        return 2 * SpecialFunctions.normalCdf(q) - 1;
    }

    /** E[z²; |z| ≤ q]. */
    static double squareWithin(double q) {
        return within(q) - 2 * q * SpecialFunctions.normalDensity(q);
    }

    private static double edge(double bound, double k) {
        return Math.sqrt((1 + 2 * bound) / k);
    }

    /** E min(½ (k z² − 1), bound). */
    public static double varianceMean(double bound, double k) {
        double q = edge(bound, k);
        return 0.5 * (k * squareWithin(q) - within(q)) + bound * (1 - within(q));
    }

    /** Its derivative in log k. */
    public static double varianceSlope(double bound, double k) {
        return 0.5 * k * squareWithin(edge(bound, k));
    }

    /** The variance of min(½ (k z² − 1), bound). */
    public static double varianceVariance(double bound, double k) {
        double q = edge(bound, k);
        double fourth = 3 * within(q) - 2 * SpecialFunctions.normalDensity(q) * q * (q * q + 3);
        double square = 0.25 * (k * k * fourth - 2 * k * squareWithin(q) + within(q)) + bound * bound * (1 - within(q));
        double mean = varianceMean(bound, k);
        return square - mean * mean;
    }
}
