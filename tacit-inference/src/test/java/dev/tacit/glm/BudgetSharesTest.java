package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.LongRows;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BudgetSharesTest {
    /** Two numbers: B = 3. */
    private static final GlmModel MODEL = new GlmModel(
            GlmDesign.of(List.of(
                    GlmColumn.intercept("1"), GlmColumn.number("age", 0, 100), GlmColumn.number("hours", 0, 100))),
            GlmFamilies.named("bernoulli"),
            0,
            1,
            GlmPrior.standard());

    @Test
    void smallTablesBuyMoreOfTheMoments() {
        assertThat(BudgetShares.of(MODEL, 100_000)).isSameAs(BudgetShares.STANDARD);
        assertThat(BudgetShares.of(MODEL, 3 * 250)).isSameAs(BudgetShares.STANDARD);
        BudgetShares between = BudgetShares.of(MODEL, Math.round(3 * Math.sqrt(250 * 130)));
        assertThat(between.moments()).isCloseTo((0.16 + 0.35) / 2, within(1e-3));
        assertThat(between.curvature()).isCloseTo((0.16 + 0.2) / 2, within(1e-3));
        assertThat(BudgetShares.of(MODEL, 3 * 130)).isEqualTo(BudgetShares.of(MODEL, 10));
        assertThat(BudgetShares.of(MODEL, 10).moments()).isEqualTo(0.35);
    }

    /** Shares are squares of 1/noise, so what is paid for is 1 however it is shared. */
    @Test
    void everyPlanSpendsTheWholeBudget() {
        for (long records : new long[] {1, 400, 600, 5000}) {
            ReleasePlan plan = new PrivateLikelihoodKernel().plan(MODEL, records);
            double spent = plan.phases().stream()
                    .mapToDouble(phase -> 1 / (phase.relativeNoise() * phase.relativeNoise()))
                    .sum();
            assertThat(spent).as("%d records", records).isCloseTo(1, within(1e-12));
        }
    }

    /** Clips follow from the shares, so a stored likelihood keeps those that it was released with. */
    @Test
    void aLikelihoodKeepsItsShares() {
        PrivateLikelihood small = new PrivateLikelihoodKernel()
                .init(MODEL, 400, RandomStream.ofSeed(1))
                .likelihood();
        assertThat(read(small.toJson()).shares()).isEqualTo(BudgetShares.of(MODEL, 400));
        Map<String, Object> earlier = new LinkedHashMap<>(small.toJson());
        earlier.remove("shares");
        assertThat(read(earlier).shares()).isEqualTo(BudgetShares.STANDARD);
        PrivateLikelihood large = PrivateLikelihood.none(MODEL, 5000, LongRows.RESTORED, BudgetShares.STANDARD);
        assertThat(large.toJson()).doesNotContainKey("shares");
        earlier.put("shares", Map.of("moments", 0.9, "curvature", 0.2));
        assertThatThrownBy(() -> read(earlier)).hasMessageContaining("must be shares of a budget");
    }

    private static PrivateLikelihood read(Map<String, Object> json) {
        return PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(json)), "likelihood"));
    }
}
