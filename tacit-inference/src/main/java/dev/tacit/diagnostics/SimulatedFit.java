package dev.tacit.diagnostics;

import dev.tacit.numerics.LinearAlgebra;
import java.util.ArrayList;
import java.util.List;

/**
 * One fit to simulated data: the parameters that made the data, and draws of the posterior.
 *
 * @param truth d numbers
 * @param draws one after the other, d numbers each
 * @param centre a point near the posterior, around which reference points are put; for example its mean
 */
public record SimulatedFit(double[] truth, double[] draws, double[] centre) {
    /** Checks the sizes. */
    public SimulatedFit {
        int d = truth.length;
        if (d == 0 || centre.length != d || draws.length < 2 * d || draws.length % d != 0) {
            throw new IllegalArgumentException(
                    "a simulated fit needs a truth, a centre and at least two draws of one size");
        }
    }

    /** A fit whose centre is the mean of its draws. */
    public static SimulatedFit of(double[] truth, double[] draws) {
        return new SimulatedFit(truth, draws, mean(truth.length, draws));
    }

    /** d. */
    public int dimension() {
        return truth.length;
    }

    /** How many draws there are. */
    public int count() {
        return draws.length / truth.length;
    }

    /** Standard deviations of the draws, divisor n. */
    double[] standardDeviations() {
        int d = truth.length;
        double[] mean = mean(d, draws);
        double[] result = new double[d];
        for (int i = 0; i < draws.length; i++) {
            double residual = draws[i] - mean[i % d];
            result[i % d] += residual * residual;
        }
        for (int j = 0; j < d; j++) {
            result[j] = Math.sqrt(result[j] / count());
        }
        return result;
    }

    private static double[] mean(int d, double[] draws) {
        double[] mean = new double[d];
        int count = draws.length / d;
        for (int i = 0; i < draws.length; i++) {
            mean[i % d] += draws[i] / count;
        }
        return mean;
    }

    /** The fits of one coordinate alone. */
    public static List<SimulatedFit> marginal(List<SimulatedFit> fits, int coordinate) {
        List<SimulatedFit> result = new ArrayList<>();
        for (SimulatedFit fit : fits) {
            double[] column = new double[fit.count()];
            for (int i = 0; i < column.length; i++) {
                column[i] = fit.draws[i * fit.truth.length + coordinate];
            }
            result.add(new SimulatedFit(
                    new double[] {fit.truth[coordinate]}, column, new double[] {fit.centre[coordinate]}));
        }
        return result;
    }

    /**
     * The fits in coordinates in which the draws of each have mean 0 and covariance I, so that no coordinate rules the
     * distances: x ↦ L⁻¹(x − mean), L Lᵀ the covariance of the draws.
     */
    public static List<SimulatedFit> whitened(List<SimulatedFit> fits) {
        List<SimulatedFit> result = new ArrayList<>();
        for (SimulatedFit fit : fits) {
            int d = fit.truth.length;
            double[] mean = mean(d, fit.draws);
            double[] residuals = minus(fit.draws, mean);
            double[] covariance = new double[d * d];
            LinearAlgebra.best().gram(fit.count(), d, 1.0 / fit.count(), residuals, 0, covariance);
            if (!LinearAlgebra.best().cholesky(d, covariance)) {
                throw new IllegalArgumentException("the draws of a fit have a singular covariance");
            }
            result.add(new SimulatedFit(
                    solved(d, covariance, minus(fit.truth, mean)),
                    solved(d, covariance, residuals),
                    solved(d, covariance, minus(fit.centre, mean))));
        }
        return result;
    }

    /** The fits with every coordinate mapped to [0, 1] by the smallest and the largest truth. */
    public static List<SimulatedFit> normalised(List<SimulatedFit> fits) {
        int d = fits.get(0).truth.length;
        double[] low = fits.get(0).truth.clone();
        double[] high = low.clone();
        for (SimulatedFit fit : fits) {
            for (int j = 0; j < d; j++) {
                low[j] = Math.min(low[j], fit.truth[j]);
                high[j] = Math.max(high[j], fit.truth[j]);
            }
        }
        List<SimulatedFit> result = new ArrayList<>();
        for (SimulatedFit fit : fits) {
            result.add(new SimulatedFit(
                    scaled(fit.truth, low, high), scaled(fit.draws, low, high), scaled(fit.centre, low, high)));
        }
        return result;
    }

    private static double[] scaled(double[] x, double[] low, double[] high) {
        double[] result = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            int j = i % low.length;
            result[i] = (x[i] - low[j]) / (high[j] - low[j] + 1e-10);
        }
        return result;
    }

    private static double[] minus(double[] x, double[] mean) {
        double[] result = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            result[i] = x[i] - mean[i % mean.length];
        }
        return result;
    }

    private static double[] solved(int d, double[] factor, double[] rows) {
        double[] result = rows.clone();
        double[] one = new double[d];
        for (int at = 0; at < rows.length; at += d) {
            System.arraycopy(rows, at, one, 0, d);
            LinearAlgebra.best().solveLower(d, factor, one);
            System.arraycopy(one, 0, result, at, d);
        }
        return result;
    }
}
