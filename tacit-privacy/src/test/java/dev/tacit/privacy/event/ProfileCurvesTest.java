package dev.tacit.privacy.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.privacy.unit.Neighbours;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The curves a profile quotes against the law of its own dominating pair. */
class ProfileCurvesTest {
    private static final double[] ORDERS = {1.001, 1.1, 1.5, 2, 3, 7.5, 20};

    static List<PrivacyProfile> exactProfiles() {
        return List.of(
                new GaussianProfile(1.4),
                new GaussianProfile(20),
                new LaplaceProfile(0.5),
                new LaplaceProfile(3),
                new LaplaceProfile(1000),
                new PureProfile(0.01),
                new PureProfile(1),
                new PureProfile(6));
    }

    /** It knows one relation and no sampled curve, so it is not among the others. */
    @Test
    void objectivePerturbationQuotesTheDivergenceOfItsPair() {
        for (double noiseMultiplier : new double[] {0.5, 4, 100}) {
            for (double curvature : new double[] {0, 0.01, 0.7, 3}) {
                PrivacyProfile profile = new ObjectivePerturbationProfile(noiseMultiplier, curvature);
                DominatingPair pair =
                        profile.dominatingPair(Neighbours.ADD_REMOVE).orElseThrow();
                for (double order : ORDERS) {
                    double quoted = profile.renyiDivergence(order, Neighbours.ADD_REMOVE)
                            .orElseThrow();
                    double[] bounds = fromMasses(pair, order);
                    if (quoted < 30) {
                        assertThat(quoted).as("order %s", order).isBetween(bounds[0] - 1e-9, bounds[1] + 1e-9);
                    }
                }
                assertThat(profile.renyiDivergence(2, Neighbours.REPLACE_ONE)).isEmpty();
                assertThat(profile.dominatingPair(Neighbours.REPLACE_ONE)).isEmpty();
            }
        }
    }

    /** log E_P[e^{(a−1)L}] / (a−1) from masses of fine cells, as bounds from both sides. */
    private static double[] fromMasses(DominatingPair pair, double order) {
        double low = Math.max(pair.lossInfimum(), -60);
        double high = Math.min(pair.lossSupremum(), 120);
        int cells = 40_000;
        double lower = 0;
        double upper = 0;
        for (int i = 0; i <= cells; i++) {
            double from = low + (high - low) * (i - 1) / cells;
            double to = i == cells ? high : low + (high - low) * i / cells;
            double mass = pair.massOfP(from, to);
            lower += mass > 0 ? Math.exp(Math.log(mass) + (order - 1) * from) : 0;
            upper += mass > 0 ? Math.exp(Math.log(mass) + (order - 1) * to) : 0;
        }
        return new double[] {Math.log(lower) / (order - 1), Math.log(upper) / (order - 1)};
    }

