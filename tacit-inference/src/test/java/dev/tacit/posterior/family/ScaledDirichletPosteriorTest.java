package dev.tacit.posterior.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaledDirichletPosteriorTest {
    private static final long SEED = 3;
    private static final List<String> WORDS = List.of("a", "b", "c");

    private static ScaledDirichletPosterior one(double[] shape, double[] rate) {
        return new ScaledDirichletPosterior(List.of("topic-1"), WORDS, shape, rate);
    }

    @Test
    void equalRatesAreADirichlet() {
        double[] concentration = {0.7, 2, 5.5};
        DirichletPosterior known = new DirichletPosterior(WORDS, concentration);
        for (double rate : new double[] {1, 0.3}) {
            ScaledDirichletPosterior scaled = one(concentration, new double[] {rate, rate, rate});
            double[] point = {0.2, 0.5, 0.3};
            assertThat(scaled.logDensity(point)).isCloseTo(known.logDensity(point), within(1e-12));
            for (int i = 0; i < 3; i++) {
                assertThat(scaled.mean()[i]).isCloseTo(known.mean()[i], within(1e-15));
                assertThat(scaled.standardDeviation()[i]).isCloseTo(known.standardDeviation()[i], within(1e-15));
                assertThat(scaled.quantile(i, 0.9)).isCloseTo(known.quantile(i, 0.9), within(1e-11));
                assertThat(scaled.meanLogarithm()[i]).isCloseTo(known.meanLogarithm()[i], within(1e-12));
            }
        }
    }

    /** The density of unequal rates integrates to 1, on a grid of the triangle. */
    @Test
    void theDensityIsOne() {
        ScaledDirichletPosterior scaled = one(new double[] {2, 3.5, 2.5}, new double[] {1, 0.4, 0.1});
        int steps = 1000;
        double sum = 0;
        for (int i = 1; i < steps; i++) {
            for (int j = 1; i + j < steps; j++) {
                double x = (double) i / steps;
                double y = (double) j / steps;
                sum += Math.exp(scaled.logDensity(new double[] {x, y, 1 - x - y}));
            }
        }
        assertThat(sum / steps / steps).isCloseTo(1, within(3e-4));
    }

    /**
     * Counts of mean 40 and 60 of which one is noisier than a count. The moments are right to first order; what is
     * allowed beyond 6.5 standard errors (probability 1e-10) is the second order: V/T² − Var g/(E g T) = 1.3 % of the mean
     * (T, V of the sum), which is 8 % of a standard deviation.
     */
    @Test
    void drawsHaveTheMomentsToFirstOrder() {
        double[] mean = {40, 60, 100};
        double[] variance = {40 + 100, 60, 100 + 400};
        double[] shape = new double[3];
        double[] rate = new double[3];
        for (int i = 0; i < 3; i++) {
            shape[i] = mean[i] * mean[i] / variance[i];
            rate[i] = mean[i] / variance[i];
        }
        ScaledDirichletPosterior scaled = one(shape, rate);
        assertThat(scaled.counts()[0]).isCloseTo(40, within(1e-12));
        int draws = 40_000;
        double[] sums = new double[3];
        double[] squares = new double[3];
        double[] draw = new double[3];
        RandomStream random = RandomStream.ofSeed(SEED);
        for (int n = 0; n < draws; n++) {
            scaled.sample(random, draw);
            for (int i = 0; i < 3; i++) {
                sums[i] += draw[i];
                squares[i] += draw[i] * draw[i];
            }
        }
        for (int i = 0; i < 3; i++) {
            double sd = scaled.standardDeviation()[i];
            double found = sums[i] / draws;
            assertThat(found).as("seed " + SEED).isCloseTo(scaled.mean()[i], within((0.1 + 6.5 / 200) * sd));
            assertThat(Math.sqrt(squares[i] / draws - found * found)).isCloseTo(sd, within(0.1 * sd));
        }
    }

    @Test
    void aWildCountStillHasQuantiles() {
        ScaledDirichletPosterior scaled = one(new double[] {1e-4, 5, 5}, new double[] {1e-6, 1, 1});
        assertThat(scaled.quantile(0, 0.95)).isBetween(0.0, 1.0);
        assertThat(scaled.quantile(0, 0.05)).isBetween(0.0, scaled.quantile(0, 0.95));
    }
}
