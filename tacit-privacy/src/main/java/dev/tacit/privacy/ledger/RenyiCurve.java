package dev.tacit.privacy.ledger;

import dev.tacit.privacy.accountant.UnsupportedEventException;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.unit.Neighbours;

/** An upper bound on the Rényi divergence of an event at one order, for example {@code RenyiAccountant::divergence}. */
@FunctionalInterface
public interface RenyiCurve {
    /** The bound, +∞ if the event is unbounded at this order. */
    double divergence(PrivacyEvent event, double order, Neighbours neighbours) throws UnsupportedEventException;
}
