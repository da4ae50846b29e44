package dev.tacit.data.catalogue.split;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows dealt out to parties of two sizes and two mixes of labels, for simulations.
 *
 * <pre>
 *   small party   ⌊(1 − ρ) n / M⌋ rows, of which ⌊· (λ + (1 − λ) κ)⌋ have label 0        λ: share of label 0 among all
 *   large party   ⌊(1 + ρ) n / M⌋ rows of what is left, at random; the rest is dropped
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Appendix B. Half of the parties are small; they come first.
 *
 * @param sizeSkew ρ, 0 for parties of one size
 * @param labelSkew κ: 0 for the same mix everywhere, 1 for small parties of label 0 only, negative for fewer of it
 */
public record PartySplit(double sizeSkew, double labelSkew) {
    /** Parties of one size and one mix. */
    public static final PartySplit BALANCED = new PartySplit(0, 0);

    /** Small parties have hardly any label 1. */
    public static final PartySplit UNBALANCED_1 = new PartySplit(0.75, 0.95);

    /** Small parties of Adult have hardly any label 0. */
    public static final PartySplit UNBALANCED_2 = new PartySplit(0.7, -3);

    /** The same for tables with about as many of both labels: a quarter of label 0. */
    public static final PartySplit UNBALANCED_2_EVEN = new PartySplit(0.7, -0.5);

    public PartySplit {
        if (!(sizeSkew >= 0 && sizeSkew < 1)) {
            throw new IllegalArgumentException("a skew of sizes is a number from 0 and below 1");
        }
        if (!(labelSkew <= 1) || Double.isInfinite(labelSkew)) {
            throw new IllegalArgumentException("a skew of labels is a number up to 1");
        }
    }

    /** How many rows a small party has. */
    public int smallRows(int rows, int parties) {
        return (int) Math.floor((1 - sizeSkew) * rows / parties);
    }

    /** How many rows a large party has. */
    public int largeRows(int rows, int parties) {
        return (int) Math.floor((1 + sizeSkew) * rows / parties);
    }

    /** How many rows of a small party have label 0. */
    public int smallZeros(int rows, int parties, double zeroShare) {
        double share = zeroShare + (1 - zeroShare) * labelSkew;
        return (int) Math.floor(smallRows(rows, parties) * Math.max(0, Math.min(1, share)));
    }

    /**
     * The row numbers of every party.
     *
     * @param labels 0 or 1
     * @param parties how many; even
     * @param seed of the order in which rows are left over for large parties
     */
    public List<int[]> deal(double[] labels, int parties, int seed) {
        if (parties < 2 || parties % 2 != 0) {
            throw new IllegalArgumentException("rows are dealt out to an even number of parties");
        }
        int n = labels.length;
        int[] order = new MersenneTwister(seed).permutation(n);
        int[] zeros = Arrays.stream(order).filter(row -> labels[row] == 0).toArray();
        int[] ones = Arrays.stream(order).filter(row -> labels[row] != 0).toArray();
        int small = smallRows(n, parties);
        int smallZeros = smallZeros(n, parties, (double) zeros.length / n);
        int smallParties = parties / 2;
        if ((long) smallParties * smallZeros > zeros.length
                || (long) smallParties * (small - smallZeros) > ones.length) {
            throw new IllegalArgumentException("there are too few rows of one label for this split");
        }
        List<int[]> dealt = new ArrayList<>();
        int nextZero = 0;
        int nextOne = 0;
        for (int party = 0; party < smallParties; party++) {
            int[] rows = new int[small];
            for (int i = 0; i < small; i++) {
                rows[i] = i < smallZeros ? zeros[nextZero++] : ones[nextOne++];
            }
            dealt.add(rows);
        }
        int[] left = new int[zeros.length - nextZero + ones.length - nextOne];
        System.arraycopy(zeros, nextZero, left, 0, zeros.length - nextZero);
        System.arraycopy(ones, nextOne, left, zeros.length - nextZero, ones.length - nextOne);
        int[] shuffled = new MersenneTwister(seed + 1).permutation(left.length);
        int large = Math.min(largeRows(n, parties), left.length / smallParties);
        for (int party = 0; party < smallParties; party++) {
            int[] rows = new int[large];
            for (int i = 0; i < large; i++) {
                rows[i] = left[shuffled[party * large + i]];
            }
            dealt.add(rows);
        }
        return dealt;
    }
}
