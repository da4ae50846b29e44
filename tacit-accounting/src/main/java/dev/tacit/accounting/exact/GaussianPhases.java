package dev.tacit.accounting.exact;

import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.FixedSizeGaussianMoments;
import dev.tacit.accounting.exact.contour.GaussianMoments;
import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;

/** Gaussian phases as the contour engine takes them: one curve of moments for each, in one direction. */
public final class GaussianPhases {
    private GaussianPhases() {}

    /** Whether every phase releases Gaussian noise. */
    public static boolean all(List<Phase> phases) {
        return phases.stream().allMatch(phase -> phase.curves() instanceof GaussianCurves);
    }

    /**
     * The engine for all phases.
     *
     * @param direction 0 if P has the extra record, 1 for the other way round
     * @param cutWidth how smoothly the rarest losses are cut off
     * @param mostWork how many evaluations are worth a try
     */
    public static ContourEngine contour(
            List<Phase> phases, int direction, Neighbours neighbours, double cutWidth, double mostWork) {
        double releases = 0;
        for (Phase phase : phases) {
            releases += (double) phase.times();
        }
        return new ContourEngine(tail -> curves(phases, direction, neighbours, tail, cutWidth), releases, mostWork);
    }

    static Direction way(int direction, Neighbours neighbours) {
        return neighbours == Neighbours.REPLACE_ONE
                ? Direction.REPLACE
                : direction == 0 ? Direction.REMOVE : Direction.ADD;
    }

    /** The moment curves of the phases in one direction. */
    static List<MomentCurve> curves(
            List<Phase> phases, int direction, Neighbours neighbours, double logTailMass, double cutWidth) {
        List<MomentCurve> curves = new ArrayList<>();
        for (Phase phase : phases) {
            GaussianCurves gaussian = (GaussianCurves) phase.curves();
            if (phase.sampling() instanceof Sampling.Poisson poisson) {
                curves.add(PoissonGaussianMoments.of(
                        way(direction, neighbours),
                        gaussian.noiseMultiplier(),
                        poisson.rate(),
                        (double) phase.times(),
                        logTailMass,
                        cutWidth));
            } else if (phase.sampling() instanceof Sampling.FixedSize fixed) {
                curves.add(FixedSizeGaussianMoments.of(
                        gaussian.noiseMultiplier(), fixed.rate(), (double) phase.times(), logTailMass));
            } else {
                curves.add(new GaussianMoments(gaussian.shift(neighbours), (double) phase.times()));
            }
        }
        return curves;
    }
}
