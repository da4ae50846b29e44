package dev.tacit.accounting.confirm;

import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.exact.grid.GridEngine;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The dominating pairs of all phases on a lattice, in each direction; the larger epsilon counts. */
final class GridOpinion implements SecondEngine {
    private static final int MOST_PHASES = 32;
    private static final double RELATIVE_WIDTH = 4e-3;

    @Override
    public Optional<CertifiedInterval> epsilon(List<Phase> phases, double delta, Neighbours neighbours)
            throws UnsupportedEventException {
        if (phases.size() > MOST_PHASES) {
            return Optional.empty();
        }
        List<List<DominatingPair>> pairs = new ArrayList<>();
        int directions = 1;
        for (Phase phase : phases) {
            List<DominatingPair> ofPhase = DominatingPairs.of(phase, neighbours);
            pairs.add(ofPhase);
            directions = Math.max(directions, ofPhase.size());
        }
        Optional<CertifiedInterval> worst = Optional.empty();
        for (int direction = 0; direction < directions; direction++) {
            List<GridEngine.Factor> factors = new ArrayList<>();
            for (int i = 0; i < phases.size(); i++) {
                List<DominatingPair> options = pairs.get(i);
                factors.add(new GridEngine.Factor(
                        options.get(Math.min(direction, options.size() - 1)),
                        phases.get(i).times()));
            }
            Optional<CertifiedInterval> interval = new GridEngine(factors).epsilon(delta, RELATIVE_WIDTH);
            if (interval.isEmpty()) {
                return interval;
            }
            worst = Optional.of(worst.isEmpty() ? interval.get() : worst.get().max(interval.get()));
        }
        return worst;
    }
}
