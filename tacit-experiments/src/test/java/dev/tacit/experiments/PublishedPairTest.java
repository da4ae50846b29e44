package dev.tacit.experiments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.model.DifferentiableModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.privacy.data.RecordBlock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The published pairs against their likelihoods and priors, written out. */
class PublishedPairTest {
    private static double logLikelihood(PublishedPair pair, double[] point, double label) {
        return switch (pair) {
            case COIN -> label * point[0] - SpecialFunctions.softplus(point[0]);
            case DIE -> (label < 2 ? point[(int) label] : 0) - Math.log(1 + Math.exp(point[0]) + Math.exp(point[1]));
            case WAITING -> {
                double rate = SpecialFunctions.softplus(point[0]);
                yield Math.log(rate) - rate * label;
            }
        };
    }

    @ParameterizedTest
    @EnumSource(PublishedPair.class)
    void gradientsAreThoseOfTheDensities(PublishedPair pair) {
        DifferentiableModel model = pair.model();
        RecordBlock block = pair.task().simulate(RandomStream.ofSeed(3)).records();
        int d = model.dimension();
        double[] point = d == 1 ? new double[] {0.7} : new double[] {0.7, -0.4};
        double h = 1e-5;
        double[] prior = new double[d];
        model.logPrior(point, prior);
        for (int row = 0; row < 20; row++) {
            double[] gradient = new double[d];
            model.likelihood().logDensity(block, row, point, gradient);
            for (int j = 0; j < d; j++) {
                double[] up = point.clone();
                double[] down = point.clone();
                up[j] += h;
                down[j] -= h;
                double label = block.label(row);
                assertThat((logLikelihood(pair, up, label) - logLikelihood(pair, down, label)) / (2 * h))
                        .isCloseTo(gradient[j], within(1e-6));
                double[] ignored = new double[d];
                assertThat((model.logPrior(up, ignored) - model.logPrior(down, ignored)) / (2 * h))
                        .isCloseTo(prior[j], within(1e-6));
            }
        }
    }

    /** At the truth the gradients of 5,000 records sum to nothing but sampling: 6 standard deviations. Seed 9. */
    @ParameterizedTest
    @EnumSource(PublishedPair.class)
    void truthsAreInTheSameCoordinates(PublishedPair pair) {
        CoverageTask.Table table = pair.task().simulate(RandomStream.ofSeed(9));
        double[] truth = pair.truth(table.truth());
        double[] sum = new double[truth.length];
        double[] squares = new double[truth.length];
        for (int row = 0; row < CoverageTask.RECORDS; row++) {
            double[] gradient = new double[truth.length];
            pair.model().likelihood().logDensity(table.records(), row, truth, gradient);
            for (int j = 0; j < truth.length; j++) {
                sum[j] += gradient[j];
                squares[j] += gradient[j] * gradient[j];
            }
        }
        for (int j = 0; j < truth.length; j++) {
            assertThat(Math.abs(sum[j])).isLessThan(6 * Math.sqrt(squares[j]));
            assertThat(pair.deviations(table)[j]).isBetween(0.005, 0.2);
        }
    }
}
