package dev.tacit.accounting.exact.closed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.numerics.NormalTail;
import dev.tacit.accounting.pair.DiscreteGaussianPair;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.FixedSizeSampledPair;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.pair.LaplacePair;
import dev.tacit.accounting.pair.PoissonReplaceGaussianPair;
import dev.tacit.accounting.pair.PoissonReplaceLaplacePair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.RandomizedResponsePair;
import dev.tacit.accounting.pair.ReversedPair;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SingleReleaseTest {
    static List<DominatingPair> pairs() {
        return List.of(
                new GaussianPair(1.3),
                new GaussianPair(0.01),
                new LaplacePair(0.7),
                new RandomizedResponsePair(2),
                new DiscreteGaussianPair(1.7, 1),
                new DiscreteGaussianPair(3000, 2),
                new PoissonSampledPair(new GaussianPair(1), 0.1),
                ReversedPair.of(new PoissonSampledPair(new GaussianPair(1), 0.1)),
                new PoissonSampledPair(new LaplacePair(2), 0.001),
                ReversedPair.of(new PoissonSampledPair(new RandomizedResponsePair(2), 0.3)),
                new FixedSizeSampledPair(new GaussianPair(2), 0.05),
                new FixedSizeSampledPair(new DiscreteGaussianPair(1.5, 2), 0.05),
                new PoissonReplaceGaussianPair(0.8, 0.05),
                new PoissonReplaceLaplacePair(1.2, 0.05));
    }

    /** The pair without its type, so that only masses can be used. */
    private record Anonymous(DominatingPair pair) implements DominatingPair {
        @Override
        public double massOfP(double lowerLoss, double upperLoss) {
            return pair.massOfP(lowerLoss, upperLoss);
        }

        @Override
        public double massOfQ(double lowerLoss, double upperLoss) {
            return pair.massOfQ(lowerLoss, upperLoss);
        }

        @Override
        public double lossInfimum() {
            return pair.lossInfimum();
        }

        @Override
        public double lossSupremum() {
            return pair.lossSupremum();
        }

        @Override
        public boolean symmetric() {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void closedFormsAgreeWithMasses(DominatingPair pair) {
        double top = Math.min(pair.lossSupremum(), 6);
        for (double share = 0; share < 1; share += 0.09) {
            double epsilon = share * top;
            double lower = SingleRelease.deltaLower(pair, epsilon);
            double upper = SingleRelease.deltaUpper(pair, epsilon);
            assertThat(lower).isBetween(0.0, upper);
            assertThat(SingleRelease.deltaLower(new Anonymous(pair), epsilon))
                    .as("at %s", epsilon)
                    .isLessThanOrEqualTo(upper);
            assertThat(SingleRelease.deltaUpper(new Anonymous(pair), epsilon))
                    .as("at %s", epsilon)
                    .isGreaterThanOrEqualTo(lower);
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void epsilonHoldsAndIsTight(DominatingPair pair) {
        for (double delta : new double[] {1e-300, 1e-60, 1e-12, 1e-6, 1e-3, 0.05, 0.4, 1 - 1e-9}) {
            double upper = SingleRelease.epsilonUpper(pair, delta);
            double lower = SingleRelease.epsilonLower(pair, delta);
            assertThat(lower).as("delta %s", delta).isBetween(0.0, upper);
            assertThat(SingleRelease.deltaLower(pair, upper)).isLessThanOrEqualTo(delta);
            assertThat(SingleRelease.deltaUpper(pair, lower)).isGreaterThanOrEqualTo(lower == 0 ? 0 : delta);
            if (delta > 1e-13) {
                assertThat(upper - lower).isLessThanOrEqualTo(1e-6 * Math.max(1, upper));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void deltaDoesNotIncrease(DominatingPair pair) {
        double previous = 1;
        for (double epsilon = 0; epsilon < 8; epsilon += 0.05) {
            double delta = SingleRelease.deltaUpper(pair, epsilon);
            assertThat(delta).isLessThanOrEqualTo(previous * (1 + 1e-10) + 1e-13);
            previous = delta;
        }
    }

    /** The two formulas of research on a single Poisson-sampled Gaussian release, written directly in the outcome. */
    @Test
    void poissonGaussianMatchesTheFormulaInTheOutcome() {
        for (double multiplier : new double[] {0.5, 1, 4}) {
            for (double rate : new double[] {0.001, 0.1, 0.9}) {
                DominatingPair remove = new PoissonSampledPair(new GaussianPair(1 / multiplier), rate);
                DominatingPair add = ReversedPair.of(remove);
                for (double epsilon : new double[] {0.001, 0.03, 0.5, 2}) {
                    double x = multiplier * multiplier * Math.log1p(Math.expm1(epsilon) / rate) + 0.5;
                    double delta = (1 - rate - Math.exp(epsilon)) * NormalTail.above(x / multiplier)
                            + rate * NormalTail.above((x - 1) / multiplier);
                    assertThat(SingleRelease.deltaUpper(remove, epsilon)).isBetween(delta - 1e-15, delta + 1e-14);
                    double added = 0;
                    if (epsilon < -Math.log1p(-rate)) {
                        double y = multiplier * multiplier * Math.log((Math.expm1(-epsilon) + rate) / rate) + 0.5;
                        added = NormalTail.above(-y / multiplier) * (1 - Math.exp(epsilon) * (1 - rate))
                                - Math.exp(epsilon) * rate * NormalTail.above((1 - y) / multiplier);
                    }
                    assertThat(SingleRelease.deltaUpper(add, epsilon)).isBetween(added - 1e-15, added + 1e-14);
                    assertThat(SingleRelease.deltaLower(add, epsilon)).isBetween(added - 1e-14, added + 1e-15);
                }
            }
        }
    }

    @Test
    void matchesGoldenSingleReleases() {
        for (JsonNode vector : AccountingVectors.group("laplace")) {
            JsonNode event = vector.get("events").get(0);
            if (event.get("steps").asLong() == 1) {
                check(vector, new LaplacePair(1 / event.get("b").asDouble()));
            }
        }
        for (JsonNode vector : AccountingVectors.group("discrete_gaussian")) {
            JsonNode event = vector.get("events").get(0);
            if (event.get("steps").asLong() == 1) {
                check(
                        vector,
                        new DiscreteGaussianPair(
                                event.get("sigma").asDouble(),
                                event.get("sensitivity").asInt()));
            }
        }
    }

    private static void check(JsonNode vector, DominatingPair pair) {
        double truth = AccountingVectors.truth(vector, "eps").doubleValue();
        double delta = vector.get("delta").asDouble();
        assertThat(SingleRelease.epsilonUpper(pair, delta))
                .as(AccountingVectors.id(vector))
                .isBetween(truth * (1 - 1e-16), truth * (1 + 1e-11));
        assertThat(SingleRelease.epsilonLower(pair, delta))
                .as(AccountingVectors.id(vector))
                .isBetween(truth * (1 - 1e-11), truth * (1 + 1e-16));
    }

    @Test
    void epsilonIsInfiniteOnlyWhereNothingHolds() {
        DominatingPair leaky = new DominatingPair() {
            private final LaplacePair inner = new LaplacePair(1);

            @Override
            public double massOfP(double lowerLoss, double upperLoss) {
                return 0.9 * inner.massOfP(lowerLoss, upperLoss);
            }

            @Override
            public double massOfQ(double lowerLoss, double upperLoss) {
                return inner.massOfQ(lowerLoss, upperLoss);
            }

            @Override
            public double lossInfimum() {
                return -1.2;
            }

            @Override
            public double lossSupremum() {
                return 1;
            }

            @Override
            public double infiniteLossMass() {
                return 0.1;
            }

            @Override
            public boolean symmetric() {
                return false;
            }
        };
        assertThat(SingleRelease.epsilonUpper(leaky, 0.05)).isInfinite();
        assertThat(SingleRelease.epsilonUpper(leaky, 0.2)).isLessThan(1.01);
    }
}
