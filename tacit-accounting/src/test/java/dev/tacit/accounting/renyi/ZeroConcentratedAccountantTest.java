package dev.tacit.accounting.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.classic.BasicCompositionAccountant;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.exact.closed.PureClosedForm;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ZeroConcentratedAccountantTest {
    private static final ZeroConcentratedAccountant ZCDP = new ZeroConcentratedAccountant();

    static List<JsonNode> goldenCases() {
        return AccountingVectors.group("zcdp");
    }

    @ParameterizedTest
    @MethodSource("goldenCases")
    void matchesTheGoldenConversionFromAbove(JsonNode vector) {
        PrivacyEvent event = new ZeroConcentratedCurves(vector.get("rho").asDouble()).release();
        double epsilon = ZCDP.epsilon(event, vector.get("delta").asDouble(), Neighbours.ADD_REMOVE)
                .upper();
        BigDecimal truth = AccountingVectors.truth(vector, "eps");
        assertThat(new BigDecimal(epsilon)).isGreaterThanOrEqualTo(truth);
        assertThat(epsilon).isLessThanOrEqualTo(truth.doubleValue() * (1 + 1e-12));
    }

    @Test
    void addsUpAndNeverBeatsTheExactGaussian() {
        PrivacyEvent event =
                PrivacyEvent.gaussian(2).times(3).then(PrivacyEvent.gaussian(5).times(7));
        double shift = Math.sqrt(3.0 / 4 + 7.0 / 25);
        double epsilon = ZCDP.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper();
        assertThat(epsilon).isGreaterThan(GaussianClosedForm.epsilonLower(shift, 1e-6));
        assertThat(epsilon)
                .isEqualTo(
                        new RenyiAccountant()
                                .epsilon(event, 1e-6, Neighbours.ADD_REMOVE)
                                .upper(),
                        within(1e-10));
    }

    @Test
    void samplingDoesNotAmplify() {
        PrivacyEvent release = PrivacyEvent.gaussian(2);
        assertThat(ZCDP.epsilon(release.poissonSampled(0.01), 1e-6, Neighbours.ADD_REMOVE)
                        .upper())
                .isEqualTo(ZCDP.epsilon(release, 1e-6, Neighbours.ADD_REMOVE).upper());
    }

    @Test
    void isAboveTheOptimalCompositionOfPureReleases() {
        for (double each : new double[] {0.01, 0.3, 2}) {
            for (long times : new long[] {1, 10, 400}) {
                double exact = PureClosedForm.epsilonLower(each, times, 1e-6);
                assertThat(ZCDP.epsilon(new PureCurves(each).release().times(times), 1e-6, Neighbours.ADD_REMOVE)
                                .upper())
                        .isGreaterThanOrEqualTo(exact);
            }
        }
    }

    @Test
    void goldenLaplaceCompositionsAreCovered() {
        for (JsonNode vector : AccountingVectors.group("laplace")) {
            JsonNode part = vector.get("events").get(0);
            PrivacyEvent release = new LaplaceCurves(part.get("b").asDouble()).release();
            PrivacyEvent sampled =
                    part.has("q") ? release.poissonSampled(part.get("q").asDouble()) : release;
            PrivacyEvent event = sampled.times(part.get("steps").asLong());
            double truth = AccountingVectors.truth(vector, "eps").doubleValue();
            double delta = vector.get("delta").asDouble();
            for (PrivacyAccountant accountant : List.of(
                    ZCDP,
                    new RenyiAccountant(),
                    new AdvancedCompositionAccountant(),
                    new BasicCompositionAccountant())) {
                assertThat(accountant
                                .epsilon(event, delta, Neighbours.ADD_REMOVE)
                                .upper())
                        .as("%s by %s", AccountingVectors.id(vector), accountant.name())
                        .isGreaterThanOrEqualTo(truth - 1e-6);
            }
        }
    }

    @Test
    void deltaInvertsEpsilon() {
        PrivacyEvent event = new ZeroConcentratedCurves(0.3).release();
        double epsilon = ZCDP.epsilon(event, 1e-7, Neighbours.ADD_REMOVE).upper();
        assertThat(ZCDP.delta(event, epsilon, Neighbours.ADD_REMOVE).upper())
                .isBetween(1e-7 * (1 - 1e-6), 1e-7 * (1 + 1e-6));
    }

    @Test
    void refusesFixedSizeUnderAddRemove() {
        assertThat(ZCDP.epsilon(PrivacyEvent.gaussian(1).fixedSizeSampled(1, 5), 1e-6, Neighbours.ADD_REMOVE))
                .isInstanceOf(EpsilonBound.Unsupported.class);
    }
}
