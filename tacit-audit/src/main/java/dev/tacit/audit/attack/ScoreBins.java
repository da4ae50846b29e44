package dev.tacit.audit.attack;

import java.util.Arrays;

/**
 * A partition of the line for histograms: one bin per value if there are few values, else bins of about equal pooled
 * count.
 */
final class ScoreBins {
    private static final int MOST_VALUES = 2000;
    private static final int QUANTILE_BINS = 200;

    private final double[] edges;
    private final boolean singleValues;

    private ScoreBins(double[] edges, boolean singleValues) {
        this.edges = edges;
        this.singleValues = singleValues;
    }

    /** Bins for the values of two sorted samples. */
    static ScoreBins of(double[] first, double[] second) {
        double[] pooled = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, pooled, first.length, second.length);
        Arrays.sort(pooled);
        double[] distinct = distinct(pooled, MOST_VALUES + 1);
        if (distinct.length <= MOST_VALUES) {
            return new ScoreBins(distinct, true);
        }
        double[] quantiles = new double[QUANTILE_BINS - 1];
        for (int i = 0; i < quantiles.length; i++) {
            quantiles[i] = pooled[(int) ((long) (i + 1) * pooled.length / QUANTILE_BINS)];
        }
        return new ScoreBins(distinct(quantiles, quantiles.length), false);
    }

    private static double[] distinct(double[] sorted, int most) {
        double[] values = new double[Math.min(most, sorted.length)];
        int count = 0;
        for (int i = 0; i < sorted.length && count < most; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                values[count++] = sorted[i];
            }
        }
        return Arrays.copyOf(values, count);
    }

    int size() {
        return singleValues ? edges.length : edges.length + 1;
    }

    /** The bin of a value, or -1 if it has none. */
    int binOf(double value) {
        if (Double.isNaN(value)) {
            return -1;
        }
        int position = Arrays.binarySearch(edges, value);
        if (singleValues) {
            return position >= 0 ? position : -1;
        }
        return position >= 0 ? position + 1 : -position - 1;
    }

    long[] counts(double[] values) {
        long[] counts = new long[size()];
        for (double value : values) {
            counts[binOf(value)]++;
        }
        return counts;
    }
}
