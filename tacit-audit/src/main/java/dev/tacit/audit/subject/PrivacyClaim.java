package dev.tacit.audit.subject;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.bound.ClaimedCurve;
import dev.tacit.audit.bound.LatticeDeltas;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;

/**
 * What a run promises.
 *
 * @param event what was charged for it
 * @param neighbours for which its epsilon was computed
 * @param epsilon as printed
 * @param delta as printed
 */
public record PrivacyClaim(PrivacyEvent event, Neighbours neighbours, double epsilon, double delta) {
    /** The claim of the exact accountant about an event. */
    public static PrivacyClaim of(PrivacyEvent event, Neighbours neighbours, double delta) {
        return new PrivacyClaim(
                event, neighbours, ACCOUNTANT.epsilon(event, delta, neighbours).upper(), delta);
    }

    private static final PrivacyAccountant ACCOUNTANT = new ExactAccountant();

    /** The claim as a curve, with the printed point on it. */
    public ClaimedCurve curve() {
        LatticeDeltas deltas = new LatticeDeltas(event, neighbours);
        return new ClaimedCurve(deltas::at, epsilon).and(epsilon, delta);
    }
}
