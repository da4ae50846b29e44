package dev.tacit.door.mechanism;

import static dev.tacit.noise.Statistics.normalCdf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The theorem of docs/methods/discrete-gaussian.md in numbers, where standard deviations are so small that it bites.
 */
class DiscreteGaussianTheoremTest {
    private static final int REACH = 60;

    private static double eta(double c) {
        return 5 * Math.exp(-2 * Math.PI * Math.PI * c);
    }

    private static double density(double x, double variance) {
        return Math.exp(-x * x / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
    }

    /** The probabilities of −REACH … REACH. */
    private static double[] discrete(double sigma) {
        double[] probabilities = new double[2 * REACH + 1];
        for (int k = -REACH; k <= REACH; k++) {
            probabilities[k + REACH] = density(k, sigma * sigma);
        }
        double total = Arrays.stream(probabilities).sum();
        return Arrays.stream(probabilities)
                .map(probability -> probability / total)
                .toArray();
    }

    /**
     * P(k): y ~ N(0, σ² − c), then k with probability proportional to exp(−(k − y)²/2c); trapezoid rule, exact to
     * rounding here.
     */
    private static double postProcessed(int k, double sigma, double c) {
        double variance = sigma * sigma - c;
        double step = Math.sqrt(c) / 40;
        double reach = 12 * sigma;
        double sum = 0;
        for (double y = -reach; y <= reach; y += step) {
            double normaliser = 0;
            long centre = Math.round(y);
            for (long j = centre - 15; j <= centre + 15; j++) {
                normaliser += density(j - y, c);
            }
            sum += density(y, variance) * density(k - y, c) / normaliser * step;
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"0.7, 0.2", "0.7, 0.4", "1.2, 0.4", "1.2, 1", "3, 0.3", "3, 1.5"})
    void postProcessingGivesTheDiscreteGaussian(double sigma, double c) {
        for (int k = -3; k <= 3; k++) {
            double ratio = postProcessed(k, sigma, c) / discrete(sigma)[k + REACH];
            assertThat(ratio).isBetween(1 - eta(c) - 1e-9, 1 + eta(c) + 1e-9);
        }
    }

    @Test
    void theFactorIsThereAndOfTheStatedSize() {
        double worst = 0;
        for (int k = -3; k <= 3; k++) {
            worst = Math.max(worst, Math.abs(postProcessed(k, 0.7, 0.2) / discrete(0.7)[k + REACH] - 1));
        }
        assertThat(worst).isBetween(eta(0.2) / 1000, eta(0.2));
    }

    private static double discreteDelta(double epsilon, double[] probabilities, int shift) {
        double delta = 0;
        for (int k = shift; k < probabilities.length; k++) {
            delta += Math.max(0, probabilities[k - shift] - Math.exp(epsilon) * probabilities[k]);
        }
        return delta;
    }

    private static double gaussianDelta(double epsilon, double sigma, double shift) {
        double mu = shift / sigma;
        return normalCdf(mu / 2 - epsilon / mu) - Math.exp(epsilon) * normalCdf(-mu / 2 - epsilon / mu);
    }

    /** H_{e^ε}(discrete) ≤ (1 + η) H_{e^ε (1 − η)/(1 + η)}(Gaussian of variance σ² − c), for every ε. */
    @ParameterizedTest
    @ValueSource(doubles = {0.6, 0.8, 1, 1.5, 2.5, 4})
    void theDiscretePairIsDominated(double sigma) {
        double[] probabilities = discrete(sigma);
        for (double c : new double[] {0.2, 0.25, 0.35, 0.6, 1.5}) {
            if (c >= sigma * sigma) {
                continue;
            }
            double smooth = Math.sqrt(sigma * sigma - c);
            for (int shift = 1; shift <= 3; shift++) {
                for (double epsilon = 0; epsilon < 6; epsilon += 0.02) {
                    double eta = eta(c);
                    double claimed =
                            (1 + eta) * gaussianDelta(epsilon + Math.log1p(-eta) - Math.log1p(eta), smooth, shift);
                    assertThat(discreteDelta(epsilon, probabilities, shift))
                            .isLessThanOrEqualTo(claimed * (1 + 1e-9) + 1e-14);
                }
            }
        }
    }

    /** Without the c the claim would be false: the discrete pair is worse than the Gaussian of the same σ. */
    @Test
    void theSmoothingVarianceIsNeeded() {
        double[] probabilities = discrete(0.8);
        double worst = 0;
        for (double epsilon = 0; epsilon < 3; epsilon += 0.01) {
            worst = Math.max(worst, discreteDelta(epsilon, probabilities, 1) / gaussianDelta(epsilon, 0.8, 1));
        }
        assertThat(worst).isGreaterThan(1.01);
    }

    /** Two coordinates that move by one each against one Gaussian that moves by √2: the product kernel, η twice. */
    @Test
    void vectorsAreDominatedByTheirNorm() {
        double sigma = 1.1;
        double c = 0.4;
        double eta = 2 * eta(c) + eta(c) * eta(c);
        double smooth = Math.sqrt(sigma * sigma - c);
        double[] probabilities = discrete(sigma);
        double[] here = Arrays.copyOfRange(probabilities, REACH - 20, REACH + 21);
        double[] there = Arrays.copyOfRange(probabilities, REACH - 21, REACH + 20);
        for (double epsilon = 0; epsilon < 6; epsilon += 0.05) {
            double delta = 0;
            for (int i = 0; i < 41; i++) {
                for (int j = 0; j < 41; j++) {
                    delta += Math.max(0, there[i] * there[j] - Math.exp(epsilon) * here[i] * here[j]);
                }
            }
            double claimed =
                    (1 + eta) * gaussianDelta(epsilon + Math.log1p(-eta) - Math.log1p(eta), smooth, Math.sqrt(2));
            assertThat(delta).isLessThanOrEqualTo(claimed);
        }
    }
}
