package dev.tacit.accounting.renyi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.exact.closed.SingleRelease;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RenyiAccountantTest {
    private static final RenyiAccountant RENYI = new RenyiAccountant();

    static List<JsonNode> goldenDivergences() {
        return AccountingVectors.group("rdp");
    }

    @ParameterizedTest
    @MethodSource("goldenDivergences")
    void divergenceMatchesTheGoldenValue(JsonNode vector) {
        PrivacyEvent event = PrivacyEvent.gaussian(vector.get("sigma").asDouble())
                .poissonSampled(vector.get("q").asDouble());
        double truth = AccountingVectors.truth(vector, "rdp").doubleValue();
        assertThat(RENYI.divergence(event, vector.get("alpha").asDouble(), Neighbours.ADD_REMOVE))
                .isBetween(truth * (1 - 1e-15), truth * (1 + 1e-11));
    }

    @Test
    void isNeverBelowTheExactGaussian() {
        for (double multiplier : new double[] {0.05, 0.3, 1, 7, 1e3, 1e6}) {
            for (double delta : new double[] {1e-300, 1e-30, 1e-9, 1e-5, 1e-2, 0.3, 0.9}) {
                for (Neighbours neighbours : Neighbours.values()) {
                    double shift = neighbours.boundsMoved() / multiplier;
                    double exact = GaussianClosedForm.epsilonLower(shift, delta);
                    double bound = RENYI.epsilon(PrivacyEvent.gaussian(multiplier), delta, neighbours)
                            .upper();
                    assertThat(bound)
                            .as("multiplier %s delta %s", multiplier, delta)
                            .isGreaterThanOrEqualTo(exact);
                    if (delta <= 1e-5 && exact > 0) {
                        assertThat(bound).isLessThanOrEqualTo(1.3 * exact + 1.5 * shift);
                    }
                }
            }
        }
    }

    @Test
    void deltaIsNeverBelowTheExactGaussianAndInvertsEpsilon() {
        for (double multiplier : new double[] {0.2, 1, 30}) {
            for (double epsilon : new double[] {0, 1e-3, 0.1, 1, 10, 200}) {
                double bound = RENYI.delta(PrivacyEvent.gaussian(multiplier), epsilon, Neighbours.ADD_REMOVE)
                        .upper();
                assertThat(bound).isBetween(GaussianClosedForm.deltaLower(1 / multiplier, epsilon), 1.0);
                if (bound < 0.9 && bound > 1e-290) {
                    double back = RENYI.epsilon(PrivacyEvent.gaussian(multiplier), bound, Neighbours.ADD_REMOVE)
                            .upper();
                    assertThat(back).isLessThanOrEqualTo(epsilon * (1 + 1e-6) + 1e-9);
                }
            }
        }
    }

    @Test
    void findsTheBestOrderOfASampledRelease() {
        PrivacyEvent training = PrivacyEvent.gaussian(1).poissonSampled(0.01).times(10_000);
        double bound = RENYI.epsilon(training, 1e-5, Neighbours.ADD_REMOVE).upper();
        // Exact: 6.18771; on a fixed list of orders 6.7128; at the best real order a little less.
        assertThat(bound).isBetween(6.70, 6.7128);
    }

    @Test
    void aCurveWithSeveralMinimaIsSearchedGlobally() {
        double[] rates = {1e-6, 1e-4, 1e-3};
        for (double rate : rates) {
            PrivacyEvent event = PrivacyEvent.gaussian(0.5).poissonSampled(rate).times(100_000);
            double bound = RENYI.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper();
            double byHand = Double.POSITIVE_INFINITY;
            for (double above = 1e-2; above < 1e4; above *= 1.02) {
                double divergence = RENYI.divergence(event, 1 + above, Neighbours.ADD_REMOVE);
                byHand = Math.min(
                        byHand,
                        divergence + Math.log(above / (1 + above)) - (Math.log(1e-6) + Math.log1p(above)) / above);
            }
            assertThat(bound).as("rate %s", rate).isLessThanOrEqualTo(byHand * (1 + 1e-9));
        }
    }

    /** The general Poisson bound must lie above what the mechanism can prove for itself. */
    @Test
    void generalPoissonBoundCoversTheExactCurve() throws UnsupportedEventException {
        for (MechanismCurves known : List.of(new GaussianCurves(1.1), new LaplaceCurves(1), new PureCurves(0.7))) {
            for (double rate : new double[] {1e-5, 0.01, 0.3}) {
                var general = RenyiAccountant.curve(
                        new Phase(new Sampling.Poisson(rate), new WithoutSampling(known), 1), Neighbours.ADD_REMOVE);
                for (double order : new double[] {1.2, 2, 2.5, 3, 6.3, 17}) {
                    double own = known.sampledRenyiDivergence(order, rate, Neighbours.ADD_REMOVE)
                            .orElseThrow();
                    assertThat(general.applyAsDouble(order))
                            .as("%s rate %s order %s", known, rate, order)
                            .isGreaterThanOrEqualTo(own * (1 - 1e-12));
                    assertThat(general.applyAsDouble(order))
                            .isLessThanOrEqualTo(known.renyiDivergence(order, Neighbours.ADD_REMOVE)
                                    .orElseThrow());
                }
            }
        }
    }

    /** At order 2 the general bound has no factor to lose and is exact for Gaussian noise. */
    @Test
    void generalPoissonBoundIsExactAtOrderTwo() throws UnsupportedEventException {
        double rate = 0.01;
        double expected = Math.log1p(rate * rate * Math.expm1(1));
        Phase phase = new Phase(new Sampling.Poisson(rate), new WithoutSampling(new GaussianCurves(1)), 1);
        assertThat(RenyiAccountant.curve(phase, Neighbours.ADD_REMOVE).applyAsDouble(2))
                .isBetween(expected, expected * (1 + 1e-11));
    }

    /** A profile that quotes everything but its sampled curve. */
    private record WithoutSampling(MechanismCurves curves) implements MechanismCurves {
        @Override
        public PrivacyProfile profile() {
            return new PrivacyProfile("other", Map.of());
        }

        @Override
        public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
            return curves.renyiDivergence(order, neighbours);
        }

        @Override
        public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
            return Optional.of(new GaussianPair(1));
        }
    }

    /** WBK19 at small orders by hand: 1 + q²C(a,2)·min{4(e^{R(2)}−1), 2e^{R(2)}} + Σ q^j C(a,j)·2e^{(j−1)R(j)}. */
    @Test
    void fixedSizeMatchesTheTheoremAtIntegerOrders() {
        double multiplier = 4;
        PrivacyEvent event = PrivacyEvent.gaussian(multiplier).fixedSizeSampled(1, 50);
        double rate = 0.02;
        double half = 0.5 * 4 / (multiplier * multiplier);
        double second = rate * rate * Math.min(4 * Math.expm1(2 * half), 2 * Math.exp(2 * half));
        double orderTwo = Math.log1p(second);
        double third = rate * rate * rate * 2 * Math.exp(2 * 3 * half);
        double orderThree = Math.log1p(3 * second + third) / 2;
        assertThat(RENYI.divergence(event, 2, Neighbours.REPLACE_ONE)).isBetween(orderTwo, orderTwo * (1 + 1e-11));
        assertThat(RENYI.divergence(event, 3, Neighbours.REPLACE_ONE)).isBetween(orderThree, orderThree * (1 + 1e-11));
        double between = RENYI.divergence(event, 2.5, Neighbours.REPLACE_ONE) * 1.5;
        assertThat(between)
                .isBetween(0.5 * orderTwo + 0.5 * 2 * orderThree, (0.5 * orderTwo + orderThree) * (1 + 1e-11));
    }

    @Test
    void fixedSizeNeverBeatsTheTwoBranchPair() {
        for (double multiplier : new double[] {2, 6}) {
            PrivacyEvent event = PrivacyEvent.gaussian(multiplier).fixedSizeSampled(3, 100);
            double exact = 0;
            try {
                for (DominatingPair pair : DominatingPairs.of(
                        Composition.of(event, Neighbours.REPLACE_ONE)
                                .alternatives()
                                .get(0)
                                .get(0),
                        Neighbours.REPLACE_ONE)) {
                    exact = Math.max(exact, SingleRelease.epsilonLower(pair, 1e-6));
                }
            } catch (UnsupportedEventException e) {
                throw new AssertionError(e);
            }
            assertThat(RENYI.epsilon(event, 1e-6, Neighbours.REPLACE_ONE).upper())
                    .isGreaterThanOrEqualTo(exact);
        }
    }

    @Test
    void samplingNeverHurts() {
        for (MechanismCurves curves : List.of(
                new GaussianCurves(0.7),
                new LaplaceCurves(0.4),
                new PureCurves(3),
                new DiscreteGaussianCurves(1),
                new ZeroConcentratedCurves(1))) {
            PrivacyEvent release = curves.release();
            double whole = RENYI.epsilon(release.times(10), 1e-6, Neighbours.REPLACE_ONE)
                    .upper();
            assertThat(RENYI.epsilon(release.poissonSampled(0.5).times(10), 1e-6, Neighbours.REPLACE_ONE)
                            .upper())
                    .isLessThanOrEqualTo(whole * (1 + 1e-9));
            assertThat(RENYI.epsilon(release.fixedSizeSampled(9, 10).times(10), 1e-6, Neighbours.REPLACE_ONE)
                            .upper())
                    .isLessThanOrEqualTo(whole * (1 + 1e-9));
        }
    }

    @Test
    void growsWithCountRateAndShrinksWithNoise() {
        double base = RENYI.epsilon(
                        PrivacyEvent.gaussian(1).poissonSampled(0.01).times(1000), 1e-6, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(RENYI.epsilon(PrivacyEvent.gaussian(1).poissonSampled(0.01).times(1001), 1e-6, Neighbours.ADD_REMOVE)
                        .upper())
                .isGreaterThan(base);
        assertThat(RENYI.epsilon(
                                PrivacyEvent.gaussian(1).poissonSampled(0.011).times(1000), 1e-6, Neighbours.ADD_REMOVE)
                        .upper())
                .isGreaterThan(base);
        assertThat(RENYI.epsilon(
                                PrivacyEvent.gaussian(1.1).poissonSampled(0.01).times(1000),
                                1e-6,
                                Neighbours.ADD_REMOVE)
                        .upper())
                .isLessThan(base);
    }

    @Test
    void repetitionsAreNeverForgotten() {
        for (MechanismCurves curves : List.of(
                new PureCurves(0.1),
                new LaplaceCurves(10),
                new DiscreteGaussianCurves(10),
                new ZeroConcentratedCurves(0.01))) {
            double once =
                    RENYI.epsilon(curves.release(), 1e-6, Neighbours.ADD_REMOVE).upper();
            double often = RENYI.epsilon(curves.release().times(100), 1e-6, Neighbours.ADD_REMOVE)
                    .upper();
            assertThat(often).as("%s", curves).isGreaterThan(4 * once);
        }
    }

    @Test
    void countsUpToTheLongLimit() {
        PrivacyEvent event = PrivacyEvent.gaussian(1e6).times(1L << 62);
        assertThat(RENYI.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper()).isBetween(2.3e6, 2.4e6);
    }

    @Test
    void nothingRevealedCostsNothing() {
        assertThat(RENYI.epsilon(PrivacyEvent.nothing(), 1e-300, Neighbours.ADD_REMOVE)
                        .upper())
                .isZero();
        assertThat(RENYI.delta(PrivacyEvent.nothing(), 0, Neighbours.ADD_REMOVE).upper())
                .isLessThan(1e-200);
    }

    @Test
    void refusesWhatItCannotBound() {
        PrivacyEvent fixed = PrivacyEvent.gaussian(1).fixedSizeSampled(1, 10);
        assertThat(RENYI.epsilon(fixed, 1e-6, Neighbours.ADD_REMOVE)).isInstanceOf(EpsilonBound.Unsupported.class);
        assertThat(RENYI.delta(fixed, 1, Neighbours.ADD_REMOVE)).isInstanceOf(DeltaBound.Unsupported.class);
        assertThat(RENYI.divergence(fixed, 2, Neighbours.ADD_REMOVE)).isInfinite();
        assertThat(RENYI.epsilon(new PrivacyEvent.NotPrivate("leak"), 1e-6, Neighbours.ADD_REMOVE))
                .isInstanceOf(EpsilonBound.Unbounded.class);
        assertThatThrownBy(() -> RENYI.epsilon(fixed, 0, Neighbours.ADD_REMOVE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RENYI.divergence(fixed, 1, Neighbours.ADD_REMOVE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void disjointPartsCountOnce() {
        PrivacyEvent parts = new PrivacyEvent.Disjoint(List.of(PrivacyEvent.gaussian(1), PrivacyEvent.gaussian(2)));
        assertThat(RENYI.epsilon(parts, 1e-6, Neighbours.ADD_REMOVE).upper())
                .isEqualTo(RENYI.epsilon(PrivacyEvent.gaussian(1), 1e-6, Neighbours.ADD_REMOVE)
                        .upper());
    }
}
