package dev.tacit.audit.bound;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;

/**
 * Upper ends of the delta of an event at many epsilons: counts of runs know probabilities to a few digits, and certifying all
 * of them at each epsilon would take longer than the runs.
 *
 * <p>Sampled releases on one lattice of losses in each direction ({@link LossLaw}); everything else by the exact accountant, whose
 * closed forms are as fast.
 */
public final class LatticeDeltas {
    private static final PrivacyAccountant EXACT = new ExactAccountant();
    private static final int MOST_PHASES = 32;
    private static final long MOST_RELEASES = 1L << 20;

    private final PrivacyEvent event;
    private final Neighbours neighbours;
    private final List<LossLaw> laws;

    /** For an event and its neighbours. */
    public LatticeDeltas(PrivacyEvent event, Neighbours neighbours) {
        this.event = event;
        this.neighbours = neighbours;
        this.laws = laws(event, neighbours);
    }

    /** Delta at an epsilon, or a little more. */
    public double at(double epsilon) {
        return laws.isEmpty()
                ? EXACT.delta(event, epsilon, neighbours).upper()
                : laws.stream().mapToDouble(law -> law.delta(epsilon)).max().orElseThrow();
    }

    /** Of every alternative and direction; none at all if the accountant is to answer. */
    private static List<LossLaw> laws(PrivacyEvent event, Neighbours neighbours) {
        List<LossLaw> laws = new ArrayList<>();
        boolean sampled = false;
        try {
            for (List<Phase> phases :
                    Composition.of(event, neighbours, CurveCatalogue.standard()).alternatives()) {
                if (phases.isEmpty()
                        || phases.size() > MOST_PHASES
                        || phases.stream().anyMatch(phase -> phase.times() > MOST_RELEASES)) {
                    return List.of();
                }
                sampled |= phases.stream().anyMatch(phase -> !(phase.sampling() instanceof Sampling.None));
                laws.addAll(directions(phases, neighbours));
            }
        } catch (UnsupportedEventException e) {
            return List.of();
        }
        return sampled ? laws : List.of();
    }

    private static List<LossLaw> directions(List<Phase> phases, Neighbours neighbours)
            throws UnsupportedEventException {
        List<List<DominatingPair>> pairs = new ArrayList<>();
        int directions = 1;
        for (Phase phase : phases) {
            List<DominatingPair> ofPhase = DominatingPairs.of(phase, neighbours);
            pairs.add(ofPhase);
            directions = Math.max(directions, ofPhase.size());
        }
        List<LossLaw> laws = new ArrayList<>();
        for (int direction = 0; direction < directions; direction++) {
            List<DominatingPair> own = new ArrayList<>();
            for (List<DominatingPair> options : pairs) {
                own.add(options.get(Math.min(direction, options.size() - 1)));
            }
            double step = own.stream().mapToDouble(LossLaw::step).max().orElseThrow();
            LossLaw law = null;
            for (int i = 0; i < phases.size(); i++) {
                LossLaw phase = LossLaw.of(own.get(i), step).times(phases.get(i).times());
                law = law == null ? phase : law.and(phase);
            }
            laws.add(law);
        }
        return laws;
    }
}
