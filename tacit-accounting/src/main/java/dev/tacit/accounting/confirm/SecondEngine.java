package dev.tacit.accounting.confirm;

import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Optional;

/** An engine that can be asked for a second opinion on the epsilon of phases; empty if it has none. */
interface SecondEngine {
    Optional<CertifiedInterval> epsilon(List<Phase> phases, double delta, Neighbours neighbours)
            throws UnsupportedEventException;
}
