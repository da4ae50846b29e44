package dev.tacit.experiments.noiseaware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The coordinates of the published pairs against their likelihoods, written out. */
class PublishedPairTest {
    private static final double STEP = 1e-5;

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

    /** At the truth the gradients of 5,000 records sum to nothing but sampling: 6 standard deviations. Seed 9. */
    @ParameterizedTest
    @EnumSource(PublishedPair.class)
    void truthsAreInTheSameCoordinates(PublishedPair pair) {
        CoverageTask.Table table = pair.task().simulate(RandomStream.ofSeed(9));
        double[] truth = pair.truth(table.truth());
        double[] sum = new double[truth.length];
        double[] squares = new double[truth.length];
        for (int row = 0; row < CoverageTask.RECORDS; row++) {
            double label = table.records().label(row);
            for (int j = 0; j < truth.length; j++) {
                double[] up = truth.clone();
                double[] down = truth.clone();
                up[j] += STEP;
                down[j] -= STEP;
                double slope = (logLikelihood(pair, up, label) - logLikelihood(pair, down, label)) / (2 * STEP);
                sum[j] += slope;
                squares[j] += slope * slope;
            }
        }
        for (int j = 0; j < truth.length; j++) {
            assertThat(Math.abs(sum[j])).isLessThan(6 * Math.sqrt(squares[j]));
            assertThat(pair.deviations(table)[j]).isBetween(0.005, 0.2);
        }
    }
}
