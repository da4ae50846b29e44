package dev.tacit.data.catalogue.split;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.catalogue.entry.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedSplitTest {
    /** The 10 000th number after the reference seed, as the C++ standard requires of mt19937. */
    @Test
    void generatorIsTheReferenceOne() {
        MersenneTwister twister = new MersenneTwister(5489);
        assertThat(Integer.toUnsignedLong(twister.next())).isEqualTo(3499211612L);
        for (int i = 0; i < 9998; i++) {
            twister.next();
        }
        assertThat(Integer.toUnsignedLong(twister.next())).isEqualTo(4123659995L);
    }

    @Test
    void permutationIsTheLegacyOne() {
        assertThat(new MersenneTwister(1).permutation(10)).containsExactly(2, 9, 6, 4, 0, 3, 1, 7, 8, 5);
        assertThat(new MersenneTwister(1).permutation(1)).containsExactly(0);
        assertThat(new MersenneTwister(1).permutation(0)).isEmpty();
    }

    /** SHA-256 of the published lists, one line a split with row numbers between blanks: all 85 splits are equal. */
    @ParameterizedTest
    @CsvSource({
        "11934,20,0eb346dc414506100d92d68788fa5988508510eb685e981ff4318a693ae74e87,"
                + "46775e2e73cc744fab8532830e38998166a0afb32e78e17dce8d8c3017f9a706",
        "8192,20,1f92d1c6f6d35b55854bd968921e8397cc6a3cd0a7ff832b0545c67ebba94249,"
                + "a1053297ab2a4a915655db2a9f2c8d37279c5995c5132bf68f682920a5a97da2",
        "9568,20,6147a263ef2f62dbc40155d171199ec69366a13dd16769842160162a7bbb48e4,"
                + "f16e0bc48c98a6726bb13c9fa096eeec3880ddd906bf4b3736ace033082482bb",
        "1599,20,bc8b2df12eebb82331c4b4ef21ce38b34b1918636c27af8b17cd10a06cc41f43,"
                + "a2f370a4320bf0da06736857591d1f03efc5c32f7213d118e16e0d44c674debb",
        "45730,5,e46bd6e966087470d4801b1dfa4e6f42f21d24bfe42dc902ef9e595e7720cf90,"
                + "f278de35c57cd115b461ad199725c4dfe938d35777b278e205734e633529be37"
    })
    void everyPublishedSplitIsRegenerated(int rows, int splits, String training, String test) throws IOException {
        StringBuilder trainingLists = new StringBuilder();
        StringBuilder testLists = new StringBuilder();
        for (int split = 0; split < splits; split++) {
            PublishedSplit regenerated = PublishedSplit.of(rows, split);
            trainingLists.append(line(regenerated.training()));
            testLists.append(line(regenerated.test()));
        }
        assertThat(sha256(trainingLists)).isEqualTo(training);
        assertThat(sha256(testLists)).isEqualTo(test);
    }

    @Test
    void everyRowIsOnOneSide() {
        PublishedSplit split = PublishedSplit.of(105, 3, 0.8);
        int[] all = IntStream.concat(Arrays.stream(split.training()), Arrays.stream(split.test()))
                .sorted()
                .toArray();
        assertThat(all).isEqualTo(IntStream.range(0, 105).toArray());
        assertThat(split.training()).hasSize(84);
    }

    private static String line(int[] rows) {
        return Arrays.stream(rows).mapToObj(Integer::toString).collect(Collectors.joining(" ", "", "\n"));
    }

    private static String sha256(CharSequence text) throws IOException {
        return Digest.sha256(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Against {@code RandomState(7).permutation(25)}: three rows test, 22 train. */
    @Test
    void seededSplitsAreThoseOfNumpy() {
        PublishedSplit split = PublishedSplit.seeded(25, 7);
        assertThat(split.test()).containsExactly(1, 5, 11);
        assertThat(split.training()).hasSize(22).startsWith(13, 2, 21, 9, 16);
    }
}
