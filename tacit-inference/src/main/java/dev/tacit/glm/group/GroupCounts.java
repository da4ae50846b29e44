package dev.tacit.glm.group;

import dev.tacit.glm.model.GroupLayout;
import dev.tacit.query.Contribution;
import java.io.Serializable;

/**
 * How many records each level of a grouping has: released beside the second moments, at half their norm.
 *
 * <pre>
 *   release    ½ B e_g for each of F_g groupings          ‖·‖ ≤ ½ B √F_g beside B √(1 + q²)
 *   count ← max(0, count),  count³/(count² + sd²),  at least ½,  scaled to the number of records
 * </pre>
 *
 * @param counts by grouping and level
 * @param variances relative ones, at most 4
 */
public record GroupCounts(double[][] counts, double[][] variances) implements Serializable {
    /** Norm of one grouping's part over B. */
    public static final double SHARE = 0.5;

    private static final double LEAST = 0.5;
    private static final double MOST_VARIANCE = 4;

    /** How many numbers are released. */
    public static int size(GroupLayout layout) {
        int size = 0;
        for (int levels : layout.groupingSizes) {
            size += levels;
        }
        return size;
    }

    /** Σ of squared norms over B². */
    public static double squaredShare(GroupLayout layout) {
        return SHARE * SHARE * layout.groupingSizes.length;
    }

    /** Adds a record's levels behind {@code offset}. */
    public static void write(
            GroupLayout layout, int[] levels, double value, int offset, double[] room, Contribution sums) {
        int next = offset;
        room[0] = value;
        for (int g = 0; g < layout.groupingSizes.length; g++) {
            int level = -1;
            for (int t = 0; t < levels.length && level < 0; t++) {
                level = layout.grouping[t] == g ? levels[t] : -1;
            }
            if (level >= 0) {
                sums.addAll(next + level, room, 0, 1);
            }
            next += layout.groupingSizes[g];
        }
    }

    /**
     * What the release says.
     *
     * @param value what a record adds
     * @param noise standard deviation of the released numbers
     */
    public static GroupCounts of(
            GroupLayout layout, double[] released, int offset, double value, double noise, double records) {
        double deviation = noise / value;
        double[][] counts = new double[layout.groupingSizes.length][];
        double[][] variances = new double[counts.length][];
        int next = offset;
        for (int g = 0; g < counts.length; g++) {
            int levels = layout.groupingSizes[g];
            counts[g] = new double[levels];
            variances[g] = new double[levels];
            double total = 0;
            for (int l = 0; l < levels; l++) {
                double count = Math.max(0, released[next + l] / value);
                double square = count * count;
                count = count > 0 ? count * square / (square + deviation * deviation) : 0;
                counts[g][l] = Math.max(count, LEAST);
                total += counts[g][l];
            }
            for (int l = 0; l < levels; l++) {
                counts[g][l] *= records / total;
                variances[g][l] = Math.min(Math.pow(deviation / counts[g][l], 2), MOST_VARIANCE);
            }
            next += levels;
        }
        return new GroupCounts(counts, variances);
    }
}
