package dev.tacit.model.mixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.session.NoisySum;
import dev.tacit.numerics.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ClusterStartTest {
    /** Centres that do not move, with the given counts. */
    private static double[] grouped(double[] points, double[] counts, int components, double reach) {
        ClusterStart start = new ClusterStart(1, components, points.length, 1, 1, 0, reach, 0.4);
        double[] sums = new double[2 * points.length];
        for (int c = 0; c < points.length; c++) {
            sums[2 * c] = counts[c];
        }
        double[] means = start.constants(points, 0, NoisySum.simulated(sums, 0, 1000));
        Arrays.sort(means);
        return means;
    }

    /** The farthest centres first would take 9 and 11 for two components, and 0 and 1 for one. */
    @Test
    void componentsOfEqualSizeArePreferred() {
        double[] means = grouped(new double[] {0, 1, 9, 11}, new double[] {101, 101, 51, 51}, 3, 2);
        assertThat(means[0]).isCloseTo(0, within(1e-12));
        assertThat(means[1]).isCloseTo(1, within(1e-12));
        assertThat(means[2]).isCloseTo(10, within(1e-12));
    }

    @Test
    void centresThatNobodyIsNearDoNotCount() {
        double[] means = grouped(new double[] {-3, 3, 40, -50, 3.5}, new double[] {200, 150, 0.5, -30, 51}, 2, 2);
        assertThat(means[0]).isCloseTo(-3, within(1e-12));
        assertThat(means[1]).isCloseTo((149 * 3 + 50 * 3.5) / 199, within(1e-12));
    }

    /** Nothing but noise still gives means among the centres. */
    @Test
    void noiseAloneIsGrouped() {
        RandomStream random = RandomStream.ofSeed(3);
        double[] points = new double[9];
        double[] counts = new double[9];
        for (int c = 0; c < points.length; c++) {
            points[c] = random.normal();
        }
        double[] means = grouped(points, counts, 3, 2);
        double[] sorted = points.clone();
        Arrays.sort(sorted);
        assertThat(means[0]).isGreaterThanOrEqualTo(sorted[0]);
        assertThat(means[2]).isLessThanOrEqualTo(sorted[8]);
    }
}
