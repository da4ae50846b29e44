package dev.tacit.privacy.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.privacy.noise.GaussianSampler;
import dev.tacit.privacy.noise.ReplayNoise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumGridTest {
    private static double norm(long[] sums) {
        double total = 0;
        for (long sum : sums) {
            total += (double) sum * sum;
        }
        return Math.sqrt(total);
    }

    private static long[] added(SumGrid grid, double... contribution) {
        long[] sums = new long[grid.dimension()];
        grid.add(contribution, 0, sums);
        return sums;
    }

    /** Clipped vectors of all shapes, and the worst case for rounding: all coordinates half a step off the grid. */
    @Test
    void noContributionMovesTheSumsByMoreThanTheSensitivity() {
        ReplayNoise random = ReplayNoise.ofSeed(9);
        for (int dimension : new int[] {1, 2, 3, 5, 64, 1001}) {
            SumGrid grid = SumGrid.of(0.8, 1.7, dimension);
            for (int trial = 0; trial < 200; trial++) {
                double[] vector = new double[dimension];
                double squares = 0;
                for (int i = 0; i < dimension; i++) {
                    vector[i] = GaussianSampler.next(random);
                    if (trial % 2 == 1) {
                        vector[i] = (Math.rint(vector[i] / grid.granularity()) + 0.5) * grid.granularity();
                    }
                    squares += vector[i] * vector[i];
                }
                double weight = Math.min(1, 1.7 / Math.sqrt(squares));
                for (int i = 0; i < dimension; i++) {
                    vector[i] *= weight;
                }
                long[] sums = added(grid, vector);
                assertThat(norm(sums)).isLessThanOrEqualTo(grid.sensitivity());
                for (int i = 0; i < dimension; i++) {
                    assertThat(Math.abs(sums[i] * grid.granularity() - vector[i]))
                            .isLessThanOrEqualTo(grid.granularity() / 2);
                }
            }
        }
    }

    @Test
    void whatWasNotClippedCountsAsZero() {
        SumGrid grid = SumGrid.of(1, 1, 3);
        assertThat(added(grid, 0.6, 0.8, 0)).isNotEqualTo(new long[3]);
        double[][] bad = {
            {0.6, 0.8, 0.1},
            {1.00001, 0, 0},
            {1e200, 0, 0},
            {Double.NaN, 0, 0},
            {0, Double.POSITIVE_INFINITY, 0},
            {0, 0, Double.NEGATIVE_INFINITY},
            {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE}
        };
        for (double[] vector : bad) {
            assertThat(added(grid, vector)).containsOnly(0);
        }
        assertThat(added(grid, Double.MIN_VALUE, -0.0, 1e-300)).containsOnly(0);
    }

    @Test
    void aNonFiniteValueAnywhereZeroesTheWholeContribution() {
        for (int dimension = 1; dimension < 12; dimension++) {
            for (int place = 0; place < dimension; place++) {
                double[] vector = new double[dimension];
                java.util.Arrays.fill(vector, 0.1);
                vector[place] = Double.NaN;
                assertThat(added(SumGrid.of(1, 1, dimension), vector)).containsOnly(0);
            }
        }
    }

    @Test
    void sumsDoNotDependOnOrderAndWrapAround() {
        SumGrid grid = SumGrid.of(1, 1, 1);
        long[] sums = {Long.MAX_VALUE};
        grid.add(new double[] {1}, 0, sums);
        assertThat(sums[0]).isNegative();
        grid.add(new double[] {-1}, 0, sums);
        assertThat(sums[0]).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void refusesWhatHasNoGrid() {
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> SumGrid.of(1, bad, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SumGrid.of(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SumGrid(0.3, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SumGrid.of(1, 1, 2).add(new double[2], 0, new long[3]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** A declared billion of the longest contributions, and as many again, add up without wrapping around. */
    @ParameterizedTest
    @ValueSource(longs = {1, 1000, 20_000, 1_000_000_000L, 1L << 40, Long.MAX_VALUE / 4})
    void sumsWithoutNoiseHaveRoomForTheDeclaredSize(long publicSize) {
        for (double l2Bound : new double[] {1, 1.999999, 1e-9, 3e12}) {
            SumGrid grid = SumGrid.withoutNoise(l2Bound, 2, publicSize);
            long[] one = new long[2];
            grid.add(new double[] {-l2Bound, 0}, 0, one);
            long all = Math.multiplyExact(Math.multiplyExact(2, publicSize), one[0]);
            assertThat(all * grid.granularity()).isEqualTo(-2.0 * publicSize * (one[0] * -grid.granularity()));
            assertThat(one[0] * grid.granularity()).isCloseTo(-l2Bound, within(grid.granularity()));
        }
        assertThat(SumGrid.withoutNoise(1, 1, 1_000_000_000L).granularity()).isLessThan(1e-8);
    }
}
