package dev.tacit.accounting.curve;

import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A release of which only a zero-concentrated guarantee is known.
 *
 * <pre>
 *   D_a ≤ a·rho   for every order a &gt; 1
 * </pre>
 *
 * Bun, Steinke 2016, Definition 1.1. A linear bound on Rényi divergences has no dominating pair, so only Rényi
 * accounting applies. The declared rho holds for whichever neighbours are asked.
 *
 * @param rho the declared rho
 */
public record ZeroConcentratedCurves(double rho) implements MechanismCurves {
    /** The name in profiles. */
    public static final String MECHANISM = "zcdp";

    public ZeroConcentratedCurves {
        if (!(rho >= 0) || Double.isInfinite(rho)) {
            throw new IllegalArgumentException("rho must be a finite number, 0 or more");
        }
    }

    @Override
    public PrivacyProfile profile() {
        return new PrivacyProfile(MECHANISM, Map.of("rho", rho));
    }

    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        return OptionalDouble.of(rho == 0 ? 0 : order * rho);
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return Optional.empty();
    }

    @Override
    public OptionalDouble zeroConcentration(Neighbours neighbours) {
        return OptionalDouble.of(rho);
    }
}
