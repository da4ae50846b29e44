package dev.tacit.accounting.confirm;

import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.exact.GaussianPhases;
import dev.tacit.accounting.exact.contour.ContourEngine;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Optional;

/** The contour integral, in each direction, if every phase is Gaussian; the larger epsilon counts. */
final class ContourOpinion implements SecondEngine {
    private static final double MOST_WORK = 1e7;

    @Override
    public Optional<CertifiedInterval> epsilon(List<Phase> phases, double delta, Neighbours neighbours) {
        if (!GaussianPhases.all(phases)) {
            return Optional.empty();
        }
        boolean sampled = phases.stream().anyMatch(phase -> phase.sampling() instanceof Sampling.Poisson);
        int directions = sampled && neighbours == Neighbours.ADD_REMOVE ? 2 : 1;
        double cutWidth = ContourEngine.areMany(phases.size())
                ? PoissonGaussianMoments.WIDE_CUT_WIDTH
                : PoissonGaussianMoments.CUT_WIDTH;
        Optional<CertifiedInterval> worst = Optional.empty();
        for (int direction = 0; direction < directions; direction++) {
            Optional<CertifiedInterval> interval = GaussianPhases.contour(
                            phases, direction, neighbours, cutWidth, MOST_WORK)
                    .epsilon(delta);
            if (interval.isEmpty()) {
                return interval;
            }
            worst = Optional.of(worst.isEmpty() ? interval.get() : worst.get().max(interval.get()));
        }
        return worst;
    }
}
