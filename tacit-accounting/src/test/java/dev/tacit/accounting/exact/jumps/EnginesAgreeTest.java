package dev.tacit.accounting.exact.jumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.FixedSizeGaussianMoments;
import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.exact.grid.GridEngine;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contour engine (quadrature of moment functions), the grid engine (masses of the pairs, FFT) and the expansion by large losses share no code
 * below the interval they return, so where two of them answer, their intervals must meet.
 */
class EnginesAgreeTest {
    private static final double WORK = 2e8;

    private static void assertMeet(
            Optional<CertifiedInterval> first, Optional<CertifiedInterval> second, double mostWidth) {
        assertThat(first).isPresent();
        assertThat(second).isPresent();
        assertThat(Math.max(first.get().lower(), second.get().lower()))
                .as("%s and %s", first.get(), second.get())
                .isLessThanOrEqualTo(Math.min(first.get().upper(), second.get().upper()));
        assertThat(first.get().relativeGap()).isLessThan(mostWidth);
        assertThat(second.get().relativeGap()).isLessThan(mostWidth);
    }

    private static GridEngine grid(
            Sampling sampling, double noiseMultiplier, long times, Neighbours neighbours, int direction)
            throws UnsupportedEventException {
        Phase phase = new Phase(sampling, new GaussianCurves(noiseMultiplier), times);
        List<DominatingPair> pairs = DominatingPairs.of(phase, neighbours);
        return new GridEngine(List.of(new GridEngine.Factor(pairs.get(Math.min(direction, pairs.size() - 1)), times)));
    }

    private static ContourEngine contour(DoubleFunction<MomentCurve> curve, long times) {
        return new ContourEngine(tail -> List.of(curve.apply(tail)), (double) times, WORK);
    }

    @ParameterizedTest
    @CsvSource({"1.0, 0.1, 12, 1e-5", "0.7, 0.3, 25, 1e-9", "2.0, 0.02, 40, 1e-6", "5.0, 0.5, 30, 1e-3"})
    void poissonInBothDirectionsAndReplaceOne(double noiseMultiplier, double rate, long times, double delta)
            throws UnsupportedEventException {
        for (Direction direction : Direction.values()) {
            Neighbours neighbours = direction == Direction.REPLACE ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
            GridEngine grid = grid(
                    new Sampling.Poisson(rate), noiseMultiplier, times, neighbours, direction == Direction.ADD ? 1 : 0);
            ContourEngine contour = contour(
                    tail -> PoissonGaussianMoments.of(
                            direction, noiseMultiplier, rate, (double) times, tail, PoissonGaussianMoments.CUT_WIDTH),
                    times);
            assertMeet(contour.epsilon(delta), grid.epsilon(delta, 1e-5), 1e-4);
            double between = 0.8 * contour.epsilon(delta).orElseThrow().upper();
            assertMeet(contour.delta(between), grid.delta(between, 1e-5), 1e-2);
        }
    }

    @ParameterizedTest
    @CsvSource({"2.0, 1, 10, 90, 1e-5", "4.0, 1, 20, 60, 1e-6", "2.5, 3, 10, 80, 1e-4"})
    void fixedSize(double noiseMultiplier, long batch, long population, long times, double delta)
            throws UnsupportedEventException {
        Sampling.FixedSize sampling = new Sampling.FixedSize(batch, population);
        GridEngine grid = grid(sampling, noiseMultiplier, times, Neighbours.REPLACE_ONE, 0);
        ContourEngine contour = contour(
                tail -> FixedSizeGaussianMoments.of(noiseMultiplier, sampling.rate(), (double) times, tail), times);
        assertMeet(contour.epsilon(delta), grid.epsilon(delta, 1e-5), 1e-4);
    }

    @ParameterizedTest
    @CsvSource({"0.7, 2.5e-5, 16000, 1e-4", "0.6, 1e-4, 50000, 1e-8", "0.8, 2.2e-5, 1829200, 1e-5"})
    void expansionByLargeLosses(double noiseMultiplier, double rate, long times, double delta) {
        ContourEngine contour = contour(
                tail -> PoissonGaussianMoments.of(
                        Direction.REMOVE,
                        noiseMultiplier,
                        rate,
                        (double) times,
                        tail,
                        PoissonGaussianMoments.CUT_WIDTH),
                times);
        JumpExpansion jumps = new JumpExpansion(
                Direction.REMOVE,
                List.of(new JumpExpansion.Sampled(noiseMultiplier, rate, (double) times)),
                List.of(),
                WORK);
        Optional<CertifiedInterval> epsilon = contour.epsilon(delta);
        assertMeet(epsilon, jumps.epsilon(delta), 1e-8);
        double near = epsilon.orElseThrow().upper();
        assertMeet(contour.delta(near), jumps.delta(near), 1e-6);
    }

