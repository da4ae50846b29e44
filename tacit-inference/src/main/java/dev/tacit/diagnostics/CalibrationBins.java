package dev.tacit.diagnostics;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows grouped by their predicted probability into bins of equal width, [b/B, (b+1)/B), the last one closed.
 *
 * <pre>
 *   expected calibration error  Σ_b (n_b/n) |mean p − mean y|        maximum calibration error  max_b |mean p − mean y|
 * </pre>
 *
 * Guo, Pleiss, Sun, Weinberger 2017, equations 3 and 5, on the probability of label 1 (they bin the probability of the
 * predicted label); {@value #STANDARD_BINS} bins as there.
 */
public record CalibrationBins(List<Bin> bins) {
    /** The number of bins behind every ECE that Tacit prints. */
    public static final int STANDARD_BINS = 15;

    /**
     * One bin.
     *
     * @param meanPrediction mean predicted probability of its rows, NaN without rows
     * @param positiveShare share of its rows with label 1, NaN without rows
     */
    public record Bin(double from, double to, long rows, double meanPrediction, double positiveShare) {
        double gap() {
            return rows == 0 ? 0 : Math.abs(meanPrediction - positiveShare);
        }
    }

    /** Copies the list. */
    public CalibrationBins {
        bins = List.copyOf(bins);
    }

    /** {@value #STANDARD_BINS} bins. */
    public static CalibrationBins of(double[] probabilities, double[] labels) {
        return of(probabilities, labels, STANDARD_BINS);
    }

    /** Any number of bins. */
    public static CalibrationBins of(double[] probabilities, double[] labels, int count) {
        int n = Predictions.check(probabilities, labels);
        if (count < 1) {
            throw new IllegalArgumentException("at least one bin is needed");
        }
        long[] rows = new long[count];
        double[] predictions = new double[count];
        double[] positives = new double[count];
        for (int i = 0; i < n; i++) {
            int bin = Math.min(count - 1, (int) (probabilities[i] * count));
            rows[bin]++;
            predictions[bin] += probabilities[i];
            positives[bin] += labels[i];
        }
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < count; b++) {
            bins.add(new Bin(
                    (double) b / count,
                    (b + 1.0) / count,
                    rows[b],
                    rows[b] == 0 ? Double.NaN : predictions[b] / rows[b],
                    rows[b] == 0 ? Double.NaN : positives[b] / rows[b]));
        }
        return new CalibrationBins(bins);
    }

    /** The mean gap between prediction and outcome, weighted by rows. */
    public double expectedCalibrationError() {
        double sum = 0;
        long total = 0;
        for (Bin bin : bins) {
            sum += bin.rows() * bin.gap();
            total += bin.rows();
        }
        return sum / total;
    }

    /** The largest gap of a bin with rows. */
    public double maximumCalibrationError() {
        return bins.stream().mapToDouble(Bin::gap).max().orElse(0);
    }
}
