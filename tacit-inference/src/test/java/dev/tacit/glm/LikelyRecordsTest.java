package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.Rows;
import org.junit.jupiter.api.Test;

/** Twins of a fit look like its records: numbers spread over part of their bounds, levels as often as they occur. */
class LikelyRecordsTest {
    private static final int ROWS = 4000;
    private static final int DRAWN = 20_000;

    /** Uniform rows over the bounds would have mean 50 and deviation 28.9, and the level in half of them. */
    @Test
    void drawnRecordsHaveTheReleasedMoments() {
        GlmModel model = new GlmModel(GlmRuns.design(), GlmFamilies.named("bernoulli"), 0, 0, GlmPrior.standard());
        double[] x = GlmRuns.rows(ROWS);
        for (int r = 0; r < ROWS; r++) {
            x[3 * r + 1] = 10 + x[3 * r + 1] / 4;
        }
        double[] y = new double[ROWS];
        RandomStream random = RandomStream.ofSeed(3);
        for (int r = 0; r < ROWS; r++) {
            y[r] = random.uniform() < SpecialFunctions.sigmoid(-1 + 0.1 * (x[3 * r + 1] - 22)) ? 1 : 0;
        }
        PrivateLikelihood likelihood = GlmRuns.privately(model, x, y, 1, 5);
        double[] parameters = {-3.2, 0.1, 0};
        RecordBlock drawn = new LikelyRecords(model, likelihood).drawRecords(parameters, DRAWN, RandomStream.ofSeed(7));
        double[] sums = new double[5];
        double[] row = new double[3];
        for (int r = 0; r < DRAWN; r++) {
            java.util.Arrays.fill(row, 0);
            Rows.addTo(drawn, r, 1, row, 0);
            assertThat(row[0]).isEqualTo(1);
            assertThat(row[2]).isIn(0.0, 1.0);
            sums[0] += row[1] / DRAWN;
            sums[1] += row[1] * row[1] / DRAWN;
            sums[2] += row[2] / DRAWN;
            sums[3] += drawn.label(r) / DRAWN;
            sums[4] += SpecialFunctions.sigmoid(parameters[0] + parameters[1] * row[1]) / DRAWN;
        }
        assertThat(sums[0]).isCloseTo(22.5, within(1.0));
        assertThat(Math.sqrt(sums[1] - sums[0] * sums[0])).isCloseTo(15 / Math.sqrt(12), within(1.0));
        assertThat(sums[2]).isCloseTo(0.3, within(0.02));
        // five standard deviations of a share: a false alarm has probability below 1e-6
        assertThat(sums[3]).isCloseTo(sums[4], within(5 * 0.5 / Math.sqrt(DRAWN)));
    }
}
