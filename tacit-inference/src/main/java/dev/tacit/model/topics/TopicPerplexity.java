package dev.tacit.model.topics;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * How surprised topics are by documents that they were not learned from: perplexity by document completion.
 *
 * <pre>
 *   every document's n_w tokens of word w are split in two: Binomial(n_w, ½) of them observed, the others held out
 *   θ = γ / Σ γ from the observed half alone
 *   perplexity = exp(−Σ_d Σ_w h_dw log Σ_k θ_dk β_kw / Σ_d Σ_w h_dw),   h: held-out tokens
 * </pre>
 *
 * Wallach, Murray, Salakhutdinov, Mimno 2009, Section 5.1 (document completion). Nothing is learned from the held-out
 * half, not even θ, so every model's number is comparable: that of words drawn independently ({@link #ofUnigram}), and that of
 * the uniform distribution, which is the size of the vocabulary. The split is drawn from a fixed seed, document by document.
 */
public final class TopicPerplexity {
    private static final long SEED = 7;

    /** Which topics half a document is about. */
    @FunctionalInterface
    public interface Proportions {
        /** Writes θ of a row. */
        void of(RecordBlock block, int row, double[] proportions);
    }

    private final SparseBlock observed;
    private final SparseBlock heldOut;
    private final long tokens;

    private TopicPerplexity(SparseBlock observed, SparseBlock heldOut) {
        this.observed = observed;
        this.heldOut = heldOut;
        double sum = 0;
        for (int entry = heldOut.start(0); entry < heldOut.end(heldOut.rows() - 1); entry++) {
            sum += heldOut.values()[entry];
        }
        this.tokens = (long) sum;
    }

    /** Splits documents, at least one; counts are whole numbers. */
    public static TopicPerplexity on(List<RecordBlock> documents) {
        RandomStream random = RandomStream.ofSeed(SEED);
        Half first = new Half();
        Half second = new Half();
        long number = 0;
        for (RecordBlock block : documents) {
            for (int row = 0; row < block.rows(); row++) {
                split(block, row, random.fork(number), first, second);
                number++;
            }
        }
        int columns = documents.get(0).columns();
        return new TopicPerplexity(first.block(columns), second.block(columns));
    }

    private static void split(RecordBlock block, int row, RandomStream random, Half first, Half second) {
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                split(sparse.columnIndices()[entry], (long) sparse.values()[entry], random, first, second);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            for (int column = 0; column < dense.columns(); column++) {
                split(column, (long) dense.values()[dense.start(row) + column], random, first, second);
            }
        }
        first.end();
        second.end();
    }

    private static void split(int word, long count, RandomStream random, Half first, Half second) {
        long taken = 0;
        for (long left = count; left > 0; left -= Long.SIZE) {
            long coins = random.nextLong();
            taken += Long.bitCount(left >= Long.SIZE ? coins : coins & ((1L << left) - 1));
        }
        first.add(word, taken);
        second.add(word, Math.max(0, count) - taken);
    }

    /** Documents row by row. */
    private static final class Half {
        private final List<Integer> starts = new ArrayList<>(List.of(0));
        private final List<Integer> words = new ArrayList<>();
        private final List<Double> counts = new ArrayList<>();

        void add(int word, long count) {
            if (count > 0) {
                words.add(word);
                counts.add((double) count);
            }
        }

        void end() {
            starts.add(words.size());
        }

        SparseBlock block(int columns) {
            return SparseBlock.of(
                    starts.size() - 1,
                    columns,
                    starts.stream().mapToInt(Integer::intValue).toArray(),
                    words.stream().mapToInt(Integer::intValue).toArray(),
                    counts.stream().mapToDouble(Double::doubleValue).toArray(),
                    null);
        }
    }

    /** How many tokens are held out. */
    public long heldOutTokens() {
        return tokens;
    }

    /**
     * Of topics.
     *
     * @param topics how many there are
     * @param wordProbabilities β, word after word, one number for each topic
     */
    public double of(int topics, double[] wordProbabilities, Proportions proportions) {
        double[] theta = new double[topics];
        double sum = 0;
        for (int row = 0; row < heldOut.rows(); row++) {
            proportions.of(observed, row, theta);
            for (int entry = heldOut.start(row); entry < heldOut.end(row); entry++) {
                int start = heldOut.columnIndices()[entry] * topics;
                double probability = 0;
                for (int k = 0; k < topics; k++) {
                    probability += theta[k] * wordProbabilities[start + k];
                }
                sum += heldOut.values()[entry] * Math.log(probability);
            }
        }
        return Math.exp(-sum / tokens);
    }

    /**
     * Of words drawn independently.
     *
     * @param frequencies one positive number for each word; they need not sum to 1
     */
    public double ofUnigram(double[] frequencies) {
        double total = 0;
        for (double frequency : frequencies) {
            total += frequency;
        }
        double sum = 0;
        for (int entry = heldOut.start(0); entry < heldOut.end(heldOut.rows() - 1); entry++) {
            sum += heldOut.values()[entry] * Math.log(frequencies[heldOut.columnIndices()[entry]] / total);
        }
        return Math.exp(-sum / tokens);
    }

    /** How often each word occurs in the observed halves, plus 1: a unigram for {@link #ofUnigram}. */
    public double[] observedFrequencies() {
        double[] frequencies = new double[observed.columns()];
        java.util.Arrays.fill(frequencies, 1);
        for (int row = 0; row < observed.rows(); row++) {
            Rows.addTo(observed, row, 1, frequencies, 0);
        }
        return frequencies;
    }
}
