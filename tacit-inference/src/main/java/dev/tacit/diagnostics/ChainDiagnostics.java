package dev.tacit.diagnostics;

import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;

/**
 * Whether Markov chains agree, and how many independent draws they are worth, for one number.
 *
 * <pre>
 *   each chain is split in halves;  z = Φ⁻¹((rank − 3/8)/(S + 1/4)) over all S draws, ties averaged
 *   R̂     √(v⁺/w) of z or of the folded draws |x − median|, the larger     w within-chain, v⁺ pooled variance estimate
 *   ESS   S / (−1 + 2 Σ_t ρ̂_t), ρ̂_t = 1 − (w − mean autocovariance at t)/v⁺, cut by Geyer's initial monotone sequence
 *   bulk  ESS of z        tail  the smaller ESS of 1[x ≤ 5 % quantile] and 1[x ≤ 95 % quantile]
 * </pre>
 *
 * Vehtari, Gelman, Simpson, Carpenter, Bürkner 2021, equations 1–4 and 10–14; ESS is at most S log₁₀ S. Chains that do
 * not move give NaN.
 *
 * @param mean over all chains
 * @param standardDeviation over all chains, divisor S − 1
 * @param standardErrorOfMean standard deviation / √(ESS of x itself)
 * @param rHat 1 at convergence; above 1.01 the chains disagree
 * @param bulkSampleSize how well the middle is known; below 100 for each chain the diagnostics themselves are
 *     unreliable
 * @param tailSampleSize how well the 5 % and 95 % quantiles are known
 */
