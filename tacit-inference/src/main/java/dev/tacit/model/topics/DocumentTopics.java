package dev.tacit.model.topics;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.numerics.SpecialFunctions;
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
 * <p>A topic with less than a thousandth of the tolerance of one word (of the mean number of words of a topic, if that is
 * less) is left out of the later rounds, with φ = 0. Its θ shrinks like exp(ψ(α)), e^−50 for α = 0.02, so it would not come
 * back; of 50 topics about 8 are left after ten rounds. What the topics say about the words of the document is
 * copied together, topic after topic, so that the loops run over words that lie side by side. For one thread.
 */
final class DocumentTopics {
    private static final double NEVER_ZERO = 1e-100;
    private static final double LEAST_SHARE = 1e-3;

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
    private double[] ratios = new double[64];

    /** B of the document's words, topic after topic. */
    private final double[][] rows;

    /** The topics that still have words of the document. */
    private final int[] live;

    private int liveCount;
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
        this.rows = new double[topics][0];
        this.live = new int[topics];
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
            norms = new double[2 * words];
            ratios = new double[2 * words];
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

    double total() {
        return total;
    }

    /** Runs the rounds. */
    void infer() {
        gather();
        Arrays.fill(gamma, alpha + total / topics);
        Arrays.fill(theta, 1);
        double least = LEAST_SHARE * Math.min(1, tolerance) * Math.min(1, total / topics);
        for (int round = 0; round < mostRounds; round++) {
            mix();
            if (update(least) < tolerance * topics) {
                break;
            }
        }
        mix();
    }

    /** Copies what the topics say about the words of the document, and makes all topics live. */
    private void gather() {
        if (rows[0].length < words) {
            for (int k = 0; k < topics; k++) {
                rows[k] = new double[counts.length];
            }
        }
        for (int i = 0; i < words; i++) {
            int start = wordIds[i] * topics;
            for (int k = 0; k < topics; k++) {
                rows[k][i] = wordTopics[start + k];
            }
        }
        for (int k = 0; k < topics; k++) {
            live[k] = k;
        }
        liveCount = topics;
    }

    /** Σ_k θ_k B_wk of every word. */
    private void mix() {
        Arrays.fill(norms, 0, words, NEVER_ZERO);
        int a = 0;
        for (; a + 3 < liveCount; a += 4) {
            addFour(live[a], live[a + 1], live[a + 2], live[a + 3]);
        }
        for (; a < liveCount; a++) {
            addScaled(theta[live[a]], rows[live[a]], norms, words);
        }
    }

    private void addFour(int first, int second, int third, int fourth) {
        addScaled(
                theta[first],
                rows[first],
                theta[second],
                rows[second],
                theta[third],
                rows[third],
                theta[fourth],
                rows[fourth],
                norms,
                words);
    }

    /** γ and θ from the norms; returns how far γ moved in all. Topics with less than the least share are left out. */
    private double update(double least) {
        divide(counts, norms, ratios, words);
        int a = 0;
        for (; a + 3 < liveCount; a += 4) {
            dot(ratios, rows[live[a]], rows[live[a + 1]], rows[live[a + 2]], rows[live[a + 3]], words, sums, a);
        }
        for (; a < liveCount; a++) {
            sums[a] = dot(ratios, rows[live[a]], words);
        }
        double change = 0;
        int kept = 0;
        for (a = 0; a < liveCount; a++) {
            int k = live[a];
            double share = theta[k] * sums[a];
            double next = alpha + share;
            change += Math.abs(next - gamma[k]);
            gamma[k] = next;
            if (share < least) {
                theta[k] = 0;
            } else {
                theta[k] = SpecialFunctions.expDigamma(next);
                live[kept++] = k;
            }
        }
        liveCount = kept;
        return change;
    }

    private static void addScaled(double factor, double[] values, double[] sums, int size) {
        for (int i = 0; i < size; i++) {
            sums[i] += factor * values[i];
        }
    }

    private static void addScaled(
            double firstFactor,
            double[] first,
            double secondFactor,
            double[] second,
            double thirdFactor,
            double[] third,
            double fourthFactor,
            double[] fourth,
            double[] sums,
            int size) {
        for (int i = 0; i < size; i++) {
            sums[i] += (firstFactor * first[i] + secondFactor * second[i])
                    + (thirdFactor * third[i] + fourthFactor * fourth[i]);
        }
    }

    private static void divide(double[] left, double[] right, double[] ratios, int size) {
        for (int i = 0; i < size; i++) {
            ratios[i] = left[i] / right[i];
        }
    }

    private static double dot(double[] left, double[] right, int size) {
        double even = 0;
        double odd = 0;
        int i = 0;
        for (; i + 1 < size; i += 2) {
            even += left[i] * right[i];
            odd += left[i + 1] * right[i + 1];
        }
        return i < size ? even + left[i] * right[i] + odd : even + odd;
    }

    /** Four products at once: the processor adds to four sums side by side. */
    private static void dot(
            double[] left,
            double[] first,
            double[] second,
            double[] third,
            double[] fourth,
            int size,
            double[] products,
            int start) {
        double ofFirst = 0;
        double ofSecond = 0;
        double ofThird = 0;
        double ofFourth = 0;
        for (int i = 0; i < size; i++) {
            double value = left[i];
            ofFirst += value * first[i];
            ofSecond += value * second[i];
            ofThird += value * third[i];
            ofFourth += value * fourth[i];
        }
        products[start] = ofFirst;
        products[start + 1] = ofSecond;
        products[start + 2] = ofThird;
        products[start + 3] = ofFourth;
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

    /** Writes the statistics of one of its words, n_w φ_wk with φ of the last γ. */
    void statistics(int index, double[] target) {
        Arrays.fill(target, 0, topics, 0);
        double scale = counts[index] / norms[index];
        for (int a = 0; a < liveCount; a++) {
            int k = live[a];
            target[k] = scale * theta[k] * rows[k][index];
        }
    }

    /**
     * The document's part of the evidence lower bound at the last γ, with φ at its best (Hoffman, Blei, Bach 2010,
     * Equation 4): Σ_w n_w log Σ_k e^(E log θ_k) B_wk + Σ_k (α − γ_k) E log θ_k + log Γ(γ_k) − log Γ(α) + log Γ(Kα) −
     * log Γ(Σ γ).
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
            bound += counts[i] * (Math.log(norms[i]) - logTotal);
        }
        return bound;
    }
}
