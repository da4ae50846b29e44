package dev.tacit.diagnostics;

/**
 * How good probabilities of several classes are.
 *
 * <pre>
 *   accuracy         share of records whose likeliest class is the observed one; the first of equals counts
 *   log-likelihood   mean of log p(observed class)
 *   Brier score      mean of Σ_c (p_c − 1[c observed])²: from 0 to 2                       (Brier 1950)
 * </pre>
 *
 * <p>A class that has no probability, because it was not declared, counts as one of probability 0.
 *
 * @param accuracy share of records
 * @param logLikelihood mean, in nats
 * @param brier mean
 */
public record ClassScores(double accuracy, double logLikelihood, double brier) {
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
        for (int row = 0; row < labels.length; row++) {
            double[] shares = probabilities[row];
            int observed = (int) labels[row];
            int best = 0;
            for (int c = 0; c < shares.length; c++) {
                best = shares[c] > shares[best] ? c : best;
                double gap = shares[c] - (c == observed ? 1 : 0);
                squares += gap * gap;
            }
            right += best == observed ? 1 : 0;
            logs += observed >= 0 && observed < shares.length ? Math.log(shares[observed]) : Double.NEGATIVE_INFINITY;
        }
        int rows = labels.length;
        return new ClassScores(right / rows, logs / rows, squares / rows);
    }
}
