package dev.tacit.accounting.curve;

import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A mechanism that a catalogue does not know, or parameters that it cannot read: no curve, so every accountant refuses.
 *
 * @param profile what was looked up
 */
public record UnknownCurves(PrivacyProfile profile) implements MechanismCurves {
    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        return OptionalDouble.empty();
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return Optional.empty();
    }
}
