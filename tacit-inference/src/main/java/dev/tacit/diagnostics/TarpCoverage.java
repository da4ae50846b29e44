package dev.tacit.diagnostics;

import dev.tacit.numerics.RandomStream;
import java.util.Arrays;
import java.util.List;

/**
 * Expected coverage of posteriors by tests of accuracy with random points (TARP): balls around random reference points
 * that do not know the truth.
 *
 * <pre>
 *   f_i = share of draws of fit i that are closer to its reference point than the truth is; uniform if all is right
 *   C(α) = share of fits with f_i &lt; 1 − α,  RMSE = (mean over α of (C(α) − (1 − α))²)^½
 *   α ∈ {0.001, 0.05, …, 0.95, 0.999}
 * </pre>
 *
 * Lemos, Coogan, Hezaveh, Perreault-Levasseur 2023, Algorithm 2; the 21 levels and the error are those of Alrawajfeh,
 * Jälkö, Honkela 2025, equation 27. Distances are Euclidean: a coordinate with a large spread rules them, so look at
 * {@link SimulatedFit#whitened} and {@link SimulatedFit#marginal} fits as well. The error of correct posteriors is not
 * 0: {@link #nullDistribution} says what it is. TARP is a weak test; report {@link IntervalCoverage} next to it.
 *
 * @param fractions f_i
 */
public record TarpCoverage(double[] fractions) {

    /** Where the reference points are. */
    public enum References {
        /** Uniform within four standard deviations of the draws around the centre of a fit (Alrawajfeh et al. 2025). */
        AROUND_CENTRE,
        /** Uniform on [0, 1]^d, for {@link SimulatedFit#normalised} fits (the rule of the tarp library). */
        UNIT_CUBE
    }

    private static final double REACH = 4;

    /** Draws reference points and counts. */
    public static TarpCoverage of(List<SimulatedFit> fits, References rule, RandomStream random) {
        double[] fractions = new double[fits.size()];
        for (int i = 0; i < fractions.length; i++) {
            SimulatedFit fit = fits.get(i);
            fractions[i] = fraction(fit, reference(fit, rule, random));
        }
        return new TarpCoverage(fractions);
    }

    /** With one given reference point for each fit. */
    public static TarpCoverage of(List<SimulatedFit> fits, double[][] references) {
        double[] fractions = new double[fits.size()];
        for (int i = 0; i < fractions.length; i++) {
            fractions[i] = fraction(fits.get(i), references[i]);
        }
        return new TarpCoverage(fractions);
    }

    private static double[] reference(SimulatedFit fit, References rule, RandomStream random) {
        double[] point = new double[fit.dimension()];
        double[] deviations = fit.standardDeviations();
        for (int j = 0; j < point.length; j++) {
            double u = random.uniform();
            point[j] = rule == References.UNIT_CUBE ? u : fit.centre()[j] + REACH * (2 * u - 1) * deviations[j];
        }
        return point;
    }

    private static double fraction(SimulatedFit fit, double[] reference) {
        double limit = squaredDistance(fit.truth(), 0, reference);
        int closer = 0;
        for (int i = 0; i < fit.count(); i++) {
            closer += squaredDistance(fit.draws(), i * reference.length, reference) < limit ? 1 : 0;
        }
        return (double) closer / fit.count();
    }

    private static double squaredDistance(double[] points, int at, double[] reference) {
        double sum = 0;
        for (int j = 0; j < reference.length; j++) {
            double difference = points[at + j] - reference[j];
            sum += difference * difference;
        }
        return sum;
    }

    /** The 21 values of α. */
    public static double[] levels() {
        double[] levels = new double[21];
        for (int i = 1; i < 20; i++) {
            levels[i] = 0.05 * i;
        }
        levels[0] = 0.001;
        levels[20] = 0.999;
        return levels;
    }

    /** C(α) at {@link #levels}. */
    public double[] coverage() {
        double[] sorted = fractions.clone();
        Arrays.sort(sorted);
        double[] levels = levels();
        double[] coverage = new double[levels.length];
        for (int i = 0; i < levels.length; i++) {
            int below = 0;
            while (below < sorted.length && sorted[below] < 1 - levels[i]) {
                below++;
            }
            coverage[i] = (double) below / sorted.length;
        }
        return coverage;
    }

    /** The root mean squared distance of C(α) from 1 − α; at most 0.5844. */
    public double rootMeanSquaredError() {
        double[] levels = levels();
        double[] coverage = coverage();
        double sum = 0;
        for (int i = 0; i < levels.length; i++) {
            double gap = coverage[i] - (1 - levels[i]);
            sum += gap * gap;
        }
        return Math.sqrt(sum / levels.length);
    }

    /** The share of f_i in the first b of B bins of [0, 1], for b = 0, …, B: the curve that the tarp library draws. */
    public double[] expectedCoverage(int bins) {
        double[] curve = new double[bins + 1];
        for (double f : fractions) {
            curve[Math.min(bins - 1, (int) (f * bins)) + 1] += 1.0 / fractions.length;
        }
        for (int b = 1; b <= bins; b++) {
            curve[b] += curve[b - 1];
        }
        return curve;
    }

    /**
     * What {@link #rootMeanSquaredError} is when every posterior is right.
     *
     * @param percentile95 exceeded by 5 % of correct sets of fits
     * @param percentile99 exceeded by 1 %
     */
    public record NullDistribution(double mean, double standardDeviation, double percentile95, double percentile99) {}

    /** Simulates correct fits: f_i uniform on {0, 1/n, …, 1}, n draws each. */
    public static NullDistribution nullDistribution(int fits, int draws, int repetitions, RandomStream random) {
        double[] errors = new double[repetitions];
        double mean = 0;
        for (int r = 0; r < repetitions; r++) {
            double[] fractions = new double[fits];
            for (int i = 0; i < fits; i++) {
                fractions[i] = (double) random.nextInt(draws + 1) / draws;
            }
            errors[r] = new TarpCoverage(fractions).rootMeanSquaredError();
            mean += errors[r] / repetitions;
        }
        double squares = 0;
        for (double error : errors) {
            squares += (error - mean) * (error - mean);
        }
        Arrays.sort(errors);
        return new NullDistribution(
                mean,
                Math.sqrt(squares / (repetitions - 1)),
                errors[(int) (0.95 * repetitions)],
                errors[(int) (0.99 * repetitions)]);
    }

    /** The error beside its distribution under correct posteriors, in one line. */
    public String summary(NullDistribution calibrated) {
        return String.format(
                java.util.Locale.ROOT,
                "TARP RMSE %.4f (%d fits; correct posteriors: mean %.4f, 95 %% below %.4f, 99 %% below %.4f)",
                rootMeanSquaredError(),
                fractions.length,
                calibrated.mean(),
                calibrated.percentile95(),
                calibrated.percentile99());
    }
}
