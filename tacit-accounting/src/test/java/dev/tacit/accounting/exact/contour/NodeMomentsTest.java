package dev.tacit.accounting.exact.contour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.MixtureRatio;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Characteristic functions by successive rotations, without the nodes that do not count, against sines and cosines of every node. */
class NodeMomentsTest {
    private static final double ROUNDING_OF_REFERENCE = 1e-13;

    @Test
    void rotationsStayWithinTheirBound() {
        Random random = new Random(15);
        for (int i = 0; i < 25; i++) {
            double noiseMultiplier = 0.8 + 3 * random.nextDouble();
            double rate = Math.pow(10, -0.1 - 3 * random.nextDouble());
            double theta = Math.pow(10, -0.5 + 1.5 * random.nextDouble());
            MomentCurve curve = PoissonGaussianMoments.of(
                    Direction.REMOVE, noiseMultiplier, rate, 1, -60, PoissonGaussianMoments.CUT_WIDTH);
            double[] sums = new double[4];
            curve.addCumulants(theta, sums);
            int count = 350;
            double step = 0.004 / Math.sqrt(sums[2]);
            double[][] values = new double[4][count];
            curve.addLogCharacteristic(theta, step, count, values[0], values[1], values[2], values[3]);
            for (int k = 0; k < count; k += 1 + random.nextInt(39)) {
                double[] expected = logCharacteristic(1 / noiseMultiplier, rate, theta, (k + 1) * step);
                double bound = values[2][k] + values[3][k];
                String what = "noise %s rate %s order %s frequency %s"
                        .formatted(noiseMultiplier, rate, theta, (k + 1) * step);
                assertThat(bound).as(what).isLessThan(1e-11);
                assertThat(values[0][k]).as(what).isCloseTo(expected[0], within(bound + ROUNDING_OF_REFERENCE));
                assertThat(values[1][k]).as(what).isCloseTo(expected[1], within(bound + ROUNDING_OF_REFERENCE));
            }
        }
    }

    /**
     * A rate next to 1 makes the law Gaussian, whose characteristic function is closed. At this order the exponents are near a million, so that
     * the weights have lost six digits; the bound on rounding must say so.
     */
    @Test
    void roundingOfLargeExponentsIsCounted() {
        double shift = 0.1;
        double theta = 10_000;
        int count = 60;
        double step = 0.1;
        MomentCurve curve = PoissonGaussianMoments.of(
                Direction.REMOVE, 1 / shift, Math.nextDown(1.0), 1, -1e6, PoissonGaussianMoments.CUT_WIDTH);
        curve.lawUpTo(theta);
        double[][] values = new double[4][count];
        curve.addLogCharacteristic(theta, step, count, values[0], values[1], values[2], values[3]);
        double[][] closed = new double[4][count];
        new GaussianMoments(shift, 1)
                .addLogCharacteristic(theta, step, count, closed[0], closed[1], closed[2], closed[3]);
        for (int k = 0; k < count; k++) {
            double bound = values[2][k] + values[3][k] + closed[2][k];
            double turn = Math.IEEEremainder(values[1][k] - closed[1][k], 2 * Math.PI);
            assertThat(bound).isLessThan(1e-6);
            assertThat(values[0][k]).as("modulus at %s", k).isCloseTo(closed[0][k], within(bound));
            assertThat(turn).as("phase at %s", k).isCloseTo(0, within(bound));
        }
    }

    /**
     * Moments of the same order under the same number of a law are the same, in whatever sequence orders are asked for. At these orders outcomes far
     * beyond the cut have moments of their own, which some laws include and others leave out.
     */
    @Test
    void theNumberOfALawNamesIt() {
        Random random = new Random(16);
        Map<Double, Map<Integer, Double>> logMoments = new TreeMap<>();
        MomentCurve curve =
                PoissonGaussianMoments.of(Direction.REMOVE, 0.5, 1e-14, 1, -50, PoissonGaussianMoments.WIDE_CUT_WIDTH);
        for (int i = 0; i < 400; i++) {
            double theta = 20 * (1 + random.nextInt(15));
            if (random.nextBoolean()) {
                curve.lawUpTo(theta * (1 + random.nextInt(3)));
            }
            double[] sums = new double[4];
            curve.addCumulants(theta, sums);
            if (Double.isNaN(sums[0])) {
                continue;
            }
            double before = logMoments
                    .computeIfAbsent(theta, order -> new TreeMap<>())
                    .computeIfAbsent(curve.law(), law -> sums[0]);
            assertThat(sums[0])
                    .as("order %s law %s", theta, curve.law())
                    .isCloseTo(before, within(1e-9 * (1 + Math.abs(before))));
        }
        long ambiguous = logMoments.values().stream()
                .filter(ofLaws -> Collections.max(ofLaws.values()) > 1 + Collections.min(ofLaws.values()))
                .count();
        assertThat(ambiguous).isPositive();
    }

    /** log of M(θ+it)/M(θ) by the trapezoid rule, finer than the curve needs. */
    private static double[] logCharacteristic(double shift, double rate, double theta, double t) {
        double cut = PoissonGaussianMoments.cut(Direction.REMOVE, shift, rate, -60);
        SmoothCut smooth = new SmoothCut(Double.NEGATIVE_INFINITY, cut, PoissonGaussianMoments.CUT_WIDTH);
        double spacing = 0.005;
        double total = 0;
        double cosine = 0;
        double sine = 0;
        for (int k = -2400; k * spacing < cut + 25; k++) {
            double u = k * spacing;
            double loss = MixtureRatio.log(shift, rate, u);
            double weight = Math.exp(-0.5 * u * u + (theta + 1) * loss + smooth.logKept(u));
            double half = Math.sin(0.5 * t * loss);
            total += weight;
            cosine -= 2 * weight * half * half;
            sine += weight * Math.sin(t * loss);
        }
        double real = cosine / total;
        double imaginary = sine / total;
        double square = 2 * real + real * real + imaginary * imaginary;
        return new double[] {0.5 * Math.log1p(square), Math.atan2(imaginary, 1 + real)};
    }
}
