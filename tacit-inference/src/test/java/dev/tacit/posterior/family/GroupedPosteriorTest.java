package dev.tacit.posterior.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupedPosteriorTest {
    private static GroupedPosterior posterior() {
        double[] values = {0.1, 0.2, 0.4, 0.8};
        double[] weights = {0.1, 0.4, 0.3, 0.2};
        return new GroupedPosterior(
                new GaussianPosterior(List.of("b", "g[1]", "sd(g)"), new double[] {1, -0.5, 0}, new double[] {
                    0.04, 0, 0, 0, 0.09, -0.15, 0, -0.15, 1
                }),
                List.of(new GroupedPosterior.Deviation(1, 0, values, weights)));
    }

    @Test
    void quantilesOfTheDeviationAreThoseOfItsGrid() {
        GroupedPosterior posterior = posterior();
        assertThat(posterior.quantile(2, 0.1)).isCloseTo(0.1 * Math.sqrt(2), within(1e-12));
        assertThat(posterior.quantile(2, 0.3)).isCloseTo(0.2, within(1e-12));
        assertThat(posterior.quantile(2, 0.5)).isCloseTo(0.2 * Math.sqrt(2), within(1e-12));
        GroupedPosterior.Deviation deviation = posterior.deviations().get(0);
        for (double probability : new double[] {0.01, 0.2, 0.5, 0.77, 0.999}) {
            assertThat(deviation.probability(deviation.quantile(probability))).isCloseTo(probability, within(1e-12));
        }
        assertThat(posterior.quantile(1, 0.5)).isEqualTo(-0.5);
    }

    /** 40 000 draws: six standard errors, exceeded with probability below 1e-8. */
    @Test
    void drawsHaveTheMomentsAndTheDependence() {
        GroupedPosterior posterior = posterior();
        RandomStream random = RandomStream.ofSeed(1);
        double[] draw = new double[3];
        int draws = 40_000;
        double sum = 0;
        double squares = 0;
        double low = 0;
        double lowCount = 0;
        for (int i = 0; i < draws; i++) {
            posterior.sample(random, draw);
            sum += draw[2];
            squares += draw[2] * draw[2];
            if (draw[2] < 0.2) {
                low += draw[1];
                lowCount++;
            }
        }
        double sd = posterior.standardDeviation()[2];
        assertThat(sum / draws).isCloseTo(posterior.mean()[2], within(6 * sd / Math.sqrt(draws)));
        assertThat(squares / draws)
                .isCloseTo(posterior.deviations().get(0).meanSquare(), within(6 * 0.3 / Math.sqrt(draws)));
        assertThat(low / lowCount).isGreaterThan(-0.5 + 0.1);
    }

    @Test
    void densityIntegratesToTheProbabilityOfACell() {
        GroupedPosterior posterior = posterior();
        double sum = 0;
        double from = 0.2 / Math.sqrt(2);
        double to = 0.2 * Math.sqrt(2);
        int steps = 400;
        for (int k = 0; k < steps; k++) {
            double sd = from + (k + 0.5) / steps * (to - from);
            for (int i = -60; i <= 60; i++) {
                double effect = -0.5 + i * 0.03;
                sum += Math.exp(posterior.logDensity(new double[] {1, effect, sd}))
                        * Math.sqrt(2 * Math.PI)
                        * 0.2
                        * 0.03
                        * (to - from)
                        / steps;
            }
        }
        assertThat(sum).isCloseTo(0.4, within(1e-3));
        assertThat(posterior.logDensity(new double[] {1, 0, 5})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(posterior.logDensity(new double[] {1, 0, -1})).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void aStretchedOneIsWiderAroundTheSameMedians() {
        GroupedPosterior posterior = posterior();
        GroupedPosterior wider = posterior.stretched(new double[] {1, 2, 1.5});
        assertThat(wider.quantile(1, 0.9) + 0.5).isCloseTo(2 * (posterior.quantile(1, 0.9) + 0.5), within(1e-12));
        assertThat(wider.quantile(2, 0.5)).isCloseTo(posterior.quantile(2, 0.5), within(1e-12));
        assertThat(Math.log(wider.quantile(2, 0.9) / wider.quantile(2, 0.1)))
                .isCloseTo(1.5 * Math.log(posterior.quantile(2, 0.9) / posterior.quantile(2, 0.1)), within(1e-12));
    }

    @Test
    void isReadBackBitForBit() {
        GroupedPosterior posterior = posterior();
        Posterior read = PosteriorJson.read(PosteriorJson.write(posterior));
        assertThat(read).isInstanceOf(GroupedPosterior.class);
        assertThat(PosteriorJson.write(read)).isEqualTo(PosteriorJson.write(posterior));
        assertThatThrownBy(() -> PosteriorJson.read(
                        PosteriorJson.write(posterior).replace("\"firstEffect\":1", "\"firstEffect\":7")))
                .hasMessageContaining("is not a posterior");
    }
}
