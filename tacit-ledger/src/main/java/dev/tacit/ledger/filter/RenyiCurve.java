package dev.tacit.ledger.filter;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;

/** An upper bound on the Rényi divergence of an event at one order, for example {@code RenyiAccountant::divergence}. */
@FunctionalInterface
public interface RenyiCurve {
    /** The bound, +∞ if the event has none at this order. */
    double divergence(PrivacyEvent event, double order, Neighbours neighbours);
}
