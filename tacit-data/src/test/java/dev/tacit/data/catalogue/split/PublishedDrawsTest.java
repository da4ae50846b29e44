package dev.tacit.data.catalogue.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class PublishedDrawsTest {
    /** Against numpy 1.19.5: an odd number of normals leaves one for later, which a permutation does not touch. */
    @Test
    void drawsAreThoseOfNumpy() {
        PublishedDraws draws = new PublishedDraws(3);
        assertThat(DoubleStream.generate(draws::normal).limit(5).toArray())
                .containsExactly(
                        1.7886284734303186,
                        0.43650985051198943,
                        0.09649746807200862,
                        -1.8634927033644908,
                        -0.27738820251439905);
        assertThat(draws.permutation(7)).containsExactly(3, 2, 1, 5, 4, 0, 6);
        assertThat(draws.normal()).isEqualTo(-0.35475897926898675);
        assertThat(draws.permutation(5)).containsExactly(3, 4, 1, 2, 0);
    }
}
