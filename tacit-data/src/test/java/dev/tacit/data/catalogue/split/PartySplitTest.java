package dev.tacit.data.catalogue.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartySplitTest {
    private static final int ROWS = 24421;
    private static final double ZEROS = 0.7615;

    /** Table 2 of Heikkilä et al. 2023. */
    @ParameterizedTest
    @CsvSource({
        "10, 0, 0, 2442, 2442, 1859",
        "10, 0.75, 0.95, 610, 4273, 602",
        "10, 0.7, -3, 732, 4151, 33",
        "200, 0, 0, 122, 122, 92",
        "200, 0.75, 0.95, 30, 213, 29",
        "200, 0.7, -3, 36, 207, 1"
    })
    void sizesAreThePublishedOnes(int parties, double sizeSkew, double labelSkew, int small, int large, int zeros) {
        PartySplit split = new PartySplit(sizeSkew, labelSkew);
        assertThat(split.smallRows(ROWS, parties)).isEqualTo(small);
        assertThat(split.largeRows(ROWS, parties)).isEqualTo(large);
        assertThat(split.smallZeros(ROWS, parties, ZEROS)).isEqualTo(zeros);
    }

    private static double[] labels() {
        return IntStream.range(0, ROWS).mapToDouble(i -> i % 100 < 76 ? 0 : 1).toArray();
    }

    @ParameterizedTest
    @CsvSource({"10, 0, 0", "10, 0.75, 0.95", "10, 0.7, -3", "200, 0.7, -3"})
    void everyRowIsDealtAtMostOnceAndMixesAreAsAsked(int parties, double sizeSkew, double labelSkew) {
        double[] labels = labels();
        PartySplit split = new PartySplit(sizeSkew, labelSkew);
        List<int[]> dealt = split.deal(labels, parties, 7);
        assertThat(dealt).hasSize(parties);
        int[] all = dealt.stream().flatMapToInt(Arrays::stream).toArray();
        assertThat(Arrays.stream(all).distinct().count()).isEqualTo(all.length);
        assertThat(all.length).isGreaterThan(ROWS - 2 * parties);
        double zeroShare = Arrays.stream(labels).filter(label -> label == 0).count() / (double) ROWS;
        int[] first = dealt.get(0);
        assertThat(first).hasSize(split.smallRows(ROWS, parties));
        assertThat(Arrays.stream(first).filter(row -> labels[row] == 0).count())
                .isEqualTo(split.smallZeros(ROWS, parties, zeroShare));
        assertThat(dealt.get(parties - 1)).hasSize(split.largeRows(ROWS, parties));
        assertThat(split.deal(labels, parties, 7).get(parties - 1)).isEqualTo(dealt.get(parties - 1));
        assertThat(split.deal(labels, parties, 8).get(parties - 1)).isNotEqualTo(dealt.get(parties - 1));
    }

    @Test
    void impossibleSplitsAreRefused() {
        assertThatThrownBy(() -> PartySplit.BALANCED.deal(labels(), 3, 1)).isInstanceOf(IllegalArgumentException.class);
        double[] hardlyAnyZeros = new double[100];
        Arrays.fill(hardlyAnyZeros, 2, 100, 1);
        assertThatThrownBy(() -> PartySplit.UNBALANCED_1.deal(hardlyAnyZeros, 2, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PartySplit(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
