package dev.tacit.accounting.compose;

import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.FixedSizeSampledPair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.ReversedPair;
import dev.tacit.door.unit.Neighbours;
import java.util.List;

/**
 * Which dominating pairs describe one release of a phase: the only place where sampling theorems are applied to pairs.
 *
 * <pre>
 *   no sampling               the mechanism's own pair
 *   Poisson, add/remove       ((1 − rate)Q + rate·P, Q) and its reverse   Zhu, Dong, Wang 2022, Theorem 11
 *   Poisson, replace-one      the pair the mechanism brings              {@link MechanismCurves#poissonReplaceOnePair}
 *   fixed size, replace-one   the two-branch pair                        {@link FixedSizeSampledPair}
 * </pre>
 *
 * The list holds the directions: one symmetric pair that covers both, or two pairs. Directions are composed separately
 * over all phases and the larger result counts; taking the larger curve before composing is not valid.
 */
public final class DominatingPairs {
    private DominatingPairs() {}

    /**
     * The directions of one release of the phase: first the one in which P has the extra record, then, unless
     * symmetric, the other.
     */
    public static List<DominatingPair> of(Phase phase, Neighbours neighbours) throws UnsupportedEventException {
        MechanismCurves curves = phase.curves();
        if (phase.sampling() instanceof Sampling.Poisson poisson && poisson.rate() < 1) {
            if (neighbours == Neighbours.ADD_REMOVE) {
                return directions(new PoissonSampledPair(base(phase, neighbours), poisson.rate()));
            }
            return directions(curves.poissonReplaceOnePair(poisson.rate())
                    .orElseThrow(() -> new UnsupportedEventException(
                            phase.event(),
                            "no dominating pair is known for Poisson-sampled "
                                    + curves.profile().mechanism() + " noise under replace-one neighbours")));
        }
        if (phase.sampling() instanceof Sampling.FixedSize fixed && fixed.batch() < fixed.population()) {
            if (neighbours == Neighbours.ADD_REMOVE) {
                throw new UnsupportedEventException(
                        phase.event(), "the population size is public under fixed-size sampling; ask with replace-one");
            }
            DominatingPair base = base(phase, neighbours);
            double rate = Math.nextUp(Math.nextUp(fixed.rate()));
            if (!base.symmetric() || base.infiniteLossMass() > 0) {
                throw new UnsupportedEventException(
                        phase.event(),
                        "fixed-size sampling is only understood for releases whose dominating pair is symmetric");
            }
            return directions(rate < 1 ? new FixedSizeSampledPair(base, rate) : base);
        }
        return directions(base(phase, neighbours));
    }

    private static DominatingPair base(Phase phase, Neighbours neighbours) throws UnsupportedEventException {
        MechanismCurves curves = phase.curves();
        return curves.dominatingPair(neighbours)
                .orElseThrow(() -> new UnsupportedEventException(
                        phase.event(),
                        "no dominating pair is known for a release of type "
                                + curves.profile().mechanism()));
    }

    private static List<DominatingPair> directions(DominatingPair pair) {
        return pair.symmetric() ? List.of(pair) : List.of(pair, ReversedPair.of(pair));
    }
}
