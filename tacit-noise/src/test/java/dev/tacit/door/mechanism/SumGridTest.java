package dev.tacit.door.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.sum.UnitSum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumGridTest {
    @Test
    void refusesWhatHasNoGrid() {
        for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> SumGrid.of(1, bad, 1)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> SumGrid.of(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SumGrid(0.3, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    /** A declared billion of the longest contributions, and as many again, add up without wrapping around. */
    @ParameterizedTest
    @ValueSource(longs = {1, 1000, 20_000, 1_000_000_000L, 1L << 40, Long.MAX_VALUE / 4})
    void sumsWithoutNoiseHaveRoomForTheDeclaredSize(long publicSize) {
        for (double l2Bound : new double[] {1, 1.999999, 1e-9, 3e12}) {
            SumGrid grid = SumGrid.withoutNoise(l2Bound, 2, publicSize);
            UnitSum.Owner owner = new UnitSum.Owner(grid);
            owner.open(1);
            UnitSum sum = owner.units();
            sum.begin(0, new double[] {-l2Bound / grid.granularity(), 0});
            sum.run(0, 2);
            sum.end();
            long[] one = owner.sums();
            long all = Math.multiplyExact(Math.multiplyExact(2, publicSize), one[0]);
            assertThat(all * grid.granularity()).isEqualTo(-2.0 * publicSize * (one[0] * -grid.granularity()));
            assertThat(one[0] * grid.granularity()).isCloseTo(-l2Bound, within(grid.granularity()));
        }
        assertThat(SumGrid.withoutNoise(1, 1, 1_000_000_000L).granularity()).isLessThan(1e-8);
    }
}
