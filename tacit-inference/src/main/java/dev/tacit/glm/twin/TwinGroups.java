package dev.tacit.glm.twin;

import dev.tacit.glm.group.GroupCounts;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.numerics.RandomStream;

/**
 * The groups of the twin's rows: independent of the columns and of other groupings, except that a level lies in the level
 * that it is declared in.
 *
 * <pre>
 *   rows of a level    in proportion to its count, at least 15, dealt in an order that is drawn with a public seed
 *   weights            ω ← ω count/Σ ω of the level, grouping after grouping, in eight sweeps if there are several
 * </pre>
 */
final class TwinGroups {
    private static final long SEED = 777;
    private static final double LEAST_ROWS = 15;
    private static final int SWEEPS = 8;

    private TwinGroups() {}

    /** The level of every row, by term; the weights are changed in place. */
    static int[][] deal(GroupLayout layout, GroupCounts counts, double[] weights) {
        int groupings = layout.groupingSizes.length;
        int n = weights.length;
        boolean[] isOuter = new boolean[groupings];
        for (int outer : layout.outer) {
            if (outer >= 0) {
                isOuter[outer] = true;
            }
        }
        int[][] levels = new int[groupings][];
        RandomStream random = RandomStream.ofSeed(SEED);
        for (int g = 0; g < groupings; g++) {
            if (!isOuter[g]) {
                levels[g] = dealt(counts.counts()[g], n, random.fork("grouping " + g));
            }
        }
        boolean missing = true;
        while (missing) {
            missing = false;
            for (int g = 0; g < groupings; g++) {
                int outer = layout.outer[g];
                if (outer >= 0 && levels[g] != null && levels[outer] == null) {
                    levels[outer] = containing(levels[g], layout.each[g]);
                    missing = true;
                }
            }
        }
        for (int sweep = 0; sweep < (groupings == 1 ? 1 : SWEEPS); sweep++) {
            for (int g = 0; g < groupings; g++) {
                rake(levels[g], counts.counts()[g], weights);
            }
        }
        int[][] byTerm = new int[layout.terms.size()][];
        for (int t = 0; t < byTerm.length; t++) {
            byTerm[t] = levels[layout.grouping[t]];
        }
        return byTerm;
    }

    private static int[] dealt(double[] counts, int n, RandomStream random) {
        double records = 0;
        for (double count : counts) {
            records += count;
        }
        double total = 0;
        for (double count : counts) {
            total += Math.max(count / records * n, LEAST_ROWS);
        }
        int[] levels = new int[n];
        double sum = 0;
        int row = 0;
        for (int l = 0; l < counts.length; l++) {
            sum += Math.max(counts[l] / records * n, LEAST_ROWS);
            int end = l == counts.length - 1 ? n : (int) Math.floor(sum / total * n);
            while (row < end) {
                levels[row++] = l;
            }
        }
        for (int r = n - 1; r > 0; r--) {
            int other = random.nextInt(r + 1);
            int kept = levels[r];
            levels[r] = levels[other];
            levels[other] = kept;
        }
        return levels;
    }

    private static int[] containing(int[] levels, int each) {
        int[] outer = new int[levels.length];
        for (int r = 0; r < levels.length; r++) {
            outer[r] = levels[r] / each;
        }
        return outer;
    }

    private static void rake(int[] levels, double[] counts, double[] weights) {
        double[] totals = new double[counts.length];
        for (int r = 0; r < weights.length; r++) {
            totals[levels[r]] += weights[r];
        }
        for (int r = 0; r < weights.length; r++) {
            weights[r] *= counts[levels[r]] / Math.max(totals[levels[r]], 1e-9);
        }
    }
}
