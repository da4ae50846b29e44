package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Without noise, a table as small as a clinic's (300 patients, 11 columns) gives what maximum likelihood gives, and columns that
 * have nothing to do with the target pull no effect towards 0.
 */
class SmallTableTest {
    private static final int ROWS = 300;
    private static final int NUMBERS = 6;
    private static final int COLUMNS = 11;
    private static final int IRRELEVANT = 20;

    /** Log odds ratios for a standard deviation of a number, or for a level. */
    private static final double[] EFFECTS = {-1.2, 0.7, -0.9, 0.6, 0.3, -0.3, 0.4, -0.5, 0.2, 0.1, -0.2};

    /** Of the numbers, in natural units: age, ejection fraction, creatinine, sodium, platelets, enzymes. */
    private static final double[][] MEAN_AND_DEVIATION = {
        {61, 12}, {38, 12}, {1.4, 0.6}, {137, 4}, {263, 98}, {580, 300}
    };

    private static final class Patients {
        private final double[] x;
        private final double[] y;
        private final int rows;
        private final GlmDesign design;
        private final int columns;

        Patients(long seed, int irrelevant) {
            this(seed, irrelevant, ROWS);
        }

        Patients(long seed, int irrelevant, int rows) {
            this.rows = rows;
            this.y = new double[rows];
            RandomStream random = RandomStream.ofSeed(seed);
            RandomStream more = RandomStream.ofSeed(1000 + seed);
            columns = 1 + COLUMNS + irrelevant;
            x = new double[rows * columns];
            for (int r = 0; r < rows; r++) {
                double eta = EFFECTS[0];
                x[r * columns] = 1;
                for (int j = 0; j < COLUMNS; j++) {
                    double z =
                            j < NUMBERS ? Math.max(-3, Math.min(3, random.normal())) : random.uniform() < 0.4 ? 1 : 0;
                    eta += z * EFFECTS[j == 0 ? 1 : j];
                    x[r * columns + 1 + j] = j < NUMBERS ? MEAN_AND_DEVIATION[j][0] + z * MEAN_AND_DEVIATION[j][1] : z;
                }
                y[r] = random.uniform() < SpecialFunctions.sigmoid(eta) ? 1 : 0;
                for (int j = 0; j < irrelevant; j++) {
                    x[r * columns + 1 + COLUMNS + j] = more.uniform();
                }
            }
            List<GlmColumn> all = new ArrayList<>(List.of(GlmColumn.intercept("1")));
            for (int j = 0; j < COLUMNS; j++) {
                double[] unit = j < NUMBERS ? MEAN_AND_DEVIATION[j] : new double[2];
                all.add(
                        j < NUMBERS
                                ? GlmColumn.number("x" + j, unit[0] - 4 * unit[1], unit[0] + 4 * unit[1])
                                : GlmColumn.level("f" + j + "=yes", j - NUMBERS));
            }
            for (int j = 0; j < irrelevant; j++) {
                all.add(GlmColumn.number("u" + j, 0, 1));
            }
            design = GlmDesign.of(all);
        }

        double[] fitted() {
            return result().posterior().mean();
        }

        double[] priorDeviations() {
            return result().prior().standardDeviation();
        }

        private PrivateLikelihood.Result result() {
            GlmModel model = new GlmModel(design, GlmFamilies.named("bernoulli"), 0, 0, GlmPrior.standard());
            return GlmRuns.withoutNoise(model, x, y).posterior(GlmPrior.standard());
        }

