package dev.tacit.accounting.pair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sampled pairs against the curves their theorems state, for orders a = e^ε on both sides of 1. */
class SampledPairTest {
    private static final double[] LOG_ORDERS = {-4, -1.2, -0.3, -0.04, -1e-3, 0, 1e-3, 0.04, 0.3, 1.2, 4};
    private static final double[] RATES = {1e-4, 0.02, 0.4, 0.95};

    static List<DominatingPair> bases() {
        return List.of(
                new GaussianPair(0.3),
                new GaussianPair(2),
                new LaplacePair(1),
                new RandomizedResponsePair(0.8),
                new DiscreteGaussianPair(1.1, 2),
                new DiscreteGaussianPair(0.9, 1));
    }

    /** H_a(P || Q) = P(L &gt; log a) − a·Q(L &gt; log a). */
    private static double hockeyStick(DominatingPair pair, double logOrder) {
        return pair.massOfP(logOrder, Double.POSITIVE_INFINITY)
                - Math.exp(logOrder) * pair.massOfQ(logOrder, Double.POSITIVE_INFINITY);
    }

    @ParameterizedTest
    @MethodSource("bases")
    void poissonPairHasTheMixtureCurve(DominatingPair base) {
        for (double rate : RATES) {
            for (double logOrder : LOG_ORDERS) {
                // (1−q)Q + qP − aQ = q(P − a'Q) with a' = 1 + (a−1)/q, and everything counts once a' ≤ 0.
                double scaled = 1 + Math.expm1(logOrder) / rate;
                double expected = scaled > 0 ? rate * hockeyStick(base, Math.log(scaled)) : -Math.expm1(logOrder);
                assertThat(hockeyStick(new PoissonSampledPair(base, rate), logOrder))
                        .as("rate %s, log order %s", rate, logOrder)
                        .isCloseTo(expected, within(1e-14));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bases")
    void reversedPoissonPairHasTheOtherCurve(DominatingPair base) {
        for (double rate : RATES) {
            for (double logOrder : LOG_ORDERS) {
                double order = Math.exp(logOrder);
                double weight = 1 - order * (1 - rate);
                double expected =
                        weight > 0 ? weight * hockeyStick(ReversedPair.of(base), Math.log(order * rate / weight)) : 0;
                assertThat(hockeyStick(ReversedPair.of(new PoissonSampledPair(base, rate)), logOrder))
                        .as("rate %s, log order %s", rate, logOrder)
                        .isCloseTo(expected, within(1e-14));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bases")
    void fixedSizePairHasTheTwoBranchCurve(DominatingPair base) {
        for (double rate : RATES) {
            FixedSizeSampledPair pair = new FixedSizeSampledPair(base, rate);
            PoissonSampledPair mixture = new PoissonSampledPair(base, rate);
            for (double logOrder : LOG_ORDERS) {
                // For a < 1, H_a(P || (1−q)P + qQ) is the reversed mixture of the reversed base.
                double expected = logOrder >= 0
                        ? hockeyStick(mixture, logOrder)
                        : hockeyStick(ReversedPair.of(new PoissonSampledPair(ReversedPair.of(base), rate)), logOrder);
                assertThat(hockeyStick(pair, logOrder))
                        .as("rate %s, log order %s", rate, logOrder)
                        .isCloseTo(expected, within(1e-14));
            }
        }
    }

    @Test
    void fixedSizePairIsAboveBothOfItsBranches() {
        FixedSizeSampledPair pair = new FixedSizeSampledPair(new GaussianPair(1), 0.2);
        DominatingPair removed = new PoissonSampledPair(new GaussianPair(1), 0.2);
        for (double logOrder : LOG_ORDERS) {
            assertThat(hockeyStick(pair, logOrder)).isGreaterThanOrEqualTo(hockeyStick(removed, logOrder) - 1e-15);
            assertThat(hockeyStick(pair, logOrder))
                    .isGreaterThanOrEqualTo(hockeyStick(ReversedPair.of(removed), logOrder) - 1e-15);
        }
    }

    @Test
    void baseLossInvertsSampledLoss() {
        for (double rate : RATES) {
            for (double loss : new double[] {-20, -3, -0.2, -1e-6, 0, 1e-9, 0.5, 30, 699, 701, 5000}) {
                double sampled = PoissonSampledPair.sampledLoss(loss, rate);
                double error = Math.ulp(Math.max(1e-9, Math.abs(sampled))) / rate * Math.max(1, Math.exp(-loss));
                assertThat(PoissonSampledPair.baseLoss(sampled, rate))
                        .isCloseTo(loss, within(16 * error + 1e-12 * Math.abs(loss)));
            }
        }
    }

    /** Against the law of the loss by brute force over the outcome of a Gaussian mixture. */
    @Test
    void poissonReplaceGaussianMatchesQuadratureOverTheOutcome() {
        for (double multiplier : new double[] {0.6, 2}) {
            for (double rate : new double[] {0.01, 0.5}) {
                PoissonReplaceGaussianPair pair = new PoissonReplaceGaussianPair(multiplier, rate);
                double shift = 1 / multiplier;
                for (double logOrder : LOG_ORDERS) {
                    double sum = 0;
                    double step = 1e-3;
                    for (double u = -12 - shift; u < 12 + shift; u += step) {
                        double p = (1 - rate) * Math.exp(-u * u / 2) + rate * Math.exp(-(u - shift) * (u - shift) / 2);
                        double q = (1 - rate) * Math.exp(-u * u / 2) + rate * Math.exp(-(u + shift) * (u + shift) / 2);
                        sum += step * Math.max(0, p - Math.exp(logOrder) * q) / Math.sqrt(2 * Math.PI);
                    }
                    assertThat(hockeyStick(pair, logOrder)).isCloseTo(sum, within(1e-6));
                }
            }
        }
    }

    @Test
    void poissonReplaceLaplaceMatchesQuadratureOverTheOutcome() {
        double rate = 0.2;
        double epsilon = 1.3;
        PoissonReplaceLaplacePair pair = new PoissonReplaceLaplacePair(epsilon, rate);
        for (double logOrder : LOG_ORDERS) {
            double sum = 0;
            double step = 1e-3;
            for (double x = -40; x < 40; x += step) {
                double p = (1 - rate) * Math.exp(-Math.abs(x)) + rate * Math.exp(-Math.abs(x - epsilon));
                double q = (1 - rate) * Math.exp(-Math.abs(x)) + rate * Math.exp(-Math.abs(x + epsilon));
                sum += 0.5 * step * Math.max(0, p - Math.exp(logOrder) * q);
            }
            assertThat(hockeyStick(pair, logOrder)).isCloseTo(sum, within(1e-5));
        }
    }

    /** Replacing a record by its opposite is the worst replacement: no other two records are easier to tell apart. */
    @Test
    void oppositeRecordsDominateOtherReplacements() {
        double rate = 0.3;
        double epsilon = 1.5;
        PoissonReplaceLaplacePair worst = new PoissonReplaceLaplacePair(epsilon, rate);
        for (double first : new double[] {-1, -0.2, 0, 0.6, 1}) {
            for (double second : new double[] {-1, -0.5, 0.1, 0.9}) {
                for (double logOrder : LOG_ORDERS) {
                    double sum = 0;
                    double step = 2e-3;
                    for (double x = -30; x < 30; x += step) {
                        double p =
                                (1 - rate) * Math.exp(-Math.abs(x)) + rate * Math.exp(-Math.abs(x - first * epsilon));
                        double q =
                                (1 - rate) * Math.exp(-Math.abs(x)) + rate * Math.exp(-Math.abs(x - second * epsilon));
                        sum += 0.5 * step * Math.max(0, p - Math.exp(logOrder) * q);
                    }
                    assertThat(hockeyStick(worst, logOrder)).isGreaterThanOrEqualTo(sum - 1e-5);
                }
            }
        }
    }

    /**
     * Laplace noise on two coordinates that share an L1 bound of epsilon is dominated by one coordinate that moves by
     * all of it.
     */
    @Test
    void oneCoordinateDominatesTwo() {
        for (double epsilon : new double[] {0.2, 1, 4}) {
            for (double share : new double[] {0.5, 0.3, 0.05}) {
                LaplacePair first = new LaplacePair((1 - share) * epsilon);
                LaplacePair second = new LaplacePair(share * epsilon);
                for (double fraction = 0; fraction < 1; fraction += 0.1) {
                    double budget = fraction * epsilon;
                    double both = composed(first, second, budget);
                    double one = hockeyStick(new LaplacePair(epsilon), budget);
                    assertThat(both)
                            .as("%s = %s + %s at %s", epsilon, first, second, budget)
                            .isLessThanOrEqualTo(one + 1e-7);
                    double larger = (1 - share) * epsilon;
                    double smaller = share * epsilon;
                    double exact = 1
                            - Math.exp((budget - epsilon) / 2)
                                    * (1 + Math.min(2 * smaller, larger + smaller - budget) / 4);
                    assertThat(both).isCloseTo(exact, within(1e-6));
                }
            }
        }
    }

    /**
     * delta of the product at epsilon: the curve of the first averaged over the loss of the second, cells of which are
     * as good as points.
     */
    private static double composed(DominatingPair first, DominatingPair second, double epsilon) {
        double top = second.lossSupremum();
        int cells = 20_000;
        double sum = second.massOfP(-top, top) * 0;
        for (int i = 0; i < cells; i++) {
            double lower = -top + 2 * top * i / cells;
            double upper = i == cells - 1 ? top : -top + 2 * top * (i + 1) / cells;
            double density = second.massOfP(lower, i == cells - 1 ? Math.nextDown(top) : upper);
            sum += density * hockeyStick(first, epsilon - 0.5 * (lower + upper));
        }
        sum += second.massOfP(Math.nextDown(top), top) * hockeyStick(first, epsilon - top);
        return sum + second.massOfP(Double.NEGATIVE_INFINITY, -top) * hockeyStick(first, epsilon + top);
    }
}
