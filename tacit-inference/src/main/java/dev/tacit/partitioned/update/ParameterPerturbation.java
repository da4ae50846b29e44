package dev.tacit.partitioned.update;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;
import java.util.Optional;

/**
 * Parameter perturbation: the party solves its problem without noise and clips and noises the change of natural parameters
 * as a whole.
 *
 * <pre>
 *   change = clip(natural parameters of q_m − those of q, l2Bound) + noise        the change moves by two bounds
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.2, Theorem 7: {@link LocalAveraging} with one shard. Kept for
 * comparison: the noise is as large as one shard's whole change, so it helps only if parties are many and there is an
 * aggregator.
 */
public final class ParameterPerturbation implements LocalUpdate {
    private final LocalAveraging oneShard;

    /**
     * @param family of the factors
     * @param solver how the party's problem is solved
     * @param l2Bound on the change
     */
    public ParameterPerturbation(
            GaussianMarginModel model, GaussianFamily family, ShardSolver.Settings solver, double l2Bound) {
        this.oneShard = new LocalAveraging(model, new LocalAveraging.Settings(family, 1, solver, l2Bound));
    }

    @Override
    public String name() {
        return "parameter perturbation";
    }

    @Override
    public GaussianFamily family() {
        return oneShard.family();
    }

    @Override
    public boolean addsUp() {
        return oneShard.addsUp();
    }

    @Override
    public Optional<SumReading> sumReading() {
        return oneShard.sumReading();
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return oneShard.event(rounds, mechanism, neighbours);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        return oneShard.open(door, terms, rounds);
    }
}
