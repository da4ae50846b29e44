package dev.tacit.model.topics;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.PreliminaryRelease;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Latent Dirichlet allocation: documents are mixtures of topics, topics are distributions over words.
 *
 * <pre>
 *   β_k ~ Dirichlet(η),   θ_d ~ Dirichlet(α),   every word of document d: z ~ θ_d, w ~ β_z
 *   statistics of one document:  s_wk = n_w φ_wk  with q(z = k | w) = φ_wk of {@link DocumentTopics},   V × K numbers
 *   q(β_k) = Dirichlet(η + Σ_d s_dk)                                                    without noise
 * </pre>
 *
 * Blei, Ng, Jordan 2003; Hoffman, Blei, Bach 2010; Park, Foulds, Chaudhuri, Welling 2020, Section 4. Clipped: the V × K
 * statistics of a document jointly, in L2, at {@code l2Bound}; ‖s_d‖² = Σ_w n_w² Σ_k φ_wk² is computed by the door from
 * the words that occur, no V × K vector of one document is written down.
 *
 * <p>Differs from the paper. Words count by a public {@link WordWeight}, longer documents are shortened in proportion,
 * and the clip replaces the paper's bound, which is the length of the longest document. With noise of standard deviation sd
 * on each sum X_wk, what the next step works with is not max(X, 0) but
 *
 * <pre>
 *   M_k = max(Σ_w X_wk, 2.5 sd √V + 1),    s_wk ~ Gamma(shape, mean M_k u_w),    β_kw ∝ E[s_wk | X_wk] + 10⁻⁴ M_k u_w
 * </pre>
 *
 * ({@link GammaDenoiser}) with word frequencies u from a preliminary release that takes {@code unigramShare} of the budget.
 * Documents are then looked at with the mean of β in place of exp(E log β), and documents always start cold.
 *
 * <p>q(β) counts what a Dirichlet posterior counts, in units of weighted and clipped words (cautious: a document counts
 * for less than its words), and the privacy noise in each sum through Var[s_wk | X_wk]. It does not count that topics are
 * one of many local optima, that clipping weights short documents up, or the noise of earlier steps.
 *
 * @param vocabulary the public words, one for each column of the records
 * @param topics K
 * @param alpha concentration of topics in a document
 * @param eta concentration of words in a topic, for sums without a unigram
 * @param weight what a word counts for
 * @param mostTokens longer documents are shortened to so many
 * @param l2Bound at which the statistics of a document are clipped
 * @param repair what is done about noise
 * @param mostRounds of the local step
 * @param tolerance of the local step
 */
