package dev.tacit.posterior.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarGaussianMixtureTest {
    /** Far components, narrow beside wide ones, tiny weights, deep tails: all against bisection. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 1e-5, 0.05, 0.31, 0.5, 0.9, 0.99999})
    void quantilesAreThoseOfBisection(double probability) {
        RandomStream random = RandomStream.ofSeed(4);
        for (int trial = 0; trial < 200; trial++) {
            int components = 1 + random.nextInt(6);
            double[] weights = new double[components];
            double[] means = new double[components];
            double[] variances = new double[components];
            for (int k = 0; k < components; k++) {
                weights[k] = Math.exp(5 * random.normal());
                means[k] = 100 * random.normal();
                variances[k] = Math.exp(4 * random.normal());
            }
            ScalarGaussianMixture mixture = new ScalarGaussianMixture(weights, means, variances);
            double expected = bisection(mixture, probability);
            double scale = Math.max(Math.abs(expected), 1);
            assertThat(mixture.quantile(probability)).as("trial %d", trial).isCloseTo(expected, within(1e-9 * scale));
        }
    }

    private static double bisection(ScalarGaussianMixture mixture, double probability) {
        double low = -1e6;
        double high = 1e6;
        for (int i = 0; i < 200; i++) {
            double middle = (low + high) / 2;
            double below = 0;
            double above = 0;
            for (int k = 0; k < mixture.components(); k++) {
                double z = (middle - mixture.means()[k]) / Math.sqrt(mixture.variances()[k]);
                below += mixture.weights()[k] * SpecialFunctions.normalCdf(z);
                above += mixture.weights()[k] * SpecialFunctions.normalCdf(-z);
            }
            boolean left = probability <= 0.5 ? below < probability : above > 1 - probability;
            low = left ? middle : low;
            high = left ? high : middle;
        }
        return high;
    }

    @Test
    void quantilesOfOneComponentAreThoseOfTheNormal() {
        ScalarGaussianMixture one = new ScalarGaussianMixture(new double[] {2}, new double[] {3}, new double[] {4});
        assertThat(one.quantile(0.975)).isCloseTo(3 + 2 * 1.959963984540054, within(1e-12));
        assertThat(one.quantile(0.5)).isEqualTo(3);
    }
}
