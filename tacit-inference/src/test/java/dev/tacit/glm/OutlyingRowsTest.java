package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Without noise the posterior is the one of the table itself, also where the twin is no likeness of it: records with a level of
 * their own, which the twin has no row of, and columns with long tails, whose outlying rows it does not have either.
 */
class OutlyingRowsTest {
    private static final int ROWS = 3000;
    private static final int NUMBERS = 4;
    private static final int FACTORS = 3;

    /** Each factor has a level that two fifths of the records have, and one that a single record has. */
    private static final int COLUMNS = 1 + NUMBERS + 2 * FACTORS;

    private static final double HIGH = 150;
    private static final double[] EFFECTS = {-1.5, 0.5, -0.4, 0.3, 0.4, 0.5, 0, -0.6, 1, 0.2, -1};

    private final double[] x = new double[ROWS * COLUMNS];
    private final double[] y = new double[ROWS];
    private final GlmDesign design;

    OutlyingRowsTest() {
        RandomStream random = RandomStream.ofSeed(7);
        for (int r = 0; r < ROWS; r++) {
            int at = r * COLUMNS;
            x[at] = 1;
            double eta = EFFECTS[0];
            for (int j = 1; j <= NUMBERS; j++) {
                double number = Math.min(HIGH, 5 * Math.exp(1.1 * random.normal()));
                x[at + j] = number;
                eta += EFFECTS[j] * (Math.log(number / 5) / 1.1);
            }
            for (int f = 0; f < FACTORS; f++) {
                int common = 1 + NUMBERS + 2 * f;
                boolean rare = r == 1000 * f + 17;
                boolean drawn = random.uniform() < 0.4;
                if (rare || drawn) {
                    x[at + (rare ? common + 1 : common)] = 1;
                    eta += EFFECTS[rare ? common + 1 : common];
                }
            }
            y[r] = random.uniform() < SpecialFunctions.sigmoid(eta) ? 1 : 0;
        }
        List<GlmColumn> columns = new ArrayList<>(List.of(GlmColumn.intercept("1")));
        for (int j = 1; j <= NUMBERS; j++) {
            columns.add(GlmColumn.number("x" + j, 0, HIGH));
        }
        for (int f = 0; f < FACTORS; f++) {
            columns.add(GlmColumn.level("f" + f + "=common", f));
            columns.add(GlmColumn.level("f" + f + "=rare", f));
        }
        design = GlmDesign.of(columns);
    }

    /** Newton's method with the same prior; the mode, then its deviations. */
    private double[][] exact(Standardisation standard) {
        double[] precision = new double[COLUMNS];
        double[] centre = new double[COLUMNS];
        double[] scale = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            boolean number = j > 0 && j <= NUMBERS;
            precision[j] = j == 0 ? 1 / 25.0 : 1 / 6.25;
            centre[j] = number ? standard.centre()[j - 1] : 0;
            scale[j] = number ? standard.scale()[j - 1] : 1;
        }
        double[] theta = new double[COLUMNS];
        double[] inverse = new double[COLUMNS * COLUMNS];
        double[] z = new double[COLUMNS];
        for (int step = 0; step < 30; step++) {
            double[] gradient = new double[COLUMNS];
            java.util.Arrays.fill(inverse, 0);
            for (int j = 0; j < COLUMNS; j++) {
                gradient[j] = -precision[j] * theta[j];
                inverse[j * COLUMNS + j] = precision[j];
            }
            for (int r = 0; r < ROWS; r++) {
                double eta = 0;
                for (int j = 0; j < COLUMNS; j++) {
                    z[j] = (x[r * COLUMNS + j] - centre[j]) / scale[j];
                    eta += theta[j] * z[j];
                }
                double p = SpecialFunctions.sigmoid(eta);
                for (int j = 0; j < COLUMNS; j++) {
                    gradient[j] += (y[r] - p) * z[j];
                    for (int k = 0; k < COLUMNS; k++) {
                        inverse[j * COLUMNS + k] += p * (1 - p) * z[j] * z[k];
                    }
                }
            }
            assertThat(LinearAlgebra.best().invert(COLUMNS, inverse)).isTrue();
            double[] move = new double[COLUMNS];
            LinearAlgebra.best().multiplyVector(false, COLUMNS, COLUMNS, 1, inverse, gradient, 0, move);
            for (int j = 0; j < COLUMNS; j++) {
                theta[j] += move[j];
            }
        }
        double[] deviation = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            deviation[j] = Math.sqrt(inverse[j * COLUMNS + j]) / scale[j];
            theta[j] /= scale[j];
        }
        return new double[][] {theta, deviation};
    }

    /** Levels of single records are left out: they are separated, so what is printed are the quantiles of their profile. */
    @Test
    void withoutNoiseItIsThePosteriorOfTheTable() {
        GlmModel model = new GlmModel(design, GlmFamilies.named("bernoulli"), 0, 0, GlmPrior.standard());
        PrivateLikelihood likelihood = GlmRuns.withoutNoise(model, x, y);
        PrivateLikelihood.Result result = likelihood.posterior(GlmPrior.standard());
        double[][] exact = exact(likelihood.standardisation());
        for (int j = 1; j < COLUMNS; j++) {
            if (j > NUMBERS && (j - NUMBERS) % 2 == 0) {
                continue;
            }
            assertThat(result.posterior().mean()[j])
                    .as("column %d", j)
                    .isCloseTo(exact[0][j], within(0.02 * exact[1][j]));
            assertThat(result.posterior().standardDeviation()[j])
                    .as("column %d", j)
                    .isCloseTo(exact[1][j], within(0.01 * exact[1][j]));
        }
    }
}