    /** Two releases leave the characteristic function large up to high frequencies, where the inner rule must hold what it promises. */
    @ParameterizedTest
    @CsvSource({"3.5", "4", "4.5", "5", "6", "7"})
    void everySplitGivesTheSameSum(double near) {
        double noiseMultiplier = 1.786;
        double rate = 0.008541;
        double epsilon = 0.04632812704431942;
        double sum = 0;
        for (int k = 0; k <= 2; k++) {
            JumpCount jumps = new JumpCount(
                    List.of(new JumpCount.Split(
                            PoissonGaussianMoments.below(Direction.REMOVE, noiseMultiplier, rate, 2, near),
                            PoissonGaussianMoments.between(Direction.REMOVE, noiseMultiplier, rate, 1, near, 9.73))),
                    k,
                    k);
            sum += new ContourEngine(ignored -> List.of(jumps), 2, 1e9)
                    .lineAt(epsilon)
                    .estimate(epsilon);
        }
        assertThat(sum).isCloseTo(3.331e-6, withinPercentage(1e-11));
    }

    /** Orders so high that outcomes far beyond the cut would dominate must not be mixed with a law that leaves those out. */
    @Test
    void oneLawPerIntegral() {
        ContourEngine contour = contour(
                tail -> PoissonGaussianMoments.of(
                        Direction.REMOVE, 0.4706625580816131, 5.661221002832948e-12, 40, tail, 1.0 / 16),
                40);
        contour.epsilon(2.1359897338778358e-7)
                .ifPresent(interval -> assertThat(interval.upper()).isZero());
    }

    /** δ(0) ≤ 2·rate·P(|Z| ≤ shift/2) is below this delta, so the answer is 0; a plan with moments of two laws finds 4.2. */
    @Test
    void aPlanKeepsToOneLaw() {
        ContourEngine contour = new ContourEngine(
                tail -> List.of(PoissonGaussianMoments.of(
                        Direction.REMOVE, 0.66321061923546, 5.19454486912343E-9, 2, tail, 1.0 / 16)),
                2,
                2e7);
        contour.epsilon(7.64888051055412E-9)
                .ifPresent(interval -> assertThat(interval.lower()).isZero());
    }

    @Test
    void expansionOfSeveralPhases() {
        ContourEngine contour = new ContourEngine(
                tail -> List.of(
                        PoissonGaussianMoments.of(
                                Direction.REMOVE, 0.7, 2.5e-5, 16000, tail, PoissonGaussianMoments.CUT_WIDTH),
                        PoissonGaussianMoments.of(
                                Direction.REMOVE, 0.9, 1e-4, 3000, tail, PoissonGaussianMoments.CUT_WIDTH)),
                19000,
                WORK);
        JumpExpansion jumps = new JumpExpansion(
                Direction.REMOVE,
                List.of(new JumpExpansion.Sampled(0.7, 2.5e-5, 16000), new JumpExpansion.Sampled(0.9, 1e-4, 3000)),
                List.of(),
                WORK);
        assertMeet(contour.epsilon(1e-4), jumps.epsilon(1e-4), 1e-6);
    }

    /** So little noise that the rule would need more nodes than there is memory for: this once ended in an exception. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-9, 1e-6, 1e-3})
    void hardlyAnyNoiseOnFixedSizeBatches(double noiseMultiplier) {
        PrivacyEvent event =
                PrivacyEvent.gaussian(noiseMultiplier).fixedSizeSampled(1, 60).times(200);
        EpsilonBound epsilon = new ExactAccountant().epsilon(event, 1e-5, Neighbours.REPLACE_ONE);
        double lossOfOne = 2 / (noiseMultiplier * noiseMultiplier);
        assertThat(epsilon.upper()).isBetween(lossOfOne, 201 * lossOfOne);
    }
}
