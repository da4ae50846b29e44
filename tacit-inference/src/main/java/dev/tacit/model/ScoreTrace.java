package dev.tacit.model;

import java.util.Arrays;

/**
 * The releases of a run: where each was made, and the noisy sum over all N records.
 *
 * <pre>
 *   R_t = Σ_n ψ(x_n; φ_t) + noise,     R_t | φ* ~ N(N m(φ_t; φ*), noise² + N V),   t = 1 … T
 * </pre>
 *
 * The same records are behind all releases, so what sampling adds is not independent: it moves the optimum of the records
 * away from φ* by one common deviation ξ, and with it all releases in proportion to their slopes. What is left of N V_t, which is
 * little where φ_t is near φ*, counts as noise of its own. Points and sums were released or are public.
 *
 * @param dimension numbers in a point and in a sum
 * @param points φ_t, one after the other
 * @param sums R_t, one after the other
 * @param noiseStandardDeviation of each number of a sum; positive
 */
public record ScoreTrace(int dimension, double[] points, double[] sums, double noiseStandardDeviation) {
    public ScoreTrace {
        if (dimension < 1 || points.length != sums.length || points.length % dimension != 0) {
            throw new IllegalArgumentException("a trace has as many points as sums");
        }
        if (!(noiseStandardDeviation > 0)) {
            throw new IllegalArgumentException("the releases of a trace have noise");
        }
    }

    /** T. */
    public int steps() {
        return points.length / dimension;
    }

    /** One coordinate of φ_t. */
    public double point(int step, int coordinate) {
        return points[step * dimension + coordinate];
    }

    /** One coordinate of R_t. */
    public double sum(int step, int coordinate) {
        return sums[step * dimension + coordinate];
    }

    /** With one more release. */
    public ScoreTrace plus(double[] point, double[] sum) {
        double[] allPoints = Arrays.copyOf(points, points.length + dimension);
        double[] allSums = Arrays.copyOf(sums, sums.length + dimension);
        System.arraycopy(point, 0, allPoints, points.length, dimension);
        System.arraycopy(sum, 0, allSums, sums.length, dimension);
        return new ScoreTrace(dimension, allPoints, allSums, noiseStandardDeviation);
    }

    /**
     * log p(R_1 … R_T) of one coordinate up to a constant, the common deviation ξ ~ N(0, 1) integrated out.
     *
     * <pre>
     *   g_t = slope_t · optimumDeviation,     τ_t² = noise² + max(0, N V_t − g_t²)
     *   r_t = (R_t − N m_t) / τ_t,   u_t = g_t / τ_t:     −½ (Σ r² − (Σ u r)² / (1 + Σ u²)) − ½ log(1 + Σ u²) − Σ log τ_t
     * </pre>
     */
    public double logLikelihood(int coordinate, Field field) {
        double variance = noiseStandardDeviation * noiseStandardDeviation;
        double squares = 0;
        double cross = 0;
        double shared = 0;
        double logs = 0;
        for (int t = 0; t < steps(); t++) {
            double common = field.slope(t) * field.optimumDeviation();
            double own = 1 + Math.max(0, field.variance(t) - common * common) / variance;
            double scale = noiseStandardDeviation * Math.sqrt(own);
            double residual = (sum(t, coordinate) - field.mean(t)) / scale;
            double deviation = common / scale;
            squares += residual * residual;
            cross += residual * deviation;
            shared += deviation * deviation;
            logs += Math.log(own);
        }
        return -0.5 * (squares - cross * cross / (1 + shared) + Math.log1p(shared) + logs);
    }

    /** What the model foretells of a sum over N records at each step, for one assumed truth. */
    public interface Field {
        /** N m(φ_t; φ*). */
        double mean(int step);

        /** N ∂m(φ_t; φ*)/∂φ*. */
        double slope(int step);

        /** N V(φ_t; φ*). */
        double variance(int step);

        /** √(N V) over the slope, both at φ_t = φ*: how far sampling moves the optimum of the records. */
        double optimumDeviation();
    }
}