public record LatentDirichletAllocation(
        List<String> vocabulary,
        int topics,
        double alpha,
        double eta,
        WordWeight weight,
        double mostTokens,
        double l2Bound,
        NoiseRepair repair,
        int mostRounds,
        double tolerance)
        implements ConjugateExponentialModel<ScaledDirichletPosterior>, DescriptiveModel, Serializable {
    /** The name on the command line. */
    public static final String NAME = "lda";

    private static final double START_SHAPE = 10;
    private static final double PLAIN_START_SHAPE = 100;
    private static final double LEAST_TOTAL = 2.5;
    private static final double FLOOR = 1e-4;
    private static final int DESCRIBING_ROUNDS = 50;
    private static final int WORDS_SHOWN = 20;

    /** What is done about noise on the sums. */
    public sealed interface NoiseRepair {
        /** Negative numbers become 0 in every release (Park et al. 2020); also for runs without noise. */
        record ClampAtZero() implements NoiseRepair, Serializable {}

        /**
         * Sums are shrunk to what is expected of them by {@link GammaDenoiser}.
         *
         * @param denoiser with its prior shape
         * @param unigramShare part of the budget that buys the frequencies of words
         */
        record Shrink(GammaDenoiser denoiser, double unigramShare) implements NoiseRepair, Serializable {
            public Shrink {
                Objects.requireNonNull(denoiser, "denoiser");
                if (!(unigramShare > 0 && unigramShare < 1)) {
                    throw new IllegalArgumentException("the unigram's share of the budget is between 0 and 1");
                }
            }
        }
    }

    public LatentDirichletAllocation {
        vocabulary = List.copyOf(vocabulary);
        Objects.requireNonNull(weight, "weight");
        Objects.requireNonNull(repair, "repair");
        if (vocabulary.size() < 2) {
            throw new IllegalArgumentException("a vocabulary has at least two words");
        }
        if (topics < 2 || (long) topics * vocabulary.size() > 1 << 28) {
            throw new IllegalArgumentException("topics is a number from 2, and topics times words is at most 2^28");
        }
        requirePositive(alpha, "alpha");
        requirePositive(eta, "eta");
        requirePositive(mostTokens, "mostTokens");
        requirePositive(l2Bound, "l2Bound");
        requirePositive(tolerance, "tolerance");
        if (mostRounds < 1 || mostRounds > 10_000) {
            throw new IllegalArgumentException("rounds is a number from 1 to 10000");
        }
    }

    private static void requirePositive(double value, String name) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " is a positive number");
        }
    }

    /** What suits private runs. */
    public static LatentDirichletAllocation forPrivacy(List<String> vocabulary, int topics) {
        return new LatentDirichletAllocation(
                vocabulary,
                topics,
                0.05,
                1.0 / topics,
                WordWeight.SQRT,
                10_000,
                2,
                new NoiseRepair.Shrink(new GammaDenoiser(0.5), 0.05),
                15,
                1e-3);
    }

    /** Plain variational Bayes on raw counts, as published, for runs without noise. */
    public static LatentDirichletAllocation withoutNoise(List<String> vocabulary, int topics) {
        return new LatentDirichletAllocation(
                vocabulary,
                topics,
                1.0 / topics,
                1.0 / topics,
                WordWeight.RAW,
                1e6,
                1000,
                new NoiseRepair.ClampAtZero(),
                100,
                1e-3);
    }

    private int words() {
        return vocabulary.size();
    }

    private boolean shrinks() {
        return repair instanceof NoiseRepair.Shrink;
    }

    // ---- statistics ------------------------------------------------------------------------------------------------

    @Override
    public int statisticsDimension() {
        return words() * topics;
    }

    @Override
    public double statisticsL2Bound() {
        return l2Bound;
    }

    @Override
    public ContributionSum expectedStatistics(ScaledDirichletPosterior posterior) {
        double[] wordTopics = byWord(shrinks() ? posterior.mean() : exp(posterior.meanLogarithm()));
        return new ContributionSum() {
            @Override
            public int dimension() {
                return statisticsDimension();
            }

            @Override
            public Worker worker() {
                DocumentTopics document = new DocumentTopics(topics, alpha, wordTopics, mostRounds, tolerance);
                double[] statistics = new double[topics];
                return (block, row, contribution) -> {
                    document.read(block, row);
                    document.weigh(mostTokens, weight);
                    document.infer();
                    for (int i = 0; i < document.words(); i++) {
                        document.statistics(i, statistics);
                        contribution.addAll(document.wordId(i) * topics, statistics, 0, topics);
                    }
                };
            }
        };
    }

    private static double[] exp(double[] logarithms) {
        for (int i = 0; i < logarithms.length; i++) {
            logarithms[i] = Math.exp(logarithms[i]);
        }
        return logarithms;
    }

    /** From topic after topic to word after word. */
    private double[] byWord(double[] byTopic) {
        double[] result = new double[byTopic.length];
        for (int k = 0; k < topics; k++) {
            for (int w = 0; w < words(); w++) {
                result[w * topics + k] = byTopic[k * words() + w];
            }
        }
        return result;
    }

    // ---- frequencies of words --------------------------------------------------------------------------------------

    /** Uniform: what is known about words without looking at documents. */
    @Override
    public double[] hyperParameters() {
        double[] uniform = new double[shrinks() ? words() : 0];
        Arrays.fill(uniform, 1.0 / words());
        return uniform;
    }

    @Override
    public double[] hyperParameters(ScaledDirichletPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public Optional<PreliminaryRelease> preliminary() {
        return repair instanceof NoiseRepair.Shrink shrink ? Optional.of(new Unigram(shrink)) : Optional.empty();
    }

    /** One full pass: Σ_d clip((weight of n_dw)_w), shrunk towards the uniform distribution. */
    private final class Unigram implements PreliminaryRelease, Serializable {
        private static final long serialVersionUID = 1;

        private final NoiseRepair.Shrink shrink;

        Unigram(NoiseRepair.Shrink shrink) {
            this.shrink = shrink;
        }

        @Override
        public String label() {
            return "frequencies of words";
        }

        @Override
        public double budgetShare() {
            return shrink.unigramShare();
        }

        @Override
        public double l2Bound() {
            return l2Bound;
        }

        @Override
        public ContributionSum query() {
            return new ContributionSum() {
                @Override
                public int dimension() {
                    return words();
                }

                @Override
                public Worker worker() {
                    DocumentTopics document = new DocumentTopics(1, 1, new double[0], 1, 1);
                    double[] count = new double[1];
                    return (block, row, contribution) -> {
                        document.read(block, row);
                        document.weigh(mostTokens, weight);
                        for (int i = 0; i < document.words(); i++) {
                            count[0] = document.count(i);
                            contribution.addAll(document.wordId(i), count, 0, 1);
                        }
                    };
                }
            };
        }

        @Override
        public double[] hyperParameters(NoisySum released) {
            double[] sums = released.value();
            double noise = released.noiseStandardDeviation();
            double expected = total(sums, 0, 1, noise) / words();
            double[] frequencies = new double[words()];
            double sum = 0;
            for (int w = 0; w < frequencies.length; w++) {
                frequencies[w] = shrink.denoiser().mean(sums[w], expected, noise) + FLOOR * expected;
                sum += frequencies[w];
            }
            for (int w = 0; w < frequencies.length; w++) {
                frequencies[w] /= sum;
            }
            return frequencies;
        }
    }

    /** Σ_w of every {@code stride}-th number from {@code first} on, but not less than noise alone may make it. */
    private double total(double[] sums, int first, int stride, double noise) {
        double sum = 0;
        for (int i = first; i < sums.length; i += stride) {
            sum += sums[i];
        }
        return Math.max(sum, LEAST_TOTAL * noise * Math.sqrt(words()) + 1);
    }

    // ---- topics ----------------------------------------------------------------------------------------------------

    /** Flat random topics around the frequencies of words: what tells topics apart must come from documents. */
    @Override
    public ScaledDirichletPosterior start(double[] hyperParameters, RandomStream random) {
        double shape = shrinks() ? START_SHAPE : PLAIN_START_SHAPE;
        double[] counts = new double[statisticsDimension()];
        for (int i = 0; i < counts.length; i++) {
            double frequency = shrinks() ? hyperParameters[i % words()] * words() : 1;
            counts[i] = Math.max(Double.MIN_NORMAL, frequency * random.gamma(shape) / shape);
        }
        return ScaledDirichletPosterior.dirichlets(topicNames(), vocabulary, counts);
    }

    @Override
    public void repair(double[] statistics) {
        if (!shrinks()) {
            for (int i = 0; i < statistics.length; i++) {
                statistics[i] = Math.max(0, statistics[i]);
            }
        }
    }

    @Override
    public ScaledDirichletPosterior posterior(double[] statistics, double noise, double[] hyperParameters) {
        double[] shape = new double[statistics.length];
        double[] rate = new double[statistics.length];
        for (int k = 0; k < topics; k++) {
            double total = total(statistics, k, topics, noise);
            for (int w = 0; w < words(); w++) {
                double sum = statistics[w * topics + k];
                double mean = eta + Math.max(0, sum);
                double excess = 0;
                if (repair instanceof NoiseRepair.Shrink shrink) {
                    double expected = total * hyperParameters[w];
                    mean = shrink.denoiser().mean(sum, expected, noise) + FLOOR * expected;
                    excess = shrink.denoiser().variance(sum, expected, noise);
                }
                rate[k * words() + w] = mean / (mean + excess);
                shape[k * words() + w] = mean * rate[k * words() + w];
            }
        }
        return new ScaledDirichletPosterior(topicNames(), vocabulary, shape, rate);
    }

    private List<String> topicNames() {
        return IntStream.rangeClosed(1, topics).mapToObj(k -> "topic-" + k).toList();
    }

    // ---- what it is good for ---------------------------------------------------------------------------------------

    private ScaledDirichletPosterior topicsOf(Posterior posterior) {
        ScaledDirichletPosterior fitted = (ScaledDirichletPosterior) posterior;
        if (fitted.groups().size() != topics || !fitted.categories().equals(vocabulary)) {
            throw new IllegalArgumentException("the posterior is not one of these topics over these words");
        }
        return fitted;
    }

    @Override
    public List<String> descriptionNames() {
        return topicNames();
    }

    /** Expected proportions of topics in a document, from its raw counts and the mean of β. */
    @Override
    public Describer describer(Posterior posterior) {
        return describer(byWord(topicsOf(posterior).mean()));
    }

    private Describer describer(double[] wordTopics) {
        DocumentTopics document = new DocumentTopics(topics, alpha, wordTopics, DESCRIBING_ROUNDS, 1e-9);
        return (block, row, description) -> {
            document.read(block, row);
            document.infer();
            document.proportions(description);
        };
    }

    /**
     * {@code perplexity}: by document completion ({@link TopicPerplexity}); {@code perplexityUnigram}: of words drawn
     * independently with the frequencies of the observed halves; {@code perplexityBound}: exp(−Σ_d bound_d / tokens) of
     * whole documents, with β at its mean ({@link DocumentTopics#bound}).
     */
    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        double[] wordTopics = byWord(topicsOf(posterior).mean());
        TopicPerplexity perplexity = TopicPerplexity.on(records);
        Map<String, Double> scores = new LinkedHashMap<>();
        scores.put("perplexity", perplexity.of(topics, wordTopics, describer(wordTopics)::describe));
        scores.put("perplexityUnigram", perplexity.ofUnigram(perplexity.observedFrequencies()));
        scores.put("perplexityBound", boundPerplexity(wordTopics, records));
        return scores;
    }

    private double boundPerplexity(double[] wordTopics, List<RecordBlock> records) {
        DocumentTopics document = new DocumentTopics(topics, alpha, wordTopics, DESCRIBING_ROUNDS, 1e-9);
        double bound = 0;
        double tokens = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                document.read(block, row);
                document.infer();
                bound += document.bound();
                tokens += document.total();
            }
        }
        return Math.exp(-bound / tokens);
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        ScaledDirichletPosterior fitted = topicsOf(posterior);
        double[] means = fitted.mean();
        double[] counts = fitted.groupCounts();
        double all = Arrays.stream(counts).sum();
        List<Finding.Group> groups = IntStream.range(0, topics)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer k) -> -counts[k]))
                .map(k -> new Finding.Group(fitted.groups().get(k), counts[k] / all, best(fitted, means, k)))
                .toList();
        return List.of(new Finding.WordGroups(
                "Topics",
                "Each topic is a distribution over the words of the vocabulary. Its share is its part of all weighted"
                        + " words. Intervals count sampling and privacy noise, not that other topics might explain the"
                        + " documents as well.",
                groups));
    }

    private List<Finding.WeightedWord> best(ScaledDirichletPosterior fitted, double[] means, int k) {
        int first = k * words();
        return IntStream.range(first, first + words())
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -means[i]))
                .limit(WORDS_SHOWN)
                .map(i -> new Finding.WeightedWord(
                        vocabulary.get(i - first), means[i], fitted.quantile(i, 0.05), fitted.quantile(i, 0.95)))
                .toList();
    }
}
