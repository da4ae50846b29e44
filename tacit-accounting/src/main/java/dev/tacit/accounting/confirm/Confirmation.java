package dev.tacit.accounting.confirm;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.confirm.Confirmed.Agreement;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Optional;

/**
 * Asks a second engine, which shares no code with the one that answered, about an epsilon that is going to be printed.
 *
 * <pre>
 *   first [a, b], second [c, d], both certified:   refused unless a ≤ d and c ≤ b
 *   first [a, b], otherwise the Rényi bound d:     refused unless a ≤ d
 * </pre>
 *
 * Thousands of lines of certified numerics are not made trustworthy by reading them. A wrong end of an interval is found
 * here unless two different algorithms are wrong alike: an error of one per cent or more wherever the second engine
 * answers to within {@link #NARROW}. Who is asked depends on who answered: after the contour integral and what is built
 * on it, and after the optimal composition of pure releases, the lattice; after the lattice and after closed forms, which
 * read the same pairs as the lattice, the contour. What all of them share is how an event is read ({@link Composition}).
 * The epsilon that is printed is that of the first and does not move.
 */
public final class Confirmation {
    /** A second interval that is wider than this, relatively, would not notice an error of one per cent. */
    private static final double NARROW = 5e-3;

    private static final String RENYI = "the Rényi bound";

    private final SecondEngine grid;
    private final SecondEngine contour;
    private final RenyiAccountant renyi = new RenyiAccountant();

    public Confirmation() {
        this(new GridOpinion(), new ContourOpinion());
    }

    Confirmation(SecondEngine grid, SecondEngine contour) {
        this.grid = grid;
        this.contour = contour;
    }

    /**
     * Who agrees with a bound of the exact accountant.
     *
     * @throws EnginesDisagreeException if somebody contradicts it
     */
    public Confirmed confirm(EpsilonBound.Between printed, PrivacyEvent event, double delta, Neighbours neighbours) {
        Optional<CertifiedInterval> second = Optional.empty();
        if (ExactAccountant.sharesPairsWithTheLattice(printed.source())) {
            second = opinion(contour, event, delta, neighbours);
        } else {
            second = opinion(grid, event, delta, neighbours);
        }
        if (second.isPresent()) {
            CertifiedInterval other = second.get();
            require(
                    printed.lower() <= other.upper() && other.lower() <= printed.epsilon(),
                    printed,
                    other.source() + " says " + other.lower() + " to " + other.upper());
            if (other.relativeGap() <= NARROW) {
                return new Confirmed(printed.source(), other.source(), Agreement.MEET);
            }
        }
        EpsilonBound bound = renyi.epsilon(event, delta, neighbours);
        if (bound instanceof EpsilonBound.AtMost atMost && !ExactAccountant.isRenyi(printed.source())) {
            require(printed.lower() <= atMost.epsilon(), printed, RENYI + " says at most " + atMost.epsilon());
            return new Confirmed(printed.source(), RENYI, Agreement.NOT_ABOVE);
        }
        return new Confirmed(printed.source(), "", Agreement.ALONE);
    }

    private static void require(boolean agrees, EpsilonBound.Between printed, String other) {
        if (!agrees) {
            throw new EnginesDisagreeException(
                    "two ways to compute epsilon contradict each other, so nothing is printed or"
                            + " charged: " + printed.source() + " says " + printed.lower() + " to " + printed.epsilon()
                            + ", and "
                            + other + "; this is a defect of Tacit, please report it with the settings of the run");
        }
    }

    /** The opinion of an engine about the worst alternative of an event; empty if it has none about one of them. */
    private static Optional<CertifiedInterval> opinion(
            SecondEngine engine, PrivacyEvent event, double delta, Neighbours neighbours) {
        try {
            Optional<CertifiedInterval> worst = Optional.empty();
            for (List<Phase> phases : Composition.of(event, neighbours).alternatives()) {
                if (phases.isEmpty()) {
                    continue;
                }
                Optional<CertifiedInterval> interval = engine.epsilon(phases, delta, neighbours);
                if (interval.isEmpty()) {
                    return interval;
                }
                worst = Optional.of(
                        worst.isEmpty() ? interval.get() : worst.get().max(interval.get()));
            }
            return worst;
        } catch (UnsupportedEventException refusal) {
            return Optional.empty();
        }
    }
}
