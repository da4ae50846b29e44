package dev.tacit.model.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import org.junit.jupiter.api.Test;

class GammaDenoiserTest {
    private static final long SEED = 8;

    /** Mean and variance by the midpoint rule over s = t^p with p a = 2, or p = 1 from a = 2 on: no pole at 0. */
    private static double[] integrated(double shape, double x, double tau, double sd) {
        int steps = 200_000;
        double power = Math.max(1, 2 / shape);
        double highest = Math.pow(Math.max(0, x) + 14 * sd, 1 / power);
        double peak = Double.NEGATIVE_INFINITY;
        double[] sums = new double[3];
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < steps; i++) {
                double t = (i + 0.5) / steps * highest;
                double s = Math.pow(t, power);
                // s^(a−1) ds = p t^(p a − 1) dt
                double log = (power * shape - 1) * Math.log(t) - shape * s / tau - (x - s) * (x - s) / (2 * sd * sd);
                if (pass == 0) {
                    peak = Math.max(peak, log);
                } else {
                    double weight = Math.exp(log - peak);
                    sums[0] += weight;
                    sums[1] += weight * s;
                    sums[2] += weight * s * s;
                }
            }
        }
        double mean = sums[1] / sums[0];
        return new double[] {mean, sums[2] / sums[0] - mean * mean};
    }

    @Test
    void isTheIntegral() {
        RandomStream random = RandomStream.ofSeed(SEED);
        for (double shape : new double[] {0.1, 0.5, 1, 2}) {
            GammaDenoiser denoiser = new GammaDenoiser(shape);
            for (int trial = 0; trial < 25; trial++) {
                double sd = Math.exp(4 * random.normal());
                double tau = sd * Math.exp(-5 + 8 * random.uniform());
                double x = sd * (-10 + 60 * random.uniform());
                double[] exact = integrated(shape, x, tau, sd);
                String where = "shape " + shape + " x/sd " + x / sd + " tau/sd " + tau / sd;
                assertThat(denoiser.mean(x, tau, sd)).as(where).isCloseTo(exact[0], within(2e-4 * exact[0]));
                assertThat(denoiser.variance(x, tau, sd)).as(where).isCloseTo(exact[1], within(2e-3 * exact[1]));
            }
        }
    }

    @Test
    void isASoftThreshold() {
        GammaDenoiser denoiser = new GammaDenoiser(0.5);
        double before = 0;
        for (double x = -30; x < 60; x += 0.25) {
            double mean = denoiser.mean(x, 0.3, 1);
            assertThat(mean).isGreaterThanOrEqualTo(before);
            assertThat(denoiser.variance(x, 0.3, 1)).isBetween(0.0, 2.0);
            before = mean;
        }
        assertThat(denoiser.mean(0, 1e-3, 1)).isBetween(0.9e-3, 1.1e-3);
        assertThat(denoiser.mean(-5, 1e-3, 1)).isBetween(0.9e-3, 1.1e-3);
        assertThat(denoiser.mean(1000, 500, 1)).isCloseTo(1000, within(0.1));
    }

    @Test
    void withoutNoiseThereIsNothingToDo() {
        GammaDenoiser denoiser = new GammaDenoiser(0.5);
        assertThat(denoiser.mean(3, 1, 0)).isEqualTo(3);
        assertThat(denoiser.mean(-3, 1, 0)).isZero();
        assertThat(denoiser.variance(3, 1, 0)).isZero();
        assertThat(denoiser.mean(3, 1, 1e-9)).isCloseTo(3, within(1e-8));
    }

    @Test
    void extremesStayFinite() {
        GammaDenoiser denoiser = new GammaDenoiser(0.5);
        for (double x : new double[] {-1e300, -1, 0, 1, 1e300}) {
            for (double tau : new double[] {1e-300, 1, 1e300}) {
                assertThat(denoiser.mean(x, tau, 1)).isNotNegative().isFinite();
                assertThat(denoiser.variance(x, tau, 1)).isNotNegative().isFinite();
            }
        }
        assertThatThrownBy(() -> new GammaDenoiser(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
