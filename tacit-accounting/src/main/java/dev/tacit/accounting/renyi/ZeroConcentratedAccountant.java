package dev.tacit.accounting.renyi;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Adds zero-concentrated guarantees over releases and converts the sum at the best order.
 *
 * <pre>
 *   rho = Σ_j times_j·rho_j,     R(a) = a·rho,     then {@link RenyiConversion}
 * </pre>
 *
 * Bun, Steinke 2016, Lemma 1.7; Canonne, Kamath, Steinke 2020, Proposition 12. Sampling does not amplify a
 * zero-concentrated guarantee (Bun, Dwork, Rothblum, Steinke 2018, Section 1), so sampled releases are charged as if
 * they saw all records.
 */
public final class ZeroConcentratedAccountant implements PrivacyAccountant {
    private static final String SOURCE = "sum of rho, sampling not used; conversion of Canonne, Kamath, Steinke 2020";

    private final CurveCatalogue catalogue;

    public ZeroConcentratedAccountant() {
        this(CurveCatalogue.standard());
    }

    /** With the curves of these mechanisms. */
    public ZeroConcentratedAccountant(CurveCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public String name() {
        return "zcdp";
    }

    @Override
    public EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            double rho = rho(event, neighbours);
            return Double.isInfinite(rho)
                    ? new EpsilonBound.Unbounded("the sum of rho overflows")
                    : new EpsilonBound.AtMost(RenyiConversion.epsilon(order -> rho * order, delta), SOURCE);
        } catch (UnsupportedEventException refusal) {
            return refusal.asEpsilonBound();
        }
    }

    @Override
    public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
        Composition.requireEpsilon(epsilon);
        try {
            double rho = rho(event, neighbours);
            return new DeltaBound.AtMost(RenyiConversion.delta(order -> rho * order, epsilon), SOURCE);
        } catch (UnsupportedEventException refusal) {
            return refusal.asDeltaBound();
        }
    }

    /** The rho of the whole event, rounded up: that of its worst alternative. */
    private double rho(PrivacyEvent event, Neighbours neighbours) throws UnsupportedEventException {
        double worst = 0;
        for (List<Phase> phases : Composition.of(event, neighbours, catalogue).alternatives()) {
            double sum = 0;
            for (Phase phase : phases) {
                OptionalDouble rho = phase.curves().zeroConcentration(neighbours);
                if (rho.isEmpty()) {
                    throw new UnsupportedEventException(
                            phase.event(),
                            "no rho is known for a release of type "
                                    + phase.curves().profile().mechanism());
                }
                if (phase.sampling() instanceof Sampling.FixedSize && neighbours == Neighbours.ADD_REMOVE) {
                    throw new UnsupportedEventException(
                            phase.event(),
                            "the population size is public under fixed-size sampling; ask with replace-one");
                }
                sum += phase.times() * rho.getAsDouble();
            }
            worst = Math.max(worst, sum * (1 + Math.ulp(1.0) * (2 + phases.size())));
        }
        return worst;
    }
}
