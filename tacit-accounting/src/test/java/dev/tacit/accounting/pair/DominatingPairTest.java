package dev.tacit.accounting.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every pair must satisfy, whatever it is. */
class DominatingPairTest {
    private static final double INFINITY = Double.POSITIVE_INFINITY;

    static List<DominatingPair> pairs() {
        return List.of(
                new GaussianPair(0.02),
                new GaussianPair(1),
                new GaussianPair(7),
                new LaplacePair(0.1),
                new LaplacePair(3),
                new RandomizedResponsePair(0),
                new RandomizedResponsePair(1),
                new DiscreteGaussianPair(0.3, 1),
                new DiscreteGaussianPair(2, 1),
                new DiscreteGaussianPair(2, 2),
                new DiscreteGaussianPair(400, 1),
                new DiscreteGaussianPair(2500, 1),
                new ObjectivePerturbationPair(0.3, 0),
                new ObjectivePerturbationPair(0.3, 0.5),
                new ObjectivePerturbationPair(2, 1.5),
                new PoissonSampledPair(new GaussianPair(1), 0.01),
                new ReversedPair(new PoissonSampledPair(new GaussianPair(1), 0.01)),
                new PoissonSampledPair(new GaussianPair(4), 0.7),
                new ReversedPair(new PoissonSampledPair(new LaplacePair(2), 0.7)),
                new PoissonSampledPair(new DiscreteGaussianPair(1.5, 1), 0.2),
                new ReversedPair(new LaplacePair(1)),
                new FixedSizeSampledPair(new GaussianPair(2), 0.1),
                new FixedSizeSampledPair(new LaplacePair(1), 0.6),
                new FixedSizeSampledPair(new RandomizedResponsePair(1), 0.3),
                new FixedSizeSampledPair(new DiscreteGaussianPair(1.2, 2), 0.3),
                new PoissonReplaceGaussianPair(1, 0.01),
                new PoissonReplaceGaussianPair(0.2, 0.9),
                new PoissonReplaceGaussianPair(30, 0.3),
                new PoissonReplaceLaplacePair(1, 0.1),
                new PoissonReplaceLaplacePair(0.05, 0.8));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void massesAreOne(DominatingPair pair) {
        assertThat(pair.massOfP(-INFINITY, INFINITY)).isCloseTo(1, within(1e-14));
        assertThat(pair.massOfQ(-INFINITY, INFINITY)).isCloseTo(1, within(1e-14));
    }

    /**
     * On every cell the ratio of the masses lies between e^lower and e^upper, and cells add up: masses and losses
     * belong together.
     */
    @ParameterizedTest
    @MethodSource("pairs")
    void massesAgreeWithLosses(DominatingPair pair) {
        double spread = Math.min(30, Math.max(pair.lossSupremum(), -pair.lossInfimum())) + 0.01;
        int cells = 5000;
        double sumOfP = pair.massOfP(-INFINITY, -spread) + pair.massOfP(spread, INFINITY);
        double sumOfQ = pair.massOfQ(-INFINITY, -spread) + pair.massOfQ(spread, INFINITY);
        for (int i = 0; i < cells; i++) {
            double lower = -spread + 2 * spread * i / cells;
            double upper = -spread + 2 * spread * (i + 1) / cells;
            double massOfP = pair.massOfP(lower, upper);
            double massOfQ = pair.massOfQ(lower, upper);
            assertThat(massOfP).as("(%s, %s]", lower, upper).isGreaterThanOrEqualTo(0);
            if (massOfP > 1e-290 && massOfQ > 1e-290) {
                assertThat(Math.log(massOfP / massOfQ))
                        .as("(%s, %s]", lower, upper)
                        .isBetween(lower - 1e-10, upper + 1e-10);
            }
            sumOfP += massOfP;
            sumOfQ += massOfQ;
        }
        assertThat(sumOfP).isCloseTo(1, within(1e-12));
        assertThat(sumOfQ).isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void nothingLiesOutsideTheRange(DominatingPair pair) {
        if (pair.lossSupremum() < INFINITY) {
            assertThat(pair.massOfP(pair.lossSupremum() * (1 + 1e-14) + 1e-300, INFINITY))
                    .isZero();
        }
        if (pair.lossInfimum() > -INFINITY) {
            assertThat(pair.massOfQ(-INFINITY, pair.lossInfimum() * (1 + 1e-14) - 1e-300))
                    .isZero();
        }
        assertThat(pair.massOfP(0.3, 0.3)).isZero();
        assertThat(pair.massOfQ(-0.3, -0.3)).isZero();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void symmetryIsAsClaimed(DominatingPair pair) {
        double difference = 0;
        double[] edges = {
            -INFINITY, -Math.PI, -1.11, -0.313, -0.071, -0.0113, 0.0113, 0.071, 0.313, 1.11, Math.PI, INFINITY
        };
        for (int i = 1; i < edges.length; i++) {
            double mirrored = pair.massOfQ(-edges[i], -edges[i - 1]);
            difference = Math.max(difference, Math.abs(pair.massOfP(edges[i - 1], edges[i]) - mirrored));
        }
        if (pair.symmetric()) {
            assertThat(difference).isLessThan(1e-13);
        } else {
            assertThat(difference).isGreaterThan(1e-7);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void reversingSwapsTheLaws(DominatingPair pair) {
        DominatingPair reversed = ReversedPair.of(pair);
        assertThat(ReversedPair.of(reversed)).isEqualTo(pair);
        for (double edge : new double[] {-2.2, -0.4, -0.03, 0.03, 0.4, 2.2}) {
            assertThat(reversed.massOfP(edge, INFINITY)).isCloseTo(pair.massOfQ(-INFINITY, -edge), within(1e-15));
            assertThat(reversed.massOfQ(-INFINITY, edge)).isCloseTo(pair.massOfP(-edge, INFINITY), within(1e-15));
        }
        assertThat(reversed.lossInfimum()).isEqualTo(-pair.lossSupremum());
    }

    @Test
    void reversedAtomsFallOnTheRightSide() {
        DominatingPair reversed = new ReversedPair(new RandomizedResponsePair(1));
        double likely = 1 / (1 + Math.exp(-1));
        assertThat(reversed.massOfP(0, 1)).isCloseTo(likely, within(1e-15));
        assertThat(reversed.massOfP(1, INFINITY)).isZero();
        assertThat(reversed.massOfP(-INFINITY, -1)).isCloseTo(1 - likely, within(1e-15));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void atomsLieOnTheLattice(DominatingPair pair) {
        if (pair.lossLattice().isEmpty()) {
            return;
        }
        double spacing = pair.lossLattice().getAsDouble();
        for (int i = -40; i < 40; i++) {
            double between = pair.massOfP((i + 0.3) * spacing, (i + 0.7) * spacing);
            double point = pair.massOfP(Math.nextDown((i + 0.5) * spacing), Math.nextUp((i + 0.5) * spacing));
            assertThat(point).isLessThanOrEqualTo(1e-10 * between + 1e-300);
        }
    }

    /** Tails relative to themselves: 40 digits in mpmath. */
    @Test
    void farTailsKeepTheirDigits() {
        assertRelative(new GaussianPair(1).massOfP(36.5, INFINITY), 4.182624065797283e-284);
        assertRelative(new GaussianPair(1).massOfP(36.5, 36.5 + 1e-9), 1.5068994615771508e-291);
        assertRelative(new GaussianPair(1).massOfQ(-INFINITY, -36.5), 4.182624065797283e-284);
        // Q(x = 30) = exp(−450) / Σ exp(−x²/2), the loss of which is 29.5
        assertRelative(new DiscreteGaussianPair(1, 1).massOfQ(29, 30), 1.473646126993692e-196);
    }

    private static void assertRelative(double value, double expected) {
        assertThat(value).isCloseTo(expected, within(2e-15 * expected));
    }

    @Test
    void discreteGaussianSumsAgreeAcrossTheirThreshold() {
        DiscreteGaussianPair summed = new DiscreteGaussianPair(2000, 1);
        DiscreteGaussianPair corrected = new DiscreteGaussianPair(Math.nextUp(2000.0), 1);
        double spacing = summed.lossLattice().getAsDouble();
        for (long from : new long[] {-60_001, -4_001, -1, 1, 3_333, 45_001, 70_001}) {
            for (long count : new long[] {2, 100, 5_000}) {
                double lower = (from - 0.5) * spacing;
                double upper = (from + count - 0.5) * spacing;
                double expected = summed.massOfP(lower, upper);
                assertThat(corrected.massOfP(lower, upper))
                        .as("%s +%s", from, count)
                        .isCloseTo(expected, within(2e-12 * expected));
            }
        }
    }

    @Test
    void fixedSizePairsNeedASymmetricBase() {
        assertThatThrownBy(() -> new FixedSizeSampledPair(new PoissonSampledPair(new GaussianPair(1), 0.1), 0.1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
