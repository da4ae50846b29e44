package dev.tacit.diagnostics;

/**
 * How good probabilities of several classes are.
 *
 * <pre>
 *   accuracy         share of records whose likeliest class is the observed one; the first of equals counts
 *   log-likelihood   mean of log p(observed class)
 *   Brier score      mean of Σ_c (p_c − 1[c observed])²: from 0 to 2                       (Brier 1950)
 *   ece              Σ_b (n_b/n) |mean p − share right| of the likeliest class, in bins of its p        (Guo et al. 2017)
 * </pre>
 *
 * <p>A class that has no probability, because it was not declared, counts as one of probability 0.
 *
 * @param accuracy share of records
 * @param logLikelihood mean, in nats
 * @param brier mean
 * @param ece expected calibration error of the likeliest class, {@value CalibrationBins#STANDARD_BINS} bins
 */
public record ClassScores(double accuracy, double logLikelihood, double brier, double ece) {
    /**
     * Scores of predictions.
     *
     * @param probabilities of the classes, record after record
     * @param labels the place of the observed class of each
     */
    public static ClassScores of(double[][] probabilities, double[] labels) {
        if (labels.length == 0 || probabilities.length != labels.length) {
            throw new IllegalArgumentException("there are as many predictions as labels, and at least one");
        }
        double right = 0;
        double logs = 0;
        double squares = 0;
        double[] likeliest = new double[labels.length];
        double[] hits = new double[labels.length];
        for (int row = 0; row < labels.length; row++) {
            double[] shares = probabilities[row];
            int observed = (int) labels[row];
            int best = 0;
            for (int c = 0; c < shares.length; c++) {
                best = shares[c] > shares[best] ? c : best;
                double gap = shares[c] - (c == observed ? 1 : 0);
                squares += gap * gap;
            }
            likeliest[row] = Math.min(1, shares[best]);
            hits[row] = best == observed ? 1 : 0;
            right += hits[row];
            logs += observed >= 0 && observed < shares.length ? Math.log(shares[observed]) : Double.NEGATIVE_INFINITY;
        }
        int rows = labels.length;
        double ece = CalibrationBins.of(likeliest, hits).expectedCalibrationError();
        return new ClassScores(right / rows, logs / rows, squares / rows, ece);
    }
}
