package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.PoissonRegression;
import dev.tacit.model.regression.SoftmaxRegression;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mirrored draws: what they are, and that a gradient over them is the one over all of them written down. Seeds are fixed. */
class NormalDrawsTest {
    @Test
    void evenNumbersComeInPairsThatCancel() {
        NormalDraws draws = NormalDraws.inPairs(RandomStream.ofSeed(3), 2, 6);

        assertThat(draws.mirrored()).isTrue();
        assertThat(draws.count()).isEqualTo(6);
        double[] written = draws.written();
        assertThat(written).hasSize(12).startsWith(draws.numbers());
        for (int at = 0; at < 6; at++) {
            assertThat(written[6 + at]).isEqualTo(-written[at]);
        }
    }

    @Test
    void oddNumbersAreIndependent() {
        NormalDraws draws = NormalDraws.inPairs(RandomStream.ofSeed(3), 2, 5);

        assertThat(draws.mirrored()).isFalse();
        assertThat(draws.count()).isEqualTo(5);
        assertThat(draws.written()).hasSize(10).isEqualTo(draws.numbers());
    }

    /** In the door's own form, predictor by predictor, and with whole gradients. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 7})
    void pairsGiveTheGradientOfAllDrawsWrittenDown(int pairs) {
        double[] values = {0.7, 0, -1.1, 0.4, 0.2, 0.9};
        DenseBlock block = DenseBlock.of(2, 3, values, new double[] {1, 0});
        for (DifferentiableModel model : List.of(
                new LogisticRegression(Runs.names(3), 2, 1),
                new PoissonRegression(Runs.names(3), 2, 1, 4),
                new SoftmaxRegression(Runs.names(3), List.of("a", "b", "c"), 2, 1),
                Runs.wholeGradients(new LogisticRegression(Runs.names(3), 2, 1)))) {
            int d = model.dimension();
            RandomStream random = RandomStream.ofSeed(5);
            double[] noise = new double[pairs * d];
            random.fillNormal(noise);
            double[] means = new double[d];
            random.fillNormal(means);
            double[] scales = DoubleStream.generate(random::uniform).limit(d).toArray();
            double[] slopes = DoubleStream.generate(random::uniform).limit(d).toArray();

            double[] mirrored =
                    Runs.sum(block, MeanFieldGradient.inPairs(model, means, scales, slopes, noise, 3), 1000);

            double[] all = NormalDraws.withMirrorImages(noise);
            double[] written = Runs.sum(block, MeanFieldGradient.of(model, means, scales, slopes, all, 3), 1000);
            double[] independent = Runs.sum(block, MeanFieldGradient.of(model, means, scales, slopes, noise, 3), 1000);
            assertThat(mirrored).containsExactly(written, within(1e-8));
            assertThat(Math.abs(mirrored[0] - independent[0])).isGreaterThan(1e-6);
        }
    }

    @Test
    void drawsAreWholeVectors() {
        assertThatThrownBy(() -> new NormalDraws(2, new double[3], false)).isInstanceOf(IllegalArgumentException.class);
    }
}
