package dev.tacit.glm.solve;

import dev.tacit.numerics.Matrices;

/**
 * Entrywise shrinkage of a noisy symmetric deviation of one curvature matrix from another.
 *
 * <pre>
 *   prior variance v_ij = τ² h_i h_j (twice on the diagonal) + counts_i h_i² on the diagonal + what the noise of M lets through
 *   s_ij = v / (v + noise);   entries beyond 3 noise deviations keep at least 1 − 9 noise / dev²
 *   τ² by weighted moments, in [0.03², 0.5²]
 * </pre>
 *
 * @param deviation s ∘ dev
 * @param variance s ∘ noise, what remains unknown of each entry
 * @param tau τ
 */
public record CurvatureShrinkage(double[] deviation, double[] variance, double tau) {
    private static final double OUTLIER = 3;

    /**
     * Learns the shrinkage from what was released.
     *
     * @param dev the deviation, n × n
     * @param h the scale of each row
     * @param noise standard deviation on the diagonal; 1/√2 of it elsewhere
     * @param counts relative variance of the diagonal from counts that are not known well
     * @param passedOn by row, the standard deviation that the noise of the second moments puts into an entry; or null
     */
    public static CurvatureShrinkage of(
            int n, double[] dev, double[] h, double noise, double[] counts, double[] passedOn) {
        double full = noise * noise;
        double tau = 0.15 * 0.15;
        for (int pass = 0; pass < 8; pass++) {
            double sum = 0;
            double weights = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double variance = i == j ? full : full / 2;
                    double scale = h[i] * h[j] * (i == j ? 2 : 1);
                    double total = tau * scale + variance;
                    double weight = scale / (total * total);
                    sum += weight * (dev[i * n + j] * dev[i * n + j] - variance);
                    weights += weight * scale;
                }
            }
            tau = Matrices.clamp(sum / weights, 0.03 * 0.03, 0.5 * 0.5);
        }
        double[] kept = new double[n * n];
        double[] left = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int at = i * n + j;
                double variance = i == j ? full : full / 2;
                double prior = tau * h[i] * h[j] * (i == j ? 2 : 1) + (i == j ? counts[i] * h[i] * h[i] : 0);
                if (passedOn != null) {
                    prior += Math.min(passedOn[i] * passedOn[j] * (i == j ? 1 : 0.5), h[i] * h[j]);
                }
                double share = prior / (prior + variance);
                double outlying = 1 - OUTLIER * OUTLIER * variance / Math.max(dev[at] * dev[at], 1e-12);
                share = Math.max(share, Math.max(0, outlying));
                kept[at] = share * dev[at];
                left[at] = share * variance;
            }
        }
        return new CurvatureShrinkage(kept, left, Math.sqrt(tau));
    }
}
