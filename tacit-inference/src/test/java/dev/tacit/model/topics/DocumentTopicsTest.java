package dev.tacit.model.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.SparseBlock;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fast rounds against rounds written as in the description, which never leave a topic out. */
class DocumentTopicsTest {
    private static final long SEED = 4;
    private static final int TOPICS = 50;
    private static final int VOCABULARY = 300;
    private static final int ROUNDS = 100;
    private static final double TOLERANCE = 1e-3;

    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.05, 0.5, 2})
    void leavingTopicsOutChangesNothingThatMatters(double alpha) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] beta = new double[VOCABULARY * TOPICS];
        for (int i = 0; i < beta.length; i++) {
            beta[i] = Math.max(1e-12, random.gamma(0.1));
        }
        DocumentTopics document = new DocumentTopics(TOPICS, alpha, beta, ROUNDS, TOLERANCE);
        double[] statistics = new double[TOPICS];
        // long documents first: the memory of a document must not show in the next
        for (int words : new int[] {200, 70, 65, 9, 3, 1}) {
            int[] columns = IntStream.range(0, words)
                    .map(i -> i * (VOCABULARY / words) + random.nextInt(VOCABULARY / words))
                    .toArray();
            double[] counts = IntStream.range(0, words)
                    .mapToDouble(i -> 1 + random.nextInt(4))
                    .toArray();
            document.read(SparseBlock.of(1, VOCABULARY, new int[] {0, words}, columns, counts, null), 0);
            document.infer();
            Plain plain = new Plain(alpha, beta, columns, counts);
            double sum = 0;
            for (int k = 0; k < TOPICS; k++) {
                assertThat(document.gamma()[k]).isCloseTo(plain.gamma[k], within(2e-4));
            }
            for (int i = 0; i < words; i++) {
                document.statistics(i, statistics);
                for (int k = 0; k < TOPICS; k++) {
                    assertThat(statistics[k]).isCloseTo(plain.statistic(i, k), within(2e-4));
                    sum += statistics[k];
                }
            }
            assertThat(sum).isCloseTo(document.total(), within(1e-9 * document.total()));
        }
    }

    private static final class Plain {
        private final double[] beta;
        private final int[] columns;
        private final double[] counts;
        private final double[] gamma = new double[TOPICS];
        private double[] theta = new double[TOPICS];

        Plain(double alpha, double[] beta, int[] columns, double[] counts) {
            this.beta = beta;
            this.columns = columns;
            this.counts = counts;
            Arrays.fill(gamma, alpha + Arrays.stream(counts).sum() / TOPICS);
            Arrays.fill(theta, 1);
            double change = Double.POSITIVE_INFINITY;
            for (int round = 0; round < ROUNDS && change >= TOLERANCE * TOPICS; round++) {
                double[] next = new double[TOPICS];
                change = 0;
                for (int k = 0; k < TOPICS; k++) {
                    double sum = alpha;
                    for (int i = 0; i < columns.length; i++) {
                        sum += statistic(i, k);
                    }
                    change += Math.abs(sum - gamma[k]);
                    gamma[k] = sum;
                    next[k] = Math.exp(SpecialFunctions.digamma(sum));
                }
                theta = next;
            }
        }

        double statistic(int word, int topic) {
            double norm = 0;
            for (int k = 0; k < TOPICS; k++) {
                norm += theta[k] * beta[columns[word] * TOPICS + k];
            }
            return counts[word] * theta[topic] * beta[columns[word] * TOPICS + topic] / norm;
        }
    }
}
