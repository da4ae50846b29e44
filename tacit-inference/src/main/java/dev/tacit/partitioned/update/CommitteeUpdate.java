package dev.tacit.partitioned.update;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;
import java.util.Objects;

/**
 * The Bayesian committee machine: every party fits its records on its own, once, and the fits are multiplied.
 *
 * <pre>
 *   same prior    q_m ∝ p · likelihood_m,             q = p · Π_m (q_m / p)
 *   split prior   q_m ∝ p^(n_m/N) · likelihood_m,     q = Π_m q_m
 * </pre>
 *
 * Tresp 2000; the baseline of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023. As a {@link LocalUpdate}: the change is q_m over
 * the prior that the party used, and a {@link Coordinator} with {@link Coordinator.Settings#once} multiplies them. Privacy and
 * clipping are those of {@link DpOptimisation}.
 */
public final class CommitteeUpdate implements LocalUpdate {
    private final DpOptimisation optimisation;
    private final double priorShare;

    /** @param priorShare 1 for the same prior, n_m/N for a split one */
    public CommitteeUpdate(DpOptimisation optimisation, double priorShare) {
        this.optimisation = Objects.requireNonNull(optimisation, "optimisation");
        if (!(priorShare > 0 && priorShare <= 1)) {
            throw new IllegalArgumentException("a share of the prior is a number above 0 and up to 1");
        }
        this.priorShare = priorShare;
    }

    @Override
    public String name() {
        return "committee machine";
    }

    @Override
    public GaussianFamily family() {
        return GaussianFamily.MEAN_FIELD;
    }

    @Override
    public boolean addsUp() {
        return optimisation.addsUp();
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return optimisation.event(rounds, mechanism, neighbours);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        PrivateSession session = door.open(name(), optimisation.plan(rounds));
        NaturalGaussian own = terms.prior().power(priorShare);
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                NaturalGaussian fit = optimisation.climb(session, terms.prior(), own, terms.prior(), random);
                return new Change(fit.over(own), 0, 0);
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }
}
