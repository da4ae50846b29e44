package dev.tacit.accounting.curve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.classic.AdvancedCompositionAccountant;
import dev.tacit.accounting.classic.BasicCompositionAccountant;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.ReversedPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.ZeroConcentratedAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The curves a curves quotes against the law of its own dominating pair. */
class MechanismCurvesTest {
    private static final double[] ORDERS = {1.001, 1.1, 1.5, 2, 3, 7.5, 20};

    static List<MechanismCurves> exactProfiles() {
        return List.of(
                new GaussianCurves(1.4),
                new GaussianCurves(20),
                new LaplaceCurves(0.5),
                new LaplaceCurves(3),
                new LaplaceCurves(1000),
                new PureCurves(0.01),
                new PureCurves(1),
                new PureCurves(6));
    }

    /** It knows one relation and no sampled curve, so it is not among the others. */
    @Test
    void objectivePerturbationQuotesTheDivergenceOfItsPair() {
        for (double noiseMultiplier : new double[] {0.5, 4, 100}) {
            for (double curvature : new double[] {0, 0.01, 0.7, 3}) {
                MechanismCurves curves = new ObjectivePerturbationCurves(noiseMultiplier, curvature);
                DominatingPair pair =
                        curves.dominatingPair(Neighbours.ADD_REMOVE).orElseThrow();
                for (double order : ORDERS) {
                    double quoted =
                            curves.renyiDivergence(order, Neighbours.ADD_REMOVE).orElseThrow();
                    double[] bounds = fromMasses(pair, order);
                    if (quoted < 30) {
                        assertThat(quoted).as("order %s", order).isBetween(bounds[0] - 1e-9, bounds[1] + 1e-9);
                    }
                }
                assertThat(curves.renyiDivergence(2, Neighbours.REPLACE_ONE)).isEmpty();
                assertThat(curves.dominatingPair(Neighbours.REPLACE_ONE)).isEmpty();
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
    void renyiDivergenceIsThatOfThePair(MechanismCurves curves) {
        for (Neighbours neighbours : Neighbours.values()) {
            DominatingPair pair = curves.dominatingPair(neighbours).orElseThrow();
            for (double order : ORDERS) {
                double quoted = curves.renyiDivergence(order, neighbours).orElseThrow();
                double[] bounds = fromMasses(pair, order);
                if (quoted < 30) {
                    assertThat(quoted).as("order %s", order).isBetween(bounds[0] - 1e-9, bounds[1] + 1e-9);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("exactProfiles")
    void sampledRenyiDivergenceIsThatOfTheWorseSampledPair(MechanismCurves curves) {
        for (double rate : new double[] {0.01, 0.3}) {
            DominatingPair removed = new PoissonSampledPair(
                    curves.dominatingPair(Neighbours.ADD_REMOVE).orElseThrow(), rate);
            for (double order : ORDERS) {
                double quoted = curves.sampledRenyiDivergence(order, rate, Neighbours.ADD_REMOVE)
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
    void renyiDivergenceGrowsWithTheOrderUpToTheLargestLoss(MechanismCurves curves) {
        double previous = 0;
        for (double exponent = -9; exponent < 9; exponent += 0.25) {
            double divergence = curves.renyiDivergence(1 + Math.pow(10, exponent), Neighbours.ADD_REMOVE)
                    .orElseThrow();
            assertThat(divergence).isGreaterThanOrEqualTo(previous * (1 - 1e-9));
            assertThat(divergence)
                    .isLessThanOrEqualTo(
                            curves.pureEpsilon(Neighbours.ADD_REMOVE).orElse(Double.POSITIVE_INFINITY));
            previous = divergence;
        }
    }

    /** D_a ≤ a·rho at every order, with equality at a = 1 in the limit. */
    @ParameterizedTest
    @MethodSource("exactProfiles")
    void zeroConcentrationCoversTheRenyiCurve(MechanismCurves curves) {
        for (Neighbours neighbours : Neighbours.values()) {
            double rho = curves.zeroConcentration(neighbours).orElseThrow();
            for (double exponent = -8; exponent < 8; exponent += 0.1) {
                double order = 1 + Math.pow(10, exponent);
                assertThat(curves.renyiDivergence(order, neighbours).orElseThrow())
                        .as("order %s", order)
                        .isLessThanOrEqualTo(order * rho * (1 + 1e-7 * Math.min(1, 1e-6 / (order - 1)) + 1e-14));
            }
            double pure = curves.pureEpsilon(neighbours).orElse(Double.POSITIVE_INFINITY);
            assertThat(rho).isLessThanOrEqualTo(0.5 * pure * pure);
            assertThat(curves.renyiDivergence(1 + 1e-6, neighbours).orElseThrow())
                    .isCloseTo(rho, within(1e-4 * rho));
        }
    }

    @Test
    void zeroConcentrationOfBoundedLossesOnAFineGrid() {
        for (double epsilon = 0.01; epsilon < 40; epsilon *= 1.3) {
            for (MechanismCurves curves : List.of(new PureCurves(epsilon), new LaplaceCurves(1 / epsilon))) {
                double rho = curves.zeroConcentration(Neighbours.ADD_REMOVE).orElseThrow();
                for (double above = 1e-5; above < 1e5; above *= 1.15) {
                    assertThat(curves.renyiDivergence(1 + above, Neighbours.ADD_REMOVE)
                                    .orElseThrow())
                            .as("%s order 1+%s", curves, above)
                            .isLessThanOrEqualTo((1 + above) * rho * (1 + 1e-10));
                }
            }
        }
    }

    @Test
    void discreteGaussianStaysBelowItsBound() {
        for (double multiplier : new double[] {0.4, 1, 3}) {
            DiscreteGaussianCurves curves = new DiscreteGaussianCurves(multiplier);
            for (Neighbours neighbours : Neighbours.values()) {
                DominatingPair pair = curves.dominatingPair(neighbours).orElseThrow();
                double spacing = pair.lossLattice().orElseThrow();
                for (double order : new double[] {1.1, 2, 3.5}) {
                    double moment = 0;
                    for (int i = -2000; i <= 2000; i++) {
                        double mass = pair.massOfP((i - 0.5) * spacing, (i + 0.5) * spacing);
                        moment += mass > 0 ? Math.exp(Math.log(mass) + (order - 1) * i * spacing) : 0;
                    }
                    assertThat(Math.log(moment) / (order - 1))
                            .isLessThanOrEqualTo(
                                    curves.renyiDivergence(order, neighbours).orElseThrow() * (1 + 1e-12));
                }
            }
        }
    }

    @Test
    void replaceOneMovesTwoBounds() {
        assertThat(new LaplaceCurves(4).pureEpsilon(Neighbours.ADD_REMOVE)).hasValue(0.25);
        assertThat(new LaplaceCurves(4).pureEpsilon(Neighbours.REPLACE_ONE)).hasValue(0.5);
        assertThat(new DiscreteGaussianCurves(2)
                        .zeroConcentration(Neighbours.REPLACE_ONE)
                        .orElseThrow())
                .isCloseTo(0.5, within(1e-14));
        assertThat(new PureCurves(1).pureEpsilon(Neighbours.REPLACE_ONE)).hasValue(1);
    }

    @Test
    void largestLossOfLaplaceIsRoundedUp() {
        for (double scale = 0.1; scale < 50; scale += 0.173) {
            double epsilon = new LaplaceCurves(scale).epsilon(Neighbours.ADD_REMOVE);
            assertThat(new BigDecimal(epsilon).multiply(new BigDecimal(scale))).isGreaterThanOrEqualTo(BigDecimal.ONE);
        }
    }

    @Test
    void leavesNameThemselvesForJson() {
        assertThat(new LaplaceCurves(2).profile().mechanism()).isEqualTo("laplace");
        assertThat(new LaplaceCurves(2).profile().parameters()).containsEntry("scaleMultiplier", 2.0);
        assertThat(new DiscreteGaussianCurves(2).profile().mechanism()).isEqualTo("discrete-gaussian");
        assertThat(new DiscreteGaussianCurves(2).profile().parameters()).containsEntry("noiseMultiplier", 2.0);
        assertThat(new PureCurves(2).profile().mechanism()).isEqualTo("pure");
        assertThat(new PureCurves(2).profile().parameters()).containsEntry("epsilon", 2.0);
        assertThat(new ZeroConcentratedCurves(2).profile().mechanism()).isEqualTo("zcdp");
        assertThat(new ZeroConcentratedCurves(2).profile().parameters()).containsEntry("rho", 2.0);
    }

    @Test
    void theCatalogueFindsEveryMechanismByItsName() {
        for (MechanismCurves curves : List.of(
                new GaussianCurves(1.5),
                new DiscreteGaussianCurves(2),
                new LaplaceCurves(3),
                new PureCurves(0.5),
                new ZeroConcentratedCurves(0.1),
                new ObjectivePerturbationCurves(2, 0.3))) {
            assertThat(CurveCatalogue.standard().of(curves.profile())).isEqualTo(curves);
        }
    }

    /** A name that is not known, and parameters that are not those of the name: no curve, and an answer that says so. */
    @Test
    void whatTheCatalogueDoesNotKnowIsRefusedAsAValue() {
        for (PrivacyProfile profile : List.of(
                new PrivacyProfile("staircase", Map.of("epsilon", 1.0)),
                new PrivacyProfile("gaussian", Map.of()),
                new PrivacyProfile("gaussian", Map.of("noiseMultiplier", -1.0)),
                new PrivacyProfile("gaussian", Map.of("noiseMultiplier", Double.NaN)),
                new PrivacyProfile("gaussian", Map.of("noiseMultiplier", 1.0, "more", 2.0)))) {
            assertThat(CurveCatalogue.standard().of(profile)).isEqualTo(new UnknownCurves(profile));
            PrivacyEvent event =
                    new PrivacyEvent.Release(profile).poissonSampled(0.1).times(3);
            for (PrivacyAccountant accountant : List.of(
                    new RenyiAccountant(),
                    new ZeroConcentratedAccountant(),
                    new ExactAccountant(),
                    new BasicCompositionAccountant(),
                    new AdvancedCompositionAccountant())) {
                assertThat(accountant.epsilon(event, 1e-5, Neighbours.ADD_REMOVE))
                        .as("%s of %s", accountant.name(), profile)
                        .isInstanceOf(EpsilonBound.Unsupported.class);
            }
        }
    }

    /** A mechanism from elsewhere, known to be epsilon-DP: its curves are registered, and every accountant bounds it. */
    @Test
    void aNewMechanismNeedsNoNewAccountant() {
        CurveCatalogue catalogue = CurveCatalogue.standard()
                .with("staircase", parameter -> new Staircase(parameter.applyAsDouble("epsilon")));
        PrivacyEvent event = new Staircase(0.1).release().times(20);
        PrivacyEvent pure = new PureCurves(0.1).release().times(20);
        for (PrivacyAccountant accountant : List.of(
                new RenyiAccountant(catalogue),
                new ExactAccountant(catalogue),
                new BasicCompositionAccountant(catalogue),
                new AdvancedCompositionAccountant(catalogue))) {
            assertThat(accountant.epsilon(event, 1e-5, Neighbours.ADD_REMOVE).upper())
                    .as(accountant.name())
                    .isCloseTo(
                            accountant
                                    .epsilon(pure, 1e-5, Neighbours.ADD_REMOVE)
                                    .upper(),
                            within(2e-6));
        }
        assertThatThrownBy(() -> catalogue.with("staircase", parameter -> new Staircase(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private record Staircase(double epsilon) implements MechanismCurves {
        @Override
        public PrivacyProfile profile() {
            return new PrivacyProfile("staircase", Map.of("epsilon", epsilon));
        }

        @Override
        public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
            return new PureCurves(epsilon).renyiDivergence(order, neighbours);
        }

        @Override
        public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
            return new PureCurves(epsilon).dominatingPair(neighbours);
        }
    }

    @Test
    void badParametersAreRefused() {
        assertThatThrownBy(() -> new LaplaceCurves(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LaplaceCurves(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PureCurves(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ZeroConcentratedCurves(Double.POSITIVE_INFINITY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DiscreteGaussianCurves(-2)).isInstanceOf(IllegalArgumentException.class);
    }
}
