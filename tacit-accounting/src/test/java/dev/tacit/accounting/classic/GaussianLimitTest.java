package dev.tacit.accounting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianLimitTest {
    /** The column "GDP-CLT" of the accounting research. */
    @ParameterizedTest
    @CsvSource({
        "0.01, 10000, 1, 1e-5, 6.0071",
        "0.001, 100000, 1, 1e-5, 1.6177",
        "0.001, 100000, 5, 1e-5, 0.20908",
        "0.1, 10000, 20, 1e-5, 1.99448",
        "2.5e-5, 16000, 1.24, 1e-4, 0.00438",
    })
    void reproducesPublishedEstimates(double rate, long steps, double multiplier, double delta, double printed) {
        PrivacyEvent event =
                PrivacyEvent.gaussian(multiplier).poissonSampled(rate).times(steps);
        assertThat(estimate(event, delta, Neighbours.ADD_REMOVE))
                .isCloseTo(printed, within(6e-5 * Math.max(1, printed)));
    }

    private static double estimate(PrivacyEvent event, double delta, Neighbours neighbours) {
        return GaussianLimit.epsilon(event, delta, neighbours).orElseThrow().epsilon();
    }

    @Test
    void isNotABound() {
        PrivacyEvent event = PrivacyEvent.gaussian(1).poissonSampled(0.01).times(10_000);
        assertThat(estimate(event, 1e-5, Neighbours.ADD_REMOVE)).isLessThan(6.1877);
        assertThat(PrivacyAccountant.class.isAssignableFrom(GaussianLimit.class))
                .isFalse();
    }

    @Test
    void unsampledGaussianNoiseIsExact() {
        PrivacyEvent event = PrivacyEvent.gaussian(5).times(100);
        assertThat(estimate(event, 1e-5, Neighbours.ADD_REMOVE)).isCloseTo(9.9972561464343, within(1e-10));
    }

    @Test
    void isCloseForManyReleasesAfterAll() {
        for (JsonNode vector : AccountingVectors.group("laplace")) {
            JsonNode part = vector.get("events").get(0);
            if (part.get("steps").asLong() >= 100 && !part.has("q")) {
                PrivacyEvent event = new LaplaceCurves(part.get("b").asDouble())
                        .release()
                        .times(part.get("steps").asLong());
                double truth = AccountingVectors.truth(vector, "eps").doubleValue();
                assertThat(estimate(event, vector.get("delta").asDouble(), Neighbours.ADD_REMOVE))
                        .isCloseTo(truth, within(0.1 * truth));
            }
        }
        PrivacyEvent pure = new PureCurves(0.1).release().times(1000);
        assertThat(estimate(pure, 1e-6, Neighbours.ADD_REMOVE)).isCloseTo(19.34467, within(0.1));
        PrivacyEvent replaced =
                PrivacyEvent.gaussian(10).poissonSampled(0.0819000819000819).times(1000);
        assertThat(estimate(replaced, 1e-5, Neighbours.REPLACE_ONE)).isCloseTo(2.07253, within(0.05));
    }

    @Test
    void saysNothingWhereNoLimitIsKnown() {
        assertThat(GaussianLimit.epsilon(new ZeroConcentratedCurves(1).release(), 1e-5, Neighbours.ADD_REMOVE))
                .isEmpty();
        assertThat(GaussianLimit.epsilon(
                        new LaplaceCurves(1).release().poissonSampled(0.1), 1e-5, Neighbours.ADD_REMOVE))
                .isEmpty();
        assertThat(GaussianLimit.epsilon(PrivacyEvent.gaussian(1).fixedSizeSampled(1, 9), 1e-5, Neighbours.ADD_REMOVE))
                .isEmpty();
        assertThat(GaussianLimit.epsilon(new PrivacyEvent.NotPrivate("leak"), 1e-5, Neighbours.ADD_REMOVE))
                .isEmpty();
        assertThat(GaussianLimit.epsilon(PrivacyEvent.nothing(), 1e-5, Neighbours.ADD_REMOVE)
                        .orElseThrow()
                        .epsilon())
                .isZero();
    }
}
