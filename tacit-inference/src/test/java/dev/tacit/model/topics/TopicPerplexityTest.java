package dev.tacit.model.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.query.Rows;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicPerplexityTest {
    private static final int DOCUMENTS = 500;

    /** Words 0 and 1 a hundred times each in every document; word 2 never. */
    private static final RecordBlock SPARSE = sparse();

    private static RecordBlock sparse() {
        int[] starts = new int[DOCUMENTS + 1];
        int[] words = new int[2 * DOCUMENTS];
        double[] counts = new double[2 * DOCUMENTS];
        for (int d = 0; d < DOCUMENTS; d++) {
            starts[d + 1] = 2 * d + 2;
            words[2 * d + 1] = 1;
        }
        Arrays.fill(counts, 100);
        return SparseBlock.of(DOCUMENTS, 3, starts, words, counts, null);
    }

    @Test
    void isTheDefinition() {
        TopicPerplexity perplexity = TopicPerplexity.on(List.of(SPARSE));
        assertThat(perplexity.ofUnigram(new double[] {1, 1, 2})).isCloseTo(4, within(1e-9));
        assertThat(perplexity.ofUnigram(new double[] {2, 2, 2})).isCloseTo(3, within(1e-9));
        // two topics that are words 0 and 1, in equal parts: every word has probability one half
        double[] beta = {1, 0, 0, 1, 0, 0};
        double topics = perplexity.of(2, beta, (block, row, theta) -> Arrays.fill(theta, 0.5));
        assertThat(topics).isCloseTo(2, within(1e-9));
    }

    /**
     * Binomial(100 000, ½) tokens are held out: within 6 standard deviations of 158, probability 2e-9. The observed half
     * is the rest.
     */
    @Test
    void halvesAreHalvesAndTogetherTheWhole() {
        TopicPerplexity perplexity = TopicPerplexity.on(List.of(SPARSE));
        assertThat(perplexity.heldOutTokens()).isBetween(50_000L - 950, 50_000L + 950);
        double[] observed = perplexity.observedFrequencies();
        assertThat(Arrays.stream(observed).sum() - 3 + perplexity.heldOutTokens())
                .isEqualTo(100_000);
        assertThat(observed[2]).isEqualTo(1);
    }

    @Test
    void thetaSeesTheObservedHalfOnly() {
        TopicPerplexity perplexity = TopicPerplexity.on(List.of(SPARSE));
        double[] seen = {0};
        perplexity.of(2, new double[] {1, 0, 0, 1, 1, 1}, (block, row, theta) -> {
            seen[0] += Rows.dot(block, row, new double[] {1, 1, 1}, 0);
            Arrays.fill(theta, 0.5);
        });
        assertThat(seen[0]).isEqualTo(100_000.0 - perplexity.heldOutTokens());
    }

    @Test
    void denseDocumentsAreSplitAlike() {
        double[] values = new double[3 * DOCUMENTS];
        for (int d = 0; d < DOCUMENTS; d++) {
            values[3 * d] = 100;
            values[3 * d + 1] = 100;
        }
        TopicPerplexity dense = TopicPerplexity.on(List.of(DenseBlock.of(DOCUMENTS, 3, values, null)));
        assertThat(dense.observedFrequencies())
                .isEqualTo(TopicPerplexity.on(List.of(SPARSE)).observedFrequencies());
    }
}