        /** Newton's method; the estimates, then their standard errors. */
        double[][] maximumLikelihood() {
            double[] theta = new double[columns];
            double[] inverse = new double[columns * columns];
            for (int step = 0; step < 30; step++) {
                double[] gradient = new double[columns];
                Arrays.fill(inverse, 0);
                for (int r = 0; r < rows; r++) {
                    double eta = 0;
                    for (int j = 0; j < columns; j++) {
                        eta += theta[j] * x[r * columns + j];
                    }
                    double p = SpecialFunctions.sigmoid(eta);
                    for (int j = 0; j < columns; j++) {
                        gradient[j] += (y[r] - p) * x[r * columns + j];
                        for (int k = 0; k < columns; k++) {
                            inverse[j * columns + k] += p * (1 - p) * x[r * columns + j] * x[r * columns + k];
                        }
                    }
                }
                assertThat(LinearAlgebra.best().invert(columns, inverse)).isTrue();
                double[] move = new double[columns];
                LinearAlgebra.best().multiplyVector(false, columns, columns, 1, inverse, gradient, 0, move);
                for (int j = 0; j < columns; j++) {
                    theta[j] += move[j];
                }
            }
            double[] errors = new double[columns];
            for (int j = 0; j < columns; j++) {
                errors[j] = Math.sqrt(inverse[j * columns + j]);
            }
            return new double[][] {theta, errors};
        }
    }

    @Test
    void withoutNoiseItIsNearMaximumLikelihood() {
        for (int seed = 1; seed <= 2; seed++) {
            Patients patients = new Patients(seed, 0);
            double[][] likelihood = patients.maximumLikelihood();
            double[] fitted = patients.fitted();
            for (int j = 0; j < fitted.length; j++) {
                assertThat(fitted[j])
                        .as("seed %d, column %d", seed, j)
                        .isCloseTo(likelihood[0][j], within(0.3 * likelihood[1][j]));
            }
        }
    }

    /**
     * The prior is normal(0, 2.5) for a standard deviation of the column however many columns there are; what is taken for the standard
     * deviation falls by up to a fifth beside columns that fill their bounds, because spreads of all columns are clipped together.
     */
    @Test
    void thePriorDoesNotGrowWithTheNumberOfColumns() {
        double[] alone = new Patients(1, 0).priorDeviations();
        double[] beside = new Patients(1, IRRELEVANT).priorDeviations();
        for (int j = 1; j <= COLUMNS; j++) {
            assertThat(beside[j] / alone[j]).as("column %d", j).isBetween(0.8, 1.25);
        }
    }

    /**
     * On 300 rows maximum likelihood itself moves when 20 columns that have nothing to do with the target are added, by up to 0.2 of a
     * log odds ratio for a standard deviation: 31 columns explain more of 300 rows than 11, so all effects move outwards. What can hold,
     * and does, is that the prior adds next to nothing to that: no effect is pulled towards 0 by more than 0.1 from where maximum
     * likelihood puts it, with the columns or without.
     */
    @Test
    void irrelevantColumnsDoNotStrengthenThePrior() {
        for (int irrelevant : new int[] {0, IRRELEVANT}) {
            Patients patients = new Patients(1, irrelevant);
            double[] fitted = patients.fitted();
            double[] likelihood = patients.maximumLikelihood()[0];
            for (int j = 1; j <= COLUMNS; j++) {
                double outwards = Math.signum(likelihood[j]) * unit(j) * (fitted[j] - likelihood[j]);
                assertThat(outwards).as("column %d beside %d", j, irrelevant).isGreaterThan(-0.1);
            }
        }
    }

    /** With ten times the rows there is room for 31 columns, and 20 irrelevant ones move no effect by a tenth of a log odds ratio. */
    @Test
    void onMoreRowsIrrelevantColumnsMoveNothing() {
        double[] alone = new Patients(1, 0, 10 * ROWS).fitted();
        double[] beside = new Patients(1, IRRELEVANT, 10 * ROWS).fitted();
        for (int j = 1; j <= COLUMNS; j++) {
            assertThat(unit(j) * beside[j]).as("column %d", j).isCloseTo(unit(j) * alone[j], within(0.1));
        }
    }

    /** A standard deviation of a number; a level counts as it is. */
    private static double unit(int j) {
        return j <= NUMBERS ? MEAN_AND_DEVIATION[j - 1][1] : 1;
    }
}
