package dev.tacit.accounting.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long sequences take their own route to a line of integration, with other cuts; their answers must be the same. */
class ManyPhasesTest {
    private static final double WORK = 2e8;
    private static final int COPIES = 24;

    private record Kind(double noiseMultiplier, double rate, double times) {}

    private static ContourEngine engine(List<Kind> kinds, Direction direction, int copies, double cutWidth) {
        DoubleFunction<List<MomentCurve>> curves = tail -> {
            List<MomentCurve> list = new ArrayList<>();
            for (int copy = 0; copy < copies; copy++) {
                for (Kind kind : kinds) {
                    list.add(PoissonGaussianMoments.of(
                            direction,
                            kind.noiseMultiplier(),
                            kind.rate(),
                            kind.times() * COPIES / copies,
                            tail,
                            cutWidth));
                }
            }
            return list;
        };
        double releases = COPIES * kinds.stream().mapToDouble(Kind::times).sum();
        return new ContourEngine(curves, releases, WORK);
    }

    private static void assertMeet(Optional<CertifiedInterval> first, Optional<CertifiedInterval> second) {
        assertThat(first).isPresent();
        assertThat(second).isPresent();
        assertThat(Math.max(first.get().lower(), second.get().lower()))
                .as("%s and %s", first.get(), second.get())
                .isLessThanOrEqualTo(Math.min(first.get().upper(), second.get().upper()));
        assertThat(first.get().relativeGap()).isLessThan(1e-9);
    }

    /** The same composition once as 72 curves and once as 3 that are raised to higher powers. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void splittingPhasesChangesNothing(Direction direction) {
        Random random = new Random(11);
        for (int i = 0; i < 12; i++) {
            List<Kind> kinds = new ArrayList<>();
            for (int k = 0; k < 3; k++) {
                kinds.add(new Kind(
                        0.8 + 4 * random.nextDouble(),
                        Math.pow(10, -0.3 - 2.2 * random.nextDouble()),
                        20 + random.nextInt(200)));
            }
            double delta = Math.pow(10, -2 - 12 * random.nextDouble());
            ContourEngine many = engine(kinds, direction, COPIES, PoissonGaussianMoments.WIDE_CUT_WIDTH);
            ContourEngine few = engine(kinds, direction, 1, PoissonGaussianMoments.CUT_WIDTH);
            Optional<CertifiedInterval> epsilon = many.epsilon(delta);
            assertMeet(epsilon, few.epsilon(delta));
            double between = 0.9 * epsilon.orElseThrow().upper();
            assertMeet(many.delta(between), few.delta(between));
        }
    }

    /** The bound on the characteristic function, from moments near the origin and from level sets beyond, is above it everywhere. */
    @ParameterizedTest
    @EnumSource(Direction.class)
    void decayIsBoundedEverywhere(Direction direction) {
        Random random = new Random(12);
        int count = 400;
        for (int i = 0; i < 40; i++) {
            double noiseMultiplier = 0.5 + 3 * random.nextDouble();
            double rate = Math.pow(10, -3 * random.nextDouble() - 0.05);
            double theta = Math.pow(10, -0.5 + 1.8 * random.nextDouble());
            MomentCurve curve = PoissonGaussianMoments.of(
                    direction, noiseMultiplier, rate, 1, -60, PoissonGaussianMoments.WIDE_CUT_WIDTH);
            double[] sums = new double[4];
            curve.addCumulants(theta, sums);
            double standardDeviation = Math.sqrt(sums[2]);
            double step = 0.02 / standardDeviation;
            double[][] values = new double[4][count];
            curve.addLogCharacteristic(theta, step, count, values[0], values[1], values[2], values[3]);
            MomentCurve.DecayBound bound = curve.decay(theta);
            double previous = 0;
            for (int k = 0; k < count; k++) {
                double atMost = bound.logAbsolute((k + 1) * step);
                assertThat(atMost)
                        .as("noise %s rate %s order %s frequency %s", noiseMultiplier, rate, theta, (k + 1) * step)
                        .isGreaterThanOrEqualTo(values[0][k] - values[2][k] - values[3][k])
                        .isLessThanOrEqualTo(previous);
                previous = atMost;
            }
            double nearOrigin = 0.1 / standardDeviation;
            assertThat(bound.logAbsolute(nearOrigin)).isLessThanOrEqualTo(0);
        }
    }

    /** The window of the add direction, which has no cut, misses nothing: its moments are those of a rule far wider and finer. */
    @Test
    void addDirectionMissesNoOutcome() {
        Random random = new Random(13);
        for (int i = 0; i < 60; i++) {
            double shift = Math.pow(10, 0.3 - 5 * random.nextDouble());
            double rate = Math.min(0.98, Math.pow(10, -4 * random.nextDouble()));
            double theta = 8 * Math.pow(10, random.nextDouble()) / (rate * shift * 10);
            MomentCurve curve =
                    PoissonGaussianMoments.of(Direction.ADD, 1 / shift, rate, 1, -60, PoissonGaussianMoments.CUT_WIDTH);
            double[] sums = new double[4];
            curve.addCumulants(theta, sums);
            if (Double.isNaN(sums[0])) {
                continue;
            }
            double spacing = 0.004;
            double total = 0;
            for (int k = -12_500; k <= 12_500; k++) {
                double u = k * spacing;
                double ratio = 1 + rate * Math.expm1(shift * u - 0.5 * shift * shift);
                total += spacing * Math.exp(-0.5 * u * u - theta * Math.log(ratio) - sums[0]);
            }
            assertThat(total / Math.sqrt(2 * Math.PI))
                    .as("shift %s rate %s order %s log moment %s", shift, rate, theta, sums[0])
                    .isCloseTo(1, within(1e-11 * (1 + theta * rate)));
        }
    }

    /** For a thousand phases every law is close to normal where the product decays, and the bound must say so. */
    @Test
    void decayOfManyIsNearlyThatOfANormalLaw() {
        MomentCurve curve =
                PoissonGaussianMoments.of(Direction.REMOVE, 2, 0.01, 1, -60, PoissonGaussianMoments.WIDE_CUT_WIDTH);
        double[] sums = new double[4];
        curve.addCumulants(8, sums);
        double t = 0.3 / Math.sqrt(sums[2]);
        assertThat(curve.decay(8).logAbsolute(t)).isLessThan(-0.9 * 0.045);
    }

    @Test
    void aThousandPhasesAreAnsweredTightly() {
        PrivacyEvent event = PrivacyEvent.nothing();
        for (int phase = 0; phase < 1000; phase++) {
            double share = phase / 999.0;
            event = event.then(PrivacyEvent.gaussian(1 + 2 * share)
                    .poissonSampled(0.001 * Math.pow(10, share))
                    .times(10));
        }
        EpsilonBound bound = new ExactAccountant().epsilon(event, 1e-5, Neighbours.ADD_REMOVE);
        assertThat(bound).isInstanceOfSatisfying(EpsilonBound.Between.class, between -> {
            assertThat(between.lower()).isBetween(0.733473726, 0.73347372699437);
            assertThat(between.upper()).isBetween(0.73347372699377, 0.733473728);
            assertThat(between.upper() - between.lower()).isLessThan(1e-10);
        });
    }
}