public record ChainDiagnostics(
        double mean,
        double standardDeviation,
        double standardErrorOfMean,
        double rHat,
        double bulkSampleSize,
        double tailSampleSize) {

    private static final double TAIL = 0.05;

    /**
     * From chains.
     *
     * @param chains arrays of the same length, at least four draws each
     */
    public static ChainDiagnostics of(double[][] chains) {
        check(chains);
        double[] all = pooled(chains);
        double mean = mean(all);
        double deviation = Math.sqrt(squares(all, mean) / (all.length - 1));
        double[][] split = split(chains);
        double[][] ranks = rankNormalised(split);
        return new ChainDiagnostics(
                mean,
                deviation,
                deviation / Math.sqrt(effectiveSampleSize(split)),
                Math.max(
                        potentialScaleReduction(ranks), potentialScaleReduction(rankNormalised(split(folded(chains))))),
                effectiveSampleSize(ranks),
                tailSampleSize(chains));
    }

    private static void check(double[][] chains) {
        if (chains.length == 0 || chains[0].length < 4) {
            throw new IllegalArgumentException("diagnostics need at least one chain of four draws");
        }
        for (double[] chain : chains) {
            if (chain.length != chains[0].length) {
                throw new IllegalArgumentException("the chains have different lengths");
            }
        }
    }

    private static double tailSampleSize(double[][] chains) {
        double[] sorted = pooled(chains);
        Arrays.sort(sorted);
        double low = effectiveSampleSize(split(below(chains, quantile(sorted, TAIL))));
        double high = effectiveSampleSize(split(below(chains, quantile(sorted, 1 - TAIL))));
        return Math.min(low, high);
    }

    // ---- the two statistics ----------------------------------------------------------------------------------------

    /** √(v⁺/w) of chains as they are. */
    static double potentialScaleReduction(double[][] chains) {
        int n = chains[0].length;
        double[] means = new double[chains.length];
        double within = 0;
        for (int chain = 0; chain < chains.length; chain++) {
            means[chain] = mean(chains[chain]);
            within += squares(chains[chain], means[chain]) / (n - 1) / chains.length;
        }
        double between = squares(means, mean(means)) / (chains.length - 1);
        return Math.sqrt((within * (n - 1) / n + between) / within);
    }

    /** The effective sample size of the mean of chains as they are. */
    static double effectiveSampleSize(double[][] chains) {
        int n = chains[0].length;
        double total = (double) n * chains.length;
        double[] means = new double[chains.length];
        for (int chain = 0; chain < chains.length; chain++) {
            means[chain] = mean(chains[chain]);
        }
        double within = autocovariance(chains, means, 0) * n / (n - 1);
        double pooled = within * (n - 1) / n;
        if (chains.length > 1) {
            pooled += squares(means, mean(means)) / (chains.length - 1);
        }
        if (!(pooled > 0)) {
            return Double.NaN;
        }
        double[] correlations = new double[n];
        double even = 1;
        double odd = 1 - (within - autocovariance(chains, means, 1)) / pooled;
        correlations[0] = even;
        correlations[1] = odd;
        int t = 0;
        while (t < n - 5 && even + odd > 0) {
            t += 2;
            even = 1 - (within - autocovariance(chains, means, t)) / pooled;
            odd = 1 - (within - autocovariance(chains, means, t + 1)) / pooled;
            if (even + odd >= 0) {
                correlations[t] = even;
                correlations[t + 1] = odd;
            }
        }
        // the last even correlation counts once, which helps chains that alternate
        correlations[t] = even > 0 ? even : correlations[t];
        double time = -1 + correlations[t];
        for (int pair = 0; pair < t; pair += 2) {
            if (pair > 0) {
                double before = correlations[pair - 2] + correlations[pair - 1];
                if (correlations[pair] + correlations[pair + 1] > before) {
                    correlations[pair] = 0.5 * before;
                    correlations[pair + 1] = 0.5 * before;
                }
            }
            time += 2 * (correlations[pair] + correlations[pair + 1]);
        }
        return total / Math.max(time, 1 / Math.log10(total));
    }

    /** The mean over chains of Σ (x_i − x̄)(x_{i+lag} − x̄) / n. */
    private static double autocovariance(double[][] chains, double[] means, int lag) {
        double sum = 0;
        for (int chain = 0; chain < chains.length; chain++) {
            double[] x = chains[chain];
            double mean = means[chain];
            for (int i = 0; i + lag < x.length; i++) {
                sum += (x[i] - mean) * (x[i + lag] - mean);
            }
        }
        return sum / chains.length / chains[0].length;
    }

    // ---- what is done to the draws before --------------------------------------------------------------------------

    /** Two halves of each chain; the middle draw of an odd number is left out. */
    private static double[][] split(double[][] chains) {
        int n = chains[0].length;
        int half = n / 2;
        double[][] split = new double[2 * chains.length][];
        for (int chain = 0; chain < chains.length; chain++) {
            split[2 * chain] = Arrays.copyOfRange(chains[chain], 0, half);
            split[2 * chain + 1] = Arrays.copyOfRange(chains[chain], n - half, n);
        }
        return split;
    }

    private static double[][] rankNormalised(double[][] chains) {
        double[] sorted = pooled(chains);
        Arrays.sort(sorted);
        int total = sorted.length;
        double[][] result = new double[chains.length][chains[0].length];
        for (int chain = 0; chain < chains.length; chain++) {
            for (int i = 0; i < result[chain].length; i++) {
                double x = chains[chain][i];
                double rank = 0.5 * (firstAtLeast(sorted, x) + firstAbove(sorted, x) + 1);
                result[chain][i] = SpecialFunctions.normalQuantile((rank - 0.375) / (total + 0.25));
            }
        }
        return result;
    }

    private static int firstAtLeast(double[] sorted, double x) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int firstAbove(double[] sorted, double x) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] <= x) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double[][] folded(double[][] chains) {
        double[] sorted = pooled(chains);
        Arrays.sort(sorted);
        double median = quantile(sorted, 0.5);
        double[][] folded = new double[chains.length][chains[0].length];
        for (int chain = 0; chain < chains.length; chain++) {
            for (int i = 0; i < folded[chain].length; i++) {
                folded[chain][i] = Math.abs(chains[chain][i] - median);
            }
        }
        return folded;
    }

    private static double[][] below(double[][] chains, double bound) {
        double[][] below = new double[chains.length][chains[0].length];
        for (int chain = 0; chain < chains.length; chain++) {
            for (int i = 0; i < below[chain].length; i++) {
                below[chain][i] = chains[chain][i] <= bound ? 1 : 0;
            }
        }
        return below;
    }

    private static double quantile(double[] sorted, double probability) {
        double position = (sorted.length - 1) * probability;
        int low = (int) position;
        double share = position - low;
        return share == 0 ? sorted[low] : sorted[low] + share * (sorted[low + 1] - sorted[low]);
    }

    private static double[] pooled(double[][] chains) {
        int n = chains[0].length;
        double[] all = new double[chains.length * n];
        for (int chain = 0; chain < chains.length; chain++) {
            System.arraycopy(chains[chain], 0, all, chain * n, n);
        }
        return all;
    }

    private static double mean(double[] x) {
        double sum = 0;
        for (double value : x) {
            sum += value;
        }
        return sum / x.length;
    }

    private static double squares(double[] x, double mean) {
        double sum = 0;
        for (double value : x) {
            sum += (value - mean) * (value - mean);
        }
        return sum;
    }
}