    @ParameterizedTest
    @MethodSource("exactProfiles")
    void renyiDivergenceIsThatOfThePair(PrivacyProfile profile) {
        for (Neighbours neighbours : Neighbours.values()) {
            DominatingPair pair = profile.dominatingPair(neighbours).orElseThrow();
            for (double order : ORDERS) {
                double quoted = profile.renyiDivergence(order, neighbours).orElseThrow();
                double[] bounds = fromMasses(pair, order);
                if (quoted < 30) {
                    assertThat(quoted).as("order %s", order).isBetween(bounds[0] - 1e-9, bounds[1] + 1e-9);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("exactProfiles")
    void sampledRenyiDivergenceIsThatOfTheWorseSampledPair(PrivacyProfile profile) {
        for (double rate : new double[] {0.01, 0.3}) {
            DominatingPair removed = new PoissonSampledPair(
                    profile.dominatingPair(Neighbours.ADD_REMOVE).orElseThrow(), rate);
            for (double order : ORDERS) {
                double quoted = profile.sampledRenyiDivergence(order, rate, Neighbours.ADD_REMOVE)
                        .orElseThrow();
                double[] remove = fromMasses(removed, order);
                double[] add = fromMasses(ReversedPair.of(removed), order);
                if (quoted < 20) {
                    assertThat(quoted)
                            .as("order %s rate %s", order, rate)
                            .isBetween(Math.max(remove[0], add[0]) - 1e-9, Math.max(remove[1], add[1]) + 1e-9);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("exactProfiles")
    void renyiDivergenceGrowsWithTheOrderUpToTheLargestLoss(PrivacyProfile profile) {
        double previous = 0;
        for (double exponent = -9; exponent < 9; exponent += 0.25) {
            double divergence = profile.renyiDivergence(1 + Math.pow(10, exponent), Neighbours.ADD_REMOVE)
                    .orElseThrow();
            assertThat(divergence).isGreaterThanOrEqualTo(previous * (1 - 1e-9));
            assertThat(divergence)
                    .isLessThanOrEqualTo(
                            profile.pureEpsilon(Neighbours.ADD_REMOVE).orElse(Double.POSITIVE_INFINITY));
            previous = divergence;
        }
    }

    /** D_a ≤ a·rho at every order, with equality at a = 1 in the limit. */
    @ParameterizedTest
    @MethodSource("exactProfiles")
    void zeroConcentrationCoversTheRenyiCurve(PrivacyProfile profile) {
        for (Neighbours neighbours : Neighbours.values()) {
            double rho = profile.zeroConcentration(neighbours).orElseThrow();
            for (double exponent = -8; exponent < 8; exponent += 0.1) {
                double order = 1 + Math.pow(10, exponent);
                assertThat(profile.renyiDivergence(order, neighbours).orElseThrow())
                        .as("order %s", order)
                        .isLessThanOrEqualTo(order * rho * (1 + 1e-7 * Math.min(1, 1e-6 / (order - 1)) + 1e-14));
            }
            double pure = profile.pureEpsilon(neighbours).orElse(Double.POSITIVE_INFINITY);
            assertThat(rho).isLessThanOrEqualTo(0.5 * pure * pure);
            assertThat(profile.renyiDivergence(1 + 1e-6, neighbours).orElseThrow())
                    .isCloseTo(rho, within(1e-4 * rho));
        }
    }

    @Test
    void zeroConcentrationOfBoundedLossesOnAFineGrid() {
        for (double epsilon = 0.01; epsilon < 40; epsilon *= 1.3) {
            for (PrivacyProfile profile : List.of(new PureProfile(epsilon), new LaplaceProfile(1 / epsilon))) {
                double rho = profile.zeroConcentration(Neighbours.ADD_REMOVE).orElseThrow();
                for (double above = 1e-5; above < 1e5; above *= 1.15) {
                    assertThat(profile.renyiDivergence(1 + above, Neighbours.ADD_REMOVE)
                                    .orElseThrow())
                            .as("%s order 1+%s", profile, above)
                            .isLessThanOrEqualTo((1 + above) * rho * (1 + 1e-10));
                }
            }
        }
    }

    @Test
    void discreteGaussianStaysBelowItsBound() {
        for (double multiplier : new double[] {0.4, 1, 3}) {
            DiscreteGaussianProfile profile = new DiscreteGaussianProfile(multiplier);
            for (Neighbours neighbours : Neighbours.values()) {
                DominatingPair pair = profile.dominatingPair(neighbours).orElseThrow();
                double spacing = pair.lossLattice().orElseThrow();
                for (double order : new double[] {1.1, 2, 3.5}) {
                    double moment = 0;
                    for (int i = -2000; i <= 2000; i++) {
                        double mass = pair.massOfP((i - 0.5) * spacing, (i + 0.5) * spacing);
                        moment += mass > 0 ? Math.exp(Math.log(mass) + (order - 1) * i * spacing) : 0;
                    }
                    assertThat(Math.log(moment) / (order - 1))
                            .isLessThanOrEqualTo(
                                    profile.renyiDivergence(order, neighbours).orElseThrow() * (1 + 1e-12));
                }
            }
        }
    }

    @Test
    void replaceOneMovesTwoBounds() {
        assertThat(new LaplaceProfile(4).pureEpsilon(Neighbours.ADD_REMOVE)).hasValue(0.25);
        assertThat(new LaplaceProfile(4).pureEpsilon(Neighbours.REPLACE_ONE)).hasValue(0.5);
        assertThat(new DiscreteGaussianProfile(2)
                        .zeroConcentration(Neighbours.REPLACE_ONE)
                        .orElseThrow())
                .isCloseTo(0.5, within(1e-14));
        assertThat(new PureProfile(1).pureEpsilon(Neighbours.REPLACE_ONE)).hasValue(1);
    }

    @Test
    void largestLossOfLaplaceIsRoundedUp() {
        for (double scale = 0.1; scale < 50; scale += 0.173) {
            double epsilon = new LaplaceProfile(scale).epsilon(Neighbours.ADD_REMOVE);
            assertThat(new BigDecimal(epsilon).multiply(new BigDecimal(scale))).isGreaterThanOrEqualTo(BigDecimal.ONE);
        }
    }

    @Test
    void leavesNameThemselvesForJson() {
        assertThat(new LaplaceProfile(2).mechanism()).isEqualTo("laplace");
        assertThat(new LaplaceProfile(2).parameters()).containsEntry("scaleMultiplier", 2.0);
        assertThat(new DiscreteGaussianProfile(2).mechanism()).isEqualTo("discrete-gaussian");
        assertThat(new DiscreteGaussianProfile(2).parameters()).containsEntry("noiseMultiplier", 2.0);
        assertThat(new PureProfile(2).mechanism()).isEqualTo("pure");
        assertThat(new PureProfile(2).parameters()).containsEntry("epsilon", 2.0);
        assertThat(new ZeroConcentratedProfile(2).mechanism()).isEqualTo("zcdp");
        assertThat(new ZeroConcentratedProfile(2).parameters()).containsEntry("rho", 2.0);
    }

    @Test
    void badParametersAreRefused() {
        assertThatThrownBy(() -> new LaplaceProfile(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LaplaceProfile(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PureProfile(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ZeroConcentratedProfile(Double.POSITIVE_INFINITY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DiscreteGaussianProfile(-2)).isInstanceOf(IllegalArgumentException.class);
    }
}
