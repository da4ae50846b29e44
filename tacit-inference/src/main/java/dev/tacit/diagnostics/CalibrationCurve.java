package dev.tacit.diagnostics;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Predicted against observed frequency in bins with equally many rows, sorted by prediction; the last bin takes the
 * remainder.
 *
 * <p>{@link #rootMeanSquaredError} is the calibration error of Alrawajfeh, Jälkö, Honkela 2025 (section 5): mean
 * prediction as a function of observed frequency, by linear interpolation and extrapolation, compared with the identity
 * at 100 points from 0.01 to 0.99. It is not finite where two neighbouring bins have the same frequency, misleading
 * where frequencies are not increasing, and ruled by extrapolation near 0 and 1: {@link CalibrationBins} has none of
 * these defects.
 *
 * @param meanPredictions of the bins
 * @param positiveShares observed frequencies of label 1
 */
public record CalibrationCurve(double[] meanPredictions, double[] positiveShares) {
    private static final int POINTS = 100;

    /** From predictions. */
    public static CalibrationCurve of(double[] probabilities, double[] labels, int bins) {
        int n = Predictions.check(probabilities, labels);
        if (bins < 2 || bins > n) {
            throw new IllegalArgumentException("a curve needs at least two bins and at least one row in each");
        }
        Integer[] order = new Integer[n];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> probabilities[i]));
        double[] predictions = new double[bins];
        double[] shares = new double[bins];
        int size = n / bins;
        for (int b = 0; b < bins; b++) {
            int end = b == bins - 1 ? n : (b + 1) * size;
            int rows = end - b * size;
            for (int i = b * size; i < end; i++) {
                predictions[b] += probabilities[order[i]] / rows;
                shares[b] += labels[order[i]] / rows;
            }
        }
        return new CalibrationCurve(predictions, shares);
    }

    /** Mean prediction at an observed frequency, linear between bins and beyond the outermost two. */
    public double predictionAt(double share) {
        int b = 0;
        while (b < positiveShares.length - 2 && positiveShares[b + 1] < share) {
            b++;
        }
        double slope = (meanPredictions[b + 1] - meanPredictions[b]) / (positiveShares[b + 1] - positiveShares[b]);
        return meanPredictions[b] + slope * (share - positiveShares[b]);
    }

    /** The root mean squared distance of the curve from the identity. */
    public double rootMeanSquaredError() {
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            double share = 0.01 + 0.98 * i / (POINTS - 1);
            double gap = predictionAt(share) - share;
            sum += gap * gap;
        }
        return Math.sqrt(sum / POINTS);
    }
}
