package dev.tacit.diagnostics;

import java.util.Arrays;

/**
 * Scores of predicted probabilities of a binary label.
 *
 * <pre>
 *   accuracy        share of rows with (p ≥ ½) = y
 *   auc             P(p⁺ &gt; p⁻) + ½ P(p⁺ = p⁻) over pairs of a positive and a negative row (Mann and Whitney 1947), by ranks
 *   logLikelihood   mean of y log p + (1−y) log(1−p); −∞ if a row that happened had probability 0
 *   brier           mean of (p − y)²
 *   ece             Σ_b (n_b/n) |mean p in b − mean y in b| over {@value CalibrationBins#STANDARD_BINS} bins of equal width
 * </pre>
 *
 * Only for rows that may be looked at: a score of private rows is not private.
 *
 * @param rows how many rows were scored
 * @param auc NaN if all labels are the same
 */
public record ClassificationScores(
        long rows, double accuracy, double auc, double logLikelihood, double brier, double ece) {

    /**
     * Scores predictions.
     *
     * @param probabilities of label 1, each in [0, 1]
     * @param labels 0 or 1
     */
    public static ClassificationScores of(double[] probabilities, double[] labels) {
        int n = Predictions.check(probabilities, labels);
        double right = 0;
        double likelihood = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double p = probabilities[i];
            boolean positive = labels[i] == 1;
            right += (p >= 0.5) == positive ? 1 : 0;
            likelihood += positive ? Math.log(p) : Math.log1p(-p);
            squares += (p - labels[i]) * (p - labels[i]);
        }
        double ece = CalibrationBins.of(probabilities, labels).expectedCalibrationError();
        return new ClassificationScores(n, right / n, auc(probabilities, labels), likelihood / n, squares / n, ece);
    }

    /** The area under the ROC curve of any scores, of which larger ones speak for label 1; n log n. */
    public static double auc(double[] scores, double[] labels) {
        int n = scores.length;
        if (labels.length != n) {
            throw new IllegalArgumentException("there are " + n + " predictions and " + labels.length + " labels");
        }
        // sorts the scores of both groups apart, then walks through them together
        double[] positives = new double[n];
        double[] negatives = new double[n];
        int above = 0;
        int below = 0;
        for (int i = 0; i < n; i++) {
            Predictions.checkLabel(labels[i], i);
            if (Double.isNaN(scores[i])) {
                throw new IllegalArgumentException("the prediction of row " + i + " is not a number");
            }
            // adding 0 turns −0 into 0, which sorting would tell apart
            if (labels[i] == 1) {
                positives[above++] = scores[i] + 0.0;
            } else {
                negatives[below++] = scores[i] + 0.0;
            }
        }
        if (above == 0 || below == 0) {
            return Double.NaN;
        }
        Arrays.sort(positives, 0, above);
        Arrays.sort(negatives, 0, below);
        double wins = 0;
        int smaller = 0;
        int notLarger = 0;
        for (int i = 0; i < above; i++) {
            while (smaller < below && negatives[smaller] < positives[i]) {
                smaller++;
            }
            notLarger = Math.max(notLarger, smaller);
            while (notLarger < below && negatives[notLarger] <= positives[i]) {
                notLarger++;
            }
            wins += 0.5 * ((double) smaller + notLarger);
        }
        return wins / above / below;
    }
}
