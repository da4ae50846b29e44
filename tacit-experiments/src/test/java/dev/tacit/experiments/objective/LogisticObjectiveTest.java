package dev.tacit.experiments.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.experiments.MinimumFixtures;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogisticObjectiveTest {
    private static final long SEED = 4_711L;
    private static final int COLUMNS = 5;

    private final Random random = new Random(SEED);
    private final double[][] rows = MinimumFixtures.rows(700, COLUMNS, random);
    private final double[] linearTerm = {3, -2, 0.5, 0, -7};

    private LogisticObjective objective(boolean sparse) {
        return new LogisticObjective(MinimumFixtures.source(rows, 100, sparse), 2, 1.5, linearTerm);
    }

    private double[] point() {
        double[] point = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            point[j] = 2 * random.nextDouble() - 1;
        }
        return point;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void derivativesAreThoseOfFiniteDifferences(boolean sparse) {
        LogisticObjective objective = objective(sparse);
        double[] point = point();
        double[] hessian = new double[COLUMNS * COLUMNS];
        double[] gradient = objective.at(point, hessian).gradient();
        double step = 1e-5;
        for (int j = 0; j < COLUMNS; j++) {
            double[] up = point.clone();
            double[] down = point.clone();
            up[j] += step;
            down[j] -= step;
            LogisticObjective.Value above = objective.at(up, null);
            LogisticObjective.Value below = objective.at(down, null);
            assertThat((above.objective() - below.objective()) / (2 * step)).isCloseTo(gradient[j], within(1e-6));
            for (int i = j; i < COLUMNS; i++) {
                assertThat((above.gradient()[i] - below.gradient()[i]) / (2 * step))
                        .isCloseTo(hessian[i * COLUMNS + j], within(1e-6));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theMinimiserHasNoGradientLeft(boolean sparse) {
        LogisticObjective objective = objective(sparse);
        double[] minimiser = objective.minimiser(1e-9);
        assertThat(objective.at(minimiser, null).gradientNorm()).isLessThanOrEqualTo(1e-9);
        assertThat(objective.gradientError(minimiser)).isLessThan(1e-9);
    }

    /** Separable records, little regularisation and a long linear term: full steps would diverge. */
    @Test
    void theMinimumIsFoundFromFarAway() {
        double[][] far = {{1, 0}, {-1, 0}, {1, 1e-3}, {-1, -1e-3}};
        double[] term = {500, -800};
        LogisticObjective objective = new LogisticObjective(MinimumFixtures.source(far, 2, false), 1, 1e-3, term);
        double[] minimiser = objective.minimiser(1e-7);
        assertThat(objective.at(minimiser, null).gradientNorm()).isLessThanOrEqualTo(1e-7);
    }

    /** Sums of the same records in other blocks differ by less than the bound on rounding. */
    @Test
    void roundingStaysWithinItsBound() {
        double[] point = point();
        double[] one = objective(false).at(point, null).gradient();
        double[] other = new LogisticObjective(MinimumFixtures.source(rows, 14, true), 2, 1.5, linearTerm)
                .at(point, null)
                .gradient();
        double bound = 2 * objective(false).gradientError(point);
        for (int j = 0; j < COLUMNS; j++) {
            assertThat(other[j]).isCloseTo(one[j], within(bound));
        }
    }

    @Test
    void longRowsAreShortenedAndBrokenOnesCountAsZero() {
        double[][] wild = {{300, 400}, {Double.NaN, 1}, {Double.POSITIVE_INFINITY, 0}, {1e200, 0}};
        double[][] tame = {{1.2, 1.6}, {0, 0}, {0, 0}, {0, 0}};
        double[] term = {0.1, 0.2};
        double[] point = {0.7, -0.3};
        LogisticObjective.Value one =
                new LogisticObjective(MinimumFixtures.source(wild, 4, false), 2, 1, term).at(point, null);
        LogisticObjective.Value other =
                new LogisticObjective(MinimumFixtures.source(tame, 4, false), 2, 1, term).at(point, null);
        assertThat(one.objective()).isCloseTo(other.objective(), within(1e-12));
        assertThat(one.gradient()).containsExactly(other.gradient(), within(1e-12));
    }
}
