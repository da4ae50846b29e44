package dev.tacit.accounting.curve;

import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one release of a mechanism can reveal: each mechanism quotes its own curves, accountants only combine them.
 *
 * <p>New mechanisms implement this interface and are added to a {@link CurveCatalogue}; no accountant needs to change. A curve that a
 * mechanism cannot justify is empty, and an accountant that needs it refuses. Implementations are immutable values with {@code equals}.
 */
public interface MechanismCurves {
    /** The name and the parameters that these curves belong to. */
    PrivacyProfile profile();

    /** An upper bound on the Rényi divergence of the given order (a real number above 1) between neighbouring outputs. */
    OptionalDouble renyiDivergence(double order, Neighbours neighbours);

    /**
     * An upper bound on the Rényi divergence of the given order when the release sees a Poisson sample of the records; empty if the mechanism has
     * no sharper bound than the general ones.
     */
    default OptionalDouble sampledRenyiDivergence(double order, double rate, Neighbours neighbours) {
        return OptionalDouble.empty();
    }

    /** A dominating pair (P, Q); under add/remove P is the output with the extra record. Empty if the mechanism knows none. */
    Optional<DominatingPair> dominatingPair(Neighbours neighbours);

    /**
     * A dominating pair for a release that sees a Poisson sample of the records, under replace-one neighbours. There is no general theorem, so
     * a mechanism must bring its own.
     */
    default Optional<DominatingPair> poissonReplaceOnePair(double rate) {
        return Optional.empty();
    }

    /** The smallest rho for which the release is known to be rho-zCDP. */
    default OptionalDouble zeroConcentration(Neighbours neighbours) {
        return OptionalDouble.empty();
    }

    /** The smallest epsilon for which the release is known to be epsilon-DP with delta 0. */
    default OptionalDouble pureEpsilon(Neighbours neighbours) {
        return OptionalDouble.empty();
    }

    /** One release of the mechanism. */
    default PrivacyEvent release() {
        return new PrivacyEvent.Release(profile());
    }
}
