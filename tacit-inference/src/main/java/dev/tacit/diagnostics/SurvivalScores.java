package dev.tacit.diagnostics;

import dev.tacit.model.prediction.Prediction;
import java.util.Arrays;

/**
 * How well predicted hazards go with times to an event, of which some are censored.
 *
 * <pre>
 *   log-likelihood   mean of 1(event) log h(t) − H(t)
 *   concordance      among pairs of which one is known to have the event first: how often its predicted H(end) is the larger,
 *                    ties count half (Harrell 1982); NaN if there is no such pair
 * </pre>
 *
 * @param logLikelihood mean over records
 * @param concordance between 0 and 1
 */
public record SurvivalScores(double logLikelihood, double concordance) {
    /**
     * Scores predictions.
     *
     * @param labels times, negative if censored
     */
    public static SurvivalScores of(Prediction.Survival[] predicted, double[] labels) {
        int n = labels.length;
        double sum = 0;
        double[] risks = new double[n];
        for (int i = 0; i < n; i++) {
            double time = Math.abs(labels[i]);
            sum += (labels[i] > 0 ? Math.log(predicted[i].hazard(time)) : 0) - predicted[i].cumulativeHazard(time);
            risks[i] = predicted[i].cumulativeHazard(Double.POSITIVE_INFINITY);
        }
        return new SurvivalScores(sum / n, concordance(risks, labels));
    }

    /** By counting, from the latest time to the first, the risks of those who were still there. */
    private static double concordance(double[] risks, double[] labels) {
        int n = labels.length;
        double[] sorted = Arrays.stream(risks).sorted().distinct().toArray();
        Integer[] order = new Integer[n];
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        Arrays.sort(order, (a, b) -> Double.compare(Math.abs(labels[b]), Math.abs(labels[a])));
        long[] tree = new long[sorted.length + 1];
        double agreed = 0;
        double pairs = 0;
        int inserted = 0;
        for (int first = 0; first < n; ) {
            int last = first;
            while (last < n && Math.abs(labels[order[last]]) == Math.abs(labels[order[first]])) {
                last++;
            }
            for (int i = first; i < last; i++) {
                if (labels[order[i]] > 0) {
                    int rank = Arrays.binarySearch(sorted, risks[order[i]]);
                    double below = count(tree, rank);
                    double same = count(tree, rank + 1) - below;
                    agreed += below + same / 2;
                    pairs += inserted;
                }
            }
            for (int i = first; i < last; i++) {
                for (int k = Arrays.binarySearch(sorted, risks[order[i]]) + 1; k < tree.length; k += k & -k) {
                    tree[k]++;
                }
                inserted++;
            }
            first = last;
        }
        return agreed / pairs;
    }

    /** How many inserted risks have one of the first ranks. */
    private static long count(long[] tree, int ranks) {
        long sum = 0;
        for (int k = ranks; k > 0; k -= k & -k) {
            sum += tree[k];
        }
        return sum;
    }
}
