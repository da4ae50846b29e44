package dev.tacit.partitioned;

import dev.tacit.model.GaussianMarginModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.data.ShardSession;
import dev.tacit.privacy.data.ShardedDataset;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.sampling.SamplingScheme;
import dev.tacit.privacy.unit.Neighbours;
import java.util.Objects;

/**
 * Local averaging: shards of a party's records each solve the party's problem as if there were N times as many of them, and
 * the changes are averaged.
 *
 * <pre>
 *   shard k    q_k = arg max N E log p(records of k | θ) − KL(q ‖ cavity)                {@link ShardSolver}
 *   release    Σ_k clip(natural parameters of q_k − those of q, l2Bound) + noise          one full pass, two bounds
 *   change     the release / N
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.2, equation 4.1. Differs from the paper: likelihoods are
 * tempered by N also for shards of unequal size, which Theorem 10 needs (the code tempers by n/b_k); a shard moves by two bounds
 * when a record of it comes or goes; it is solved by natural gradients without a memory of earlier rounds.
 *
 * <p>Behind an aggregator all parties must have the same number of shards: sums are divided by it after the noise, and a
 * party with fewer shards than others would be covered by too little of theirs.
 *
 * <p>Clipped: a shard's change of natural parameters in units of the prior's standard deviation, jointly, in L2.
 */
public final class LocalAveraging implements LocalUpdate {
    /**
     * Public settings.
     *
     * @param family of the factors
     * @param shards N
     * @param solver how a shard is solved
     * @param l2Bound on a shard's change
     */
    public record Settings(GaussianFamily family, int shards, ShardSolver.Settings solver, double l2Bound) {
        public Settings {
            Objects.requireNonNull(family, "family");
            Objects.requireNonNull(solver, "solver");
            if (shards < 1) {
                throw new IllegalArgumentException("shards is a number from 1");
            }
            if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
                throw new IllegalArgumentException("l2Bound is a positive number");
            }
        }
    }

    private final GaussianMarginModel model;
    private final Settings settings;

    public LocalAveraging(GaussianMarginModel model, Settings settings) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return "local averaging";
    }

    @Override
    public GaussianFamily family() {
        return settings.family;
    }

    /** As long as all parties have the same number of shards, by which their sums are divided after the noise. */
    @Override
    public boolean addsUp() {
        return true;
    }

    private ReleasePlan plan(int rounds) {
        return ReleasePlan.of(
                "changes of shards", rounds, settings.family.size(model.dimension()), new SamplingScheme.FullPass());
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return ShardedDataset.event(plan(rounds), mechanism, neighbours);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        ShardSession session = door.openShards(name(), settings.shards, plan(rounds));
        double unit = 1 / Math.sqrt(model.priorPrecision());
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                Cavity cavity = Cavity.of(global, factor, terms.prior());
                NoisySum sum = session.release(
                        new ShardSolver(
                                model, global, cavity.cavity(), terms.prior(), unit, settings.shards, settings.solver),
                        settings.l2Bound);
                return new Change(
                        ShardSolver.inOwnUnits(global, sum.value(), unit).power(1.0 / settings.shards),
                        sum.noiseStandardDeviation() / (unit * settings.shards),
                        cavity.raisedDirections());
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }
}
