package dev.tacit.privacy.event;

import dev.tacit.privacy.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one release can reveal: each mechanism quotes its own curves, accountants only combine them.
 *
 * <p>New mechanisms implement this interface; no accountant needs to change. A curve that a mechanism cannot justify is empty, and an
 * accountant that needs it refuses. Implementations are immutable values with {@code equals}.
 */
public interface PrivacyProfile {
    /** The leaf's type in event JSON, for example {@code gaussian}. */
    String mechanism();

    /** The leaf's parameters in event JSON, in the order they are written. */
    Map<String, Double> parameters();

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
}
