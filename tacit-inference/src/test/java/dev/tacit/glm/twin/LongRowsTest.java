package dev.tacit.glm.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.PrivateLikelihood;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.Matrices;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Release 3 weighs long rows down; the twin has them as often as the table, or its curvature is that of another table. */
class LongRowsTest {
    private static final int ROWS = 8000;

    /** An amount that one record in twenty has, beside two ordinary numbers. */
    private static final GlmModel MODEL = new GlmModel(
            GlmDesign.of(List.of(
                    GlmColumn.intercept("1"),
                    GlmColumn.number("age", 0, 100),
                    GlmColumn.number("amount", 0, 10),
                    GlmColumn.number("hours", 0, 100))),
            GlmFamilies.named("bernoulli"),
            0,
            1,
            GlmPrior.standard());

    private static final PrivateLikelihood LIKELIHOOD = likelihood();

    private static PrivateLikelihood likelihood() {
        double[] x = new double[ROWS * 4];
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            x[i * 4] = 1;
            x[i * 4 + 1] = 20 + 60 * GlmRuns.corput(i + 1, 2);
            x[i * 4 + 2] = i % 20 == 0 ? 7 + GlmRuns.corput(i + 1, 5) : 0;
            x[i * 4 + 3] = 10 + 60 * GlmRuns.corput(i + 1, 7);
            y[i] = GlmRuns.corput(i + 1, 3) < (x[i * 4 + 2] > 0 ? 0.5 : 0.3) ? 1 : 0;
        }
        return GlmRuns.privately(MODEL, x, y, 1, 5);
    }

    /** Σ ω z z'/N of the column of amounts on the twin. */
    private static double meanSquare(GlmGeometry geometry) {
        double[] moments = Matrices.congruent(4, geometry.unwhitening, geometry.secondMoments);
        return moments[2 * 4 + 2] / ROWS;
    }

    /** In units of the bought scale the amounts' own mean square is 0.05 · 7.5² − (0.05 · 7.5)² over its square. */
    @Test
    void theTwinHasRareAmountsAsOftenAsTheTable() {
        double scale = LIKELIHOOD.standardisation().scale()[1];
        double truth = (0.05 * (7.5 * 7.5 + 1.0 / 12) - 0.375 * 0.375) / (scale * scale);
        GlmGeometry restored = LIKELIHOOD.geometry();
        GlmGeometry cut = new GlmGeometry(
                MODEL,
                LIKELIHOOD.standardisation(),
                new dev.tacit.glm.model.Standardisation.NoisySums(
                        LIKELIHOOD.moments().value(), LIKELIHOOD.moments().noise()),
                ROWS,
                LongRows.CUT);
        assertThat(meanSquare(restored) / truth).isCloseTo(1, within(0.2));
        assertThat(meanSquare(cut) / truth).isLessThan(0.5);
    }

    /** What was stored before long rows were restored is read as it was released: points are in its own coordinates. */
    @Test
    void anEarlierLikelihoodKeepsItsTwin() {
        Map<String, Object> json = new LinkedHashMap<>(LIKELIHOOD.toJson());
        assertThat(json).containsEntry("longRows", "restored");
        assertThat(read(json).longRows()).isEqualTo(LongRows.RESTORED);
        json.remove("longRows");
        PrivateLikelihood earlier = read(json);
        assertThat(earlier.longRows()).isEqualTo(LongRows.CUT);
        assertThat(earlier.toJson()).doesNotContainKey("longRows");
    }

    private static PrivateLikelihood read(Map<String, Object> json) {
        return PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(json)), "likelihood"));
    }
}
