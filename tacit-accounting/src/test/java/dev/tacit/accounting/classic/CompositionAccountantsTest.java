package dev.tacit.accounting.classic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.exact.closed.PureClosedForm;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.ZeroConcentratedAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Basic and advanced composition: valid against every golden value, and no better than they can be. */
class CompositionAccountantsTest {
    private static final PrivacyAccountant BASIC = new BasicCompositionAccountant();
    private static final PrivacyAccountant ADVANCED = new AdvancedCompositionAccountant();

    static List<PrivacyAccountant> accountants() {
        return List.of(BASIC, ADVANCED, new RenyiAccountant(), new ZeroConcentratedAccountant());
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void coversGoldenGaussianValues(PrivacyAccountant accountant) {
        for (String group : List.of("dpsgd", "dpsep", "dppvi", "het", "gaussian", "replace")) {
            for (JsonNode vector : AccountingVectors.group(group)) {
                if (!vector.get("kind").asText().equals("eps")) {
                    continue;
                }
                PrivacyEvent event = PrivacyEvent.nothing();
                for (JsonNode part : vector.get("events")) {
                    event = event.then(PrivacyEvent.gaussian(part.get("sigma").asDouble())
                            .poissonSampled(part.get("q").asDouble())
                            .times(part.get("steps").asLong()));
                }
                Neighbours neighbours = vector.get("adjacency").asText().equals("replace_one")
                        ? Neighbours.REPLACE_ONE
                        : Neighbours.ADD_REMOVE;
                double truth = AccountingVectors.truth(vector, "eps").doubleValue();
                assertThat(accountant
                                .epsilon(event, vector.get("delta").asDouble(), neighbours)
                                .upper())
                        .as(AccountingVectors.id(vector))
                        .isGreaterThanOrEqualTo(truth * (1 - 1e-9));
            }
        }
    }

    @Test
    void basicCompositionOfOneReleaseIsExact() {
        double epsilon = BASIC.epsilon(PrivacyEvent.gaussian(1), 1e-5, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(epsilon).isBetween(4.377178095681224, 4.377178095681224 * (1 + 1e-12));
    }

    @Test
    void basicCompositionOfPureReleasesIsBelowTheirSum() {
        PrivacyEvent event = new PureCurves(0.5).release().times(20);
        assertThat(BASIC.epsilon(event, 1e-9, Neighbours.ADD_REMOVE).upper()).isBetween(9.9999, 10.0000001);
        double advanced = ADVANCED.epsilon(event, 1e-9, Neighbours.ADD_REMOVE).upper();
        assertThat(advanced).isBetween(PureClosedForm.epsilonLower(0.5, 20, 1e-9), 10.0000001);
    }

    @Test
    void advancedCompositionHelpsForManySmallReleases() {
        PrivacyEvent event = new PureCurves(0.01).release().times(10_000);
        double advanced = ADVANCED.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper();
        double expected = 10_000 * 0.01 * Math.tanh(0.005) + Math.sqrt(2 * 10_000 * 1e-4 * Math.log(1e6));
        assertThat(advanced).isBetween(expected * 0.98, expected * 1.02);
        assertThat(advanced).isGreaterThan(PureClosedForm.epsilonUpper(0.01, 10_000, 1e-6));
        assertThat(advanced)
                .isLessThan(BASIC.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper() / 10);
    }

    @Test
    void advancedCompositionNeverBeatsTheOptimum() {
        for (double each : new double[] {1e-3, 0.02, 0.2, 1, 5}) {
            for (long times : new long[] {2, 9, 60, 900}) {
                for (double delta : new double[] {1e-12, 1e-4, 0.02, 0.1, 0.25, 0.6}) {
                    double advanced = ADVANCED.epsilon(
                                    new PureCurves(each).release().times(times), delta, Neighbours.ADD_REMOVE)
                            .upper();
                    assertThat(advanced)
                            .as("%s × %s at %s", times, each, delta)
                            .isGreaterThanOrEqualTo(PureClosedForm.epsilonLower(each, times, delta));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void deltaAndEpsilonAgree(PrivacyAccountant accountant) {
        PrivacyEvent event = PrivacyEvent.gaussian(4)
                .times(3)
                .then(new PureCurves(0.1).release().times(2));
        double epsilon = accountant.epsilon(event, 1e-6, Neighbours.REPLACE_ONE).upper();
        double delta = accountant.delta(event, epsilon, Neighbours.REPLACE_ONE).upper();
        assertThat(delta).isBetween(0.9e-6, 1e-6 * (1 + 1e-6));
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void epsilonDoesNotIncreaseWithDelta(PrivacyAccountant accountant) {
        PrivacyEvent event = PrivacyEvent.gaussian(1.5).poissonSampled(0.05).times(40);
        double previous = Double.POSITIVE_INFINITY;
        for (double delta : new double[] {1e-300, 1e-100, 1e-20, 1e-9, 1e-5, 1e-3, 0.1, 0.9, 1 - 1e-9}) {
            double epsilon =
                    accountant.epsilon(event, delta, Neighbours.ADD_REMOVE).upper();
            assertThat(epsilon).as("delta %s", delta).isBetween(0.0, previous * (1 + 1e-9));
            previous = epsilon;
        }
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void extremesNeitherHangNorOverflow(PrivacyAccountant accountant) {
        for (PrivacyEvent release : List.of(
                PrivacyEvent.gaussian(0.05),
                PrivacyEvent.gaussian(1e6),
                new PureCurves(1e4).release(),
                new ZeroConcentratedCurves(1e6).release())) {
            for (long times : new long[] {1, 1000, 1L << 62}) {
                for (double delta : new double[] {1e-300, 1e-6, 1 - 1e-9}) {
                    EpsilonBound bound = accountant.epsilon(release.times(times), delta, Neighbours.REPLACE_ONE);
                    assertThat(bound.upper())
                            .as("%s × %s at %s", release, times, delta)
                            .isGreaterThanOrEqualTo(0)
                            .isNotNaN();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void refusesWhatItCannotBound(PrivacyAccountant accountant) {
        PrivacyEvent fixed = PrivacyEvent.gaussian(1).fixedSizeSampled(2, 7);
        assertThat(accountant.epsilon(fixed, 1e-5, Neighbours.ADD_REMOVE)).isInstanceOf(EpsilonBound.Unsupported.class);
        assertThat(accountant.delta(fixed, 1, Neighbours.ADD_REMOVE)).isInstanceOf(DeltaBound.Unsupported.class);
        PrivacyEvent leak = PrivacyEvent.gaussian(1).then(new PrivacyEvent.NotPrivate("plain mean"));
        assertThat(accountant.epsilon(leak, 1e-5, Neighbours.ADD_REMOVE)).isInstanceOf(EpsilonBound.Unbounded.class);
        assertThat(accountant.delta(leak, 1, Neighbours.ADD_REMOVE).upper()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("accountants")
    void nothingRevealedCostsNothing(PrivacyAccountant accountant) {
        assertThat(accountant
                        .epsilon(PrivacyEvent.nothing(), 1e-12, Neighbours.ADD_REMOVE)
                        .upper())
                .isZero();
    }
}
