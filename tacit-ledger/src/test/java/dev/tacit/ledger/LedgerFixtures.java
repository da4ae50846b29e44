package dev.tacit.ledger;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Release;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.ledger.filter.RenyiFilter;

/** Small accountants with closed forms, so that ledger tests stand on their own and child processes start fast. */
public final class LedgerFixtures {
    static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);
    public static final LedgerAccounting ACCOUNTING =
            new LedgerAccounting(new LinearAccountant(), LedgerFixtures::divergence);

    private LedgerFixtures() {}

    /** A ledger whose filter admits Gaussian releases of this total rho, which the test can count by hand. */
    static LedgerTerms terms(double epsilon) {
        return LedgerTerms.of(UNIT, new PrivacyBudget(epsilon, 1e-5));
    }

    /** The largest total rho that the filter of {@link #terms} admits. */
    static double rhoLimit(LedgerTerms terms) {
        return terms.limit().orElseThrow().cost().loss() / filter(terms).order();
    }

    static RenyiFilter filter(LedgerTerms terms) {
        return (RenyiFilter) terms.limit().orElseThrow().filter();
    }

    /** Everything charged, as one event. */
    public static PrivacyEvent spent(PrivacyLedger ledger) {
        return new Sequence(ledger.entries().stream().map(LedgerEntry::event).toList());
    }

    /** A Gaussian release of this rho under add/remove. */
    public static PrivacyEvent gaussian(double rho) {
        return PrivacyEvent.gaussian(1 / Math.sqrt(2 * rho));
    }

    static double divergence(PrivacyEvent event, double order, Neighbours neighbours) {
        return order * rho(event);
    }

    /** The rho of Gaussian releases; +∞ for anything else. */
    static double rho(PrivacyEvent event) {
        if (event instanceof Release release && release.profile().mechanism().equals("gaussian")) {
            double noiseMultiplier = release.profile().parameters().get("noiseMultiplier");
            return 0.5 / noiseMultiplier / noiseMultiplier;
        }
        if (event instanceof Repeated repeated) {
            return repeated.times() * rho(repeated.event());
        }
        if (event instanceof Sequence sequence) {
            double sum = 0;
            for (PrivacyEvent part : sequence.events()) {
                sum += rho(part);
            }
            return sum;
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * Pretends that epsilon = 10 rho: what matters to a ledger is only that plans may be cheaper than the filter
     * says.
     */
    private static final class LinearAccountant implements PrivacyAccountant {
        @Override
        public String name() {
            return "linear";
        }

        @Override
        public EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
            double rho = rho(event);
            return Double.isInfinite(rho) && !(event instanceof PrivacyEvent.NotPrivate)
                    ? new EpsilonBound.Unsupported(event, "the fixture only knows Gaussian releases")
                    : new EpsilonBound.AtMost(10 * rho, "fixture");
        }

        @Override
        public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
            return new DeltaBound.AtMost(epsilon >= 10 * rho(event) ? 0 : 1, "fixture");
        }
    }
}
