package dev.tacit.model.topics;

import static dev.tacit.numerics.Golden.number;
import static dev.tacit.numerics.Golden.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.model.prediction.Finding;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

public class LatentDirichletAllocationTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/model/lda-step.json");
    private static final long SEED = 12;

    private static List<String> words(int count) {
        return IntStream.range(0, count).mapToObj(w -> "w" + w).toList();
    }

    static LatentDirichletAllocation exact(int words, int topics) {
        return new LatentDirichletAllocation(
                words(words),
                topics,
                1.0 / topics,
                1.0 / topics,
                WordWeight.RAW,
                1e6,
                1,
                new LatentDirichletAllocation.NoiseRepair.ClampAtZero(),
                2000,
                1e-15);
    }

    /** One document: words 0, 2, 3 with the golden counts. */
    private static RecordBlock goldenDocument() {
        return SparseBlock.of(1, 4, new int[] {0, 3}, new int[] {0, 2, 3}, numbers(GOLDEN, "counts"), null);
    }

    private static NoisySum release(RecordBlock block, ContributionSum query, double l2Bound) {
        PrivateDataset data = LocalSummation.dataset(
                new RecordsInMemory(block.columns(), false, List.of(block), null),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                block.rows(),
                1);
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        return data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(SEED))
                .release(query, l2Bound);
    }

    /** With next to no noise: runs without any do not clip. */
    private static double[] clipped(RecordBlock block, ContributionSum query, double l2Bound) {
        PrivateDataset data = data((SparseBlock) block);
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        try {
            return data.open(
                            RunRequest.of("test", plan),
                            new DiscreteGaussianMechanism(1e-6),
                            Runs.ledger(data, plan, 1e-6),
                            ReplayNoise.ofSeed(SEED))
                    .release(query, l2Bound)
                    .value();
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theLocalStepIsTheGoldenFixedPoint() {
        LatentDirichletAllocation model = exact(4, 3);
        ScaledDirichletPosterior topics = ScaledDirichletPosterior.dirichlets(
                List.of("topic-1", "topic-2", "topic-3"), words(4), numbers(GOLDEN, "lambda"));
        double[] meanLogs = topics.meanLogarithm();
        for (int i = 0; i < 12; i++) {
            assertThat(meanLogs[i]).isCloseTo(numbers(GOLDEN, "Elogbeta")[i], within(1e-12));
        }
        double[] wordTopics = new double[12];
        for (int i = 0; i < 12; i++) {
            wordTopics[(i % 4) * 3 + i / 4] = Math.exp(meanLogs[i]);
        }
        DocumentTopics document = new DocumentTopics(3, 1.0 / 3, wordTopics, 2000, 1e-15);
        document.read(goldenDocument(), 0);
        document.infer();
        double[] gamma = numbers(GOLDEN, "gamma_fixed_point");
        for (int k = 0; k < 3; k++) {
            assertThat(document.gamma()[k]).isCloseTo(gamma[k], within(1e-11));
        }
        assertThat(document.bound()).isCloseTo(number(GOLDEN, "doc_bound"), within(1e-10));
        assertThat(Math.exp(-document.bound() / 6)).isCloseTo(number(GOLDEN, "perplexity_doc_only"), within(1e-10));

        double[] expected = numbers(GOLDEN, "sstats_KxV");
        double[] sums =
                release(goldenDocument(), model.expectedStatistics(topics), 1).value();
        double[] clipped = clipped(goldenDocument(), model.expectedStatistics(topics), 1.5);
        double squares = 0;
        for (int i = 0; i < 12; i++) {
            double sum = sums[(i % 4) * 3 + i / 4];
            assertThat(sum).isCloseTo(expected[i], within(1e-6));
            assertThat(clipped[(i % 4) * 3 + i / 4])
                    .isCloseTo(number(GOLDEN, "clip_C1.5_scale") * expected[i], within(1e-4));
            squares += sum * sum;
        }
        assertThat(Math.sqrt(squares)).isCloseTo(number(GOLDEN, "sstats_frobenius"), within(1e-6));
    }

    /** λ ← (1 − ρ) λ + ρ (η + 10 s): averaging sums and adding η gives the paper's average of λ. */
    @Test
    void averagedSumsGiveTheGoldenTopics() {
        LatentDirichletAllocation model = exact(4, 3);
        double rate = number(GOLDEN, "rho");
        double[] lambda = numbers(GOLDEN, "lambda");
        double[] statistics = numbers(GOLDEN, "sstats_KxV");
        double[] average = new double[12];
        for (int i = 0; i < 12; i++) {
            average[(i % 4) * 3 + i / 4] = (1 - rate) * (lambda[i] - 1.0 / 3) + rate * 10 * statistics[i];
        }
        // λ may be below η here, so the average may be negative: no document could make it so
        double[] next = model.posterior(average, 0, new double[0]).counts();
        double[] expected = numbers(GOLDEN, "lambda_next_D10_S1_eta1/3");
        for (int i = 0; i < 12; i++) {
            assertThat(next[i]).isCloseTo(Math.max(1.0 / 3, expected[i]), within(1e-9));
        }
    }

    /** Two topics, four tokens: the bound against the evidence by summing over all sixteen ways to assign topics. */
    @Test
    void theBoundIsBelowTheEvidenceAndCloseToIt() {
        double[] beta = {0.7, 0.1, 0.2, 0.3, 0.1, 0.6}; // word after word, both topics
        int[] tokens = {0, 0, 1, 2};
        double alpha = 0.8;
        double evidence = 0;
        for (int z = 0; z < 16; z++) {
            double likelihood = 1;
            int ones = Integer.bitCount(z);
            for (int i = 0; i < 4; i++) {
                likelihood *= beta[tokens[i] * 2 + (z >> i & 1)];
            }
            evidence += likelihood
                    * Math.exp(SpecialFunctions.logBeta(alpha + 4 - ones, alpha + ones)
                            - SpecialFunctions.logBeta(alpha, alpha));
        }
        DocumentTopics document = new DocumentTopics(2, alpha, beta, 1000, 1e-15);
        RecordBlock block = SparseBlock.of(1, 3, new int[] {0, 3}, new int[] {0, 1, 2}, new double[] {2, 1, 1}, null);
        document.read(block, 0);
        document.infer();
        assertThat(document.bound()).isBetween(Math.log(evidence) - 0.5, Math.log(evidence));

        // and no other γ on a fine grid has a better one
        double best = Double.NEGATIVE_INFINITY;
        for (int i = 1; i < 400; i++) {
            double first = alpha + 4 * i / 400.0;
            best = Math.max(best, boundAt(new double[] {first, 2 * alpha + 4 - first}, beta, alpha));
        }
        assertThat(document.bound()).isCloseTo(best, within(1e-4)).isGreaterThan(best - 1e-12);
    }

    /** The definition of the bound with φ at its best for γ, for the document 0 0 1 2. */
    private static double boundAt(double[] gamma, double[] beta, double alpha) {
        double total = SpecialFunctions.digamma(gamma[0] + gamma[1]);
        double bound = SpecialFunctions.logGamma(2 * alpha) - SpecialFunctions.logGamma(gamma[0] + gamma[1]);
        double[] theta = new double[2];
        for (int k = 0; k < 2; k++) {
            double log = SpecialFunctions.digamma(gamma[k]) - total;
            theta[k] = Math.exp(log);
            bound += (alpha - gamma[k]) * log + SpecialFunctions.logGamma(gamma[k]) - SpecialFunctions.logGamma(alpha);
        }
        double[] counts = {2, 1, 1};
        for (int w = 0; w < 3; w++) {
            bound += counts[w] * Math.log(theta[0] * beta[2 * w] + theta[1] * beta[2 * w + 1]);
        }
        return bound;
    }

    /** Documents of 40 tokens from three topics over disjoint thirds of the vocabulary, with some noise. */
    public static SparseBlock corpus(int documents, int words, RandomStream random) {
        int[] starts = new int[documents + 1];
        int[] columns = new int[documents * words];
        double[] values = new double[documents * words];
        int entries = 0;
        for (int d = 0; d < documents; d++) {
            double[] counts = new double[words];
            int main = random.nextInt(3);
            for (int token = 0; token < 40; token++) {
                int topic = random.uniform() < 0.8 ? main : random.nextInt(3);
                counts[topic * (words / 3) + random.nextInt(words / 3)]++;
            }
            for (int w = 0; w < words; w++) {
                if (counts[w] > 0) {
                    columns[entries] = w;
                    values[entries++] = counts[w];
                }
            }
            starts[d + 1] = entries;
        }
        return SparseBlock.of(
                documents, words, starts, Arrays.copyOf(columns, entries), Arrays.copyOf(values, entries), null);
    }

    private static double evidenceBound(
            LatentDirichletAllocation model, ScaledDirichletPosterior topics, RecordBlock corpus) {
        int words = model.vocabulary().size();
        double[] logs = topics.meanLogarithm();
        double[] lambda = topics.counts();
        double[] wordTopics = new double[logs.length];
        double bound = 0;
        for (int k = 0; k < model.topics(); k++) {
            double sum = 0;
            for (int w = 0; w < words; w++) {
                int i = k * words + w;
                wordTopics[w * model.topics() + k] = Math.exp(logs[i]);
                bound += (model.eta() - lambda[i]) * logs[i]
                        + SpecialFunctions.logGamma(lambda[i])
                        - SpecialFunctions.logGamma(model.eta());
                sum += lambda[i];
            }
            bound += SpecialFunctions.logGamma(words * model.eta()) - SpecialFunctions.logGamma(sum);
        }
        DocumentTopics document = new DocumentTopics(model.topics(), model.alpha(), wordTopics, 2000, 1e-12);
        for (int row = 0; row < corpus.rows(); row++) {
            document.read(corpus, row);
            document.infer();
            bound += document.bound();
        }
        return bound;
    }

    @Test
    void theEvidenceBoundNeverDecreasesWithoutNoise() {
        LatentDirichletAllocation model = exact(12, 3);
        SparseBlock corpus = corpus(150, 12, RandomStream.ofSeed(SEED));
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(12, new SamplingScheme.FullPass(), new StepSchedule.Last()));
        PrivateSession session =
                data(corpus).openNotPrivate(RunRequest.of("test", kernel.plan(model, 150)), ReplayNoise.ofSeed(1));
        PrivateVariationalBayes.State state = kernel.init(model, 150, RandomStream.ofSeed(1));
        double before = Double.NEGATIVE_INFINITY;
        double first = 0;
        for (int step = 0; step < 12; step++) {
            state = kernel.step(state, model, session, RandomStream.ofSeed(step))
                    .state();
            double bound = evidenceBound(model, kernel.posterior(state, model), corpus);
            assertThat(bound).as("step " + step).isGreaterThan(before - 1e-6 * Math.abs(before));
            first = step == 0 ? bound : first;
            before = bound;
        }
        assertThat(before).isGreaterThan(first + 100);
        // each third of the vocabulary is one topic's
        double[] beta = kernel.posterior(state, model).mean();
        for (int k = 0; k < 3; k++) {
            double[] thirds = new double[3];
            for (int w = 0; w < 12; w++) {
                thirds[w / 4] += beta[k * 12 + w];
            }
            assertThat(Arrays.stream(thirds).max().orElseThrow()).isGreaterThan(0.9);
        }
    }

    private static PrivateDataset data(SparseBlock corpus) {
        return LocalSummation.dataset(
                new RecordsInMemory(corpus.columns(), false, List.of(corpus), null),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                corpus.rows(),
                1);
    }

    @Test
    void longDocumentsAreShortenedAndWordsWeighted() {
        DocumentTopics document = new DocumentTopics(1, 1, new double[3], 1, 1);
        RecordBlock block = SparseBlock.of(1, 3, new int[] {0, 2}, new int[] {0, 2}, new double[] {36, 64}, null);
        document.read(block, 0);
        document.weigh(25, WordWeight.SQRT);
        assertThat(document.count(0)).isEqualTo(3);
        assertThat(document.count(1)).isEqualTo(4);
        assertThat(document.total()).isEqualTo(7);
        document.read(block, 0);
        document.weigh(1000, WordWeight.BINARY);
        assertThat(document.total()).isEqualTo(2);
        document.read(block, 0);
        document.weigh(1000, WordWeight.RAW);
        assertThat(document.total()).isEqualTo(100);
    }

    /** Noise that hides everything leaves the frequencies of words, not zeros and not noise. */
    @Test
    void withoutEvidenceTopicsFallBackToTheUnigram() {
        LatentDirichletAllocation model = LatentDirichletAllocation.forPrivacy(words(50), 2);
        double[] unigram = new double[50];
        for (int w = 0; w < 50; w++) {
            unigram[w] = (w + 1) / 1275.0;
        }
        RandomStream random = RandomStream.ofSeed(SEED);
        double noise = 1e4;
        double[] statistics = new double[100];
        for (int i = 0; i < 100; i++) {
            statistics[i] = 10_000 * unigram[i / 2] + noise * random.normal();
        }
        double[] beta = model.posterior(statistics, noise, unigram).mean();
        double[] clamped = statistics.clone();
        double largest = 0;
        double clampedLargest = 0;
        double clampedSum = 0;
        for (int w = 0; w < 50; w++) {
            largest = Math.max(largest, Math.abs(beta[w] - unigram[w]));
            clamped[2 * w] = Math.max(0, clamped[2 * w]);
            clampedSum += clamped[2 * w];
        }
        for (int w = 0; w < 50; w++) {
            clampedLargest = Math.max(clampedLargest, Math.abs(clamped[2 * w] / clampedSum - unigram[w]));
        }
        assertThat(largest).isLessThan(clampedLargest);
        double[] deviations = model.posterior(statistics, noise, unigram).standardDeviation();
        double[] without = model.posterior(statistics, 0, unigram).standardDeviation();
        assertThat(deviations[40]).isGreaterThan(5 * without[40]);
    }

    @Test
    void settingsThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> exact(1, 3)).hasMessageContaining("vocabulary");
        assertThatThrownBy(() -> exact(4, 1)).hasMessageContaining("topics");
        LatentDirichletAllocation model = exact(4, 2);
        ScaledDirichletPosterior other = ScaledDirichletPosterior.dirichlets(
                List.of("topic-1", "topic-2"), words(3), new double[] {1, 1, 1, 1, 1, 1});
        assertThatThrownBy(() -> model.describer(other)).isInstanceOf(IllegalArgumentException.class);
    }

    /** What the model says about documents: proportions that sum to 1, words in order, a perplexity below the unigram's. */
    @Test
    void describesAndScoresDocuments() {
        LatentDirichletAllocation model = exact(12, 3);
        SparseBlock corpus = corpus(100, 12, RandomStream.ofSeed(SEED));
        double[] lambda = new double[36];
        for (int i = 0; i < 36; i++) {
            lambda[i] = i / 12 == i % 12 / 4 ? 100 : 1;
        }
        ScaledDirichletPosterior topics =
                ScaledDirichletPosterior.dirichlets(List.of("topic-1", "topic-2", "topic-3"), words(12), lambda);
        double[] description = new double[3];
        model.describer(topics).describe(corpus, 0, description);
        assertThat(Arrays.stream(description).sum()).isCloseTo(1, within(1e-12));
        Map<String, Double> scores = model.scores(topics, List.of(corpus));
        assertThat(scores.get("perplexity")).isBetween(4.0, 9.0);
        assertThat(scores.get("perplexityUnigram")).isBetween(11.0, 13.0);
        assertThat(scores.get("perplexityBound")).isBetween(4.0, 12.0);
        Finding.WordGroups groups = (Finding.WordGroups) model.findings(topics).get(0);
        assertThat(groups.groups()).hasSize(3);
        Finding.WeightedWord word = groups.groups().get(0).words().get(0);
        assertThat(word.weight()).isBetween(word.lower(), word.upper());
    }
}
