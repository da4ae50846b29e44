package dev.tacit.glm.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where noise leaves little of the coefficients, a residual deviation takes in what they have of error: 800 rows of nine correlated
 * columns at epsilon 0.5 and delta 10⁻⁵. Rows, targets and noise follow from seeds, so the test has no false alarms; an interval
 * that covers 0.45, as it did when the coefficients counted as known, passes with probability 0.04.
 */
class ExtraParametersTest {
    private static final int ROWS = 800;
    private static final int NUMBERS = 9;
    private static final int FITS = 4;
    private static final double NOISE = 1 / 0.142211;
    private static final double SIGMA = 2;
    private static final double QUANTILE = 1.6448536269514722;

    private static GlmModel model() {
        List<GlmColumn> columns = new ArrayList<>(List.of(GlmColumn.intercept("1")));
        for (int j = 1; j <= NUMBERS; j++) {
            columns.add(GlmColumn.number("x" + j, -4, 4));
        }
        return new GlmModel(GlmDesign.of(columns), GlmFamilies.named("gaussian"), -20, 20, GlmPrior.standard());
    }

    @Test
    void aResidualDeviationIsNoBetterKnownThanTheCoefficientsAllow() {
        GlmModel model = model();
        int covered = 0;
        for (int seed = 1; seed <= FITS; seed++) {
            RandomStream random = RandomStream.ofSeed(seed);
            double[] x = new double[ROWS * (NUMBERS + 1)];
            double[] y = new double[ROWS];
            for (int r = 0; r < ROWS; r++) {
                double shared = random.normal();
                x[r * (NUMBERS + 1)] = 1;
                y[r] = SIGMA * random.normal();
                for (int j = 1; j <= NUMBERS; j++) {
                    double z = Math.max(-4, Math.min(4, 0.7 * shared + 0.7 * random.normal()));
                    x[r * (NUMBERS + 1) + j] = z;
                    y[r] += (j % 3 - 1) * z;
                }
                y[r] = Math.max(-20, Math.min(20, y[r]));
            }
            Posterior posterior = GlmRuns.privately(model, x, y, NOISE, seed)
                    .posterior(GlmPrior.standard())
                    .posterior();
            double error = posterior.mean()[NUMBERS + 1] - Math.log(SIGMA);
            covered += Math.abs(error) <= QUANTILE * posterior.standardDeviation()[NUMBERS + 1] ? 1 : 0;
        }
        assertThat(covered)
                .as("of %d intervals of the residual deviation", FITS)
                .isEqualTo(FITS);
    }
}
