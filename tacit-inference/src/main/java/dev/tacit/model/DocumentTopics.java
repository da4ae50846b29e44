package dev.tacit.model;

import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.SparseBlock;
import java.util.Arrays;

/**
 * Which topics one document is about, given the topics: the local step of variational Bayes.
 *
 * <pre>
 *   q(θ) = Dirichlet(γ),  q(z = k | w) = φ_wk ∝ exp(ψ(γ_k)) B_wk,   γ_k = α + Σ_w n_w φ_wk        until γ settles
 *   start γ_k = α + Σ_w n_w / K;   settled when the mean change of γ is below the tolerance; at most so many rounds
 * </pre>
 *
 * Blei, Ng, Jordan 2003, Equations 6 and 7; Hoffman, Blei, Bach 2010, Algorithm 1. B is exp(E log β) or the mean of β.
 * Every document starts from the same public point, so what is computed for it depends on that document alone.
 *
 * <p>The words of the document are copied together, K numbers each, so that the rounds stay in the processor's cache.
 * For one thread.
 */
final class DocumentTopics {
    private static final double NEVER_ZERO = 1e-100;

    private final int topics;
    private final double alpha;
    private final double[] wordTopics;
    private final int mostRounds;
    private final double tolerance;

    private int words;
    private double total;
    private int[] wordIds = new int[64];
    private double[] counts = new double[64];
    private double[] norms = new double[64];
    private double[] local;
    private final double[] gamma;
    private final double[] theta;
    private final double[] sums;

    /**
     * @param wordTopics B, word after word, K numbers each
     */
    DocumentTopics(int topics, double alpha, double[] wordTopics, int mostRounds, double tolerance) {
        this.topics = topics;
        this.alpha = alpha;
        this.wordTopics = wordTopics;
        this.mostRounds = mostRounds;
        this.tolerance = tolerance;
        this.local = new double[64 * topics];
        this.gamma = new double[topics];
        this.theta = new double[topics];
        this.sums = new double[topics];
    }

    /** Takes the words of a row, of any kind of block; negative counts and what is not a number make the total NaN. */
    void read(RecordBlock block, int row) {
        words = 0;
        total = 0;
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                add(sparse.columnIndices()[entry], sparse.values()[entry]);
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            for (int column = 0; column < dense.columns(); column++) {
                double count = dense.values()[dense.start(row) + column];
                if (count != 0) {
                    add(column, count);
                }
            }
        }
    }

    private void add(int word, double count) {
        if (words == counts.length) {
            wordIds = Arrays.copyOf(wordIds, 2 * words);
            counts = Arrays.copyOf(counts, 2 * words);
            norms = Arrays.copyOf(norms, 2 * words);
            local = Arrays.copyOf(local, 2 * words * topics);
        }
        wordIds[words] = word;
        counts[words] = count >= 0 ? count : Double.NaN;
        total += counts[words];
        words++;
    }

    /** Shortens a document of more tokens to so many, in proportion, and then weights its words. */
    void weigh(double mostTokens, WordWeight weight) {
        double factor = total > mostTokens ? mostTokens / total : 1;
        total = 0;
        for (int i = 0; i < words; i++) {
            counts[i] = weight.of(counts[i] * factor);
            total += counts[i];
        }
    }

    /** How many different words the document has. */
    int words() {
        return words;
    }

    int wordId(int index) {
        return wordIds[index];
    }

    double count(int index) {
        return counts[index];
    }

    void setCount(int index, double count) {
        total += count - counts[index];
        counts[index] = count;
    }

    double total() {
        return total;
    }

    /** Runs the rounds. */
    void infer() {
        for (int i = 0; i < words; i++) {
            System.arraycopy(wordTopics, wordIds[i] * topics, local, i * topics, topics);
        }
        Arrays.fill(gamma, alpha + total / topics);
        Arrays.fill(theta, 1);
        for (int round = 0; round < mostRounds; round++) {
            double change = round();
            for (int k = 0; k < topics; k++) {
                theta[k] = Math.exp(SpecialFunctions.digamma(gamma[k]));
            }
            if (change < tolerance * topics) {
                break;
            }
        }
    }

    /** γ from θ; returns how far γ moved in all. */
    private double round() {
        Arrays.fill(sums, 0);
        for (int i = 0; i < words; i++) {
            norms[i] = dot(theta, local, i * topics, topics) + NEVER_ZERO;
            addScaled(counts[i] / norms[i], local, i * topics, sums, topics);
        }
        double change = 0;
        for (int k = 0; k < topics; k++) {
            double next = alpha + theta[k] * sums[k];
            change += Math.abs(next - gamma[k]);
            gamma[k] = next;
        }
        return change;
    }

    private static double dot(double[] left, double[] right, int offset, int size) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int k = 0;
        for (; k + 3 < size; k += 4) {
            first += left[k] * right[offset + k];
            second += left[k + 1] * right[offset + k + 1];
            third += left[k + 2] * right[offset + k + 2];
            fourth += left[k + 3] * right[offset + k + 3];
        }
        for (; k < size; k++) {
            first += left[k] * right[offset + k];
        }
        return first + second + (third + fourth);
    }

    private static void addScaled(double factor, double[] values, int offset, double[] sums, int size) {
        for (int k = 0; k < size; k++) {
            sums[k] += factor * values[offset + k];
        }
    }

    /** γ. Not to be written to. */
    double[] gamma() {
        return gamma;
    }

    /** Writes γ / Σ γ. */
    void proportions(double[] target) {
        double sum = 0;
        for (double value : gamma) {
            sum += value;
        }
        for (int k = 0; k < topics; k++) {
            target[k] = gamma[k] / sum;
        }
    }

    /**
     * The statistics of the words, word after word: n_w φ_wk with φ of the last γ, in memory that the next call uses
     * again.
     */
    double[] statistics() {
        for (int i = 0; i < words; i++) {
            int start = i * topics;
            double scale = counts[i] / (dot(theta, local, start, topics) + NEVER_ZERO);
            for (int k = 0; k < topics; k++) {
                local[start + k] *= scale * theta[k];
            }
        }
        return local;
    }

    /**
     * The document's part of the evidence lower bound at the last γ, with φ at its best (Hoffman, Blei, Bach 2010,
     * Equation 4): Σ_w n_w log Σ_k e^(E log θ_k) B_wk + Σ_k (α − γ_k) E log θ_k + log Γ(γ_k) − log Γ(α) + log Γ(Kα) −
     * log Γ(Σ γ). It needs what {@link #statistics} overwrites.
     */
    double bound() {
        double sum = 0;
        for (double value : gamma) {
            sum += value;
        }
        double logTotal = SpecialFunctions.digamma(sum);
        double bound = SpecialFunctions.logGamma(topics * alpha) - SpecialFunctions.logGamma(sum);
        for (int k = 0; k < topics; k++) {
            double meanLog = SpecialFunctions.digamma(gamma[k]) - logTotal;
            bound += (alpha - gamma[k]) * meanLog
                    + SpecialFunctions.logGamma(gamma[k])
                    - SpecialFunctions.logGamma(alpha);
        }
        for (int i = 0; i < words; i++) {
            bound += counts[i] * (Math.log(dot(theta, local, i * topics, topics) + NEVER_ZERO) - logTotal);
        }
        return bound;
    }
}
