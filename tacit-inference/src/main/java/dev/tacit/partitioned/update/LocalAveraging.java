package dev.tacit.partitioned.update;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.shard.PartyShardSum;
import java.util.Objects;
import java.util.Optional;

/**
 * Local averaging: shards of a party's records each solve the party's problem as if there were N times as many of them, and
 * the changes are averaged.
 *
 * <pre>
 *   shard k    q_k = arg max N E log p(records of k | θ) − KL(q ‖ cavity)     {@link ShardSolver}
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
 * <p>Clipped: a shard's change of natural parameters in units of the prior's standard deviation, or with precisions
 * weighted, jointly, in L2.
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
            require(shards, l2Bound);
        }
    }

    /**
     * Public settings of models that are known by their gradients.
     *
     * @param shards N
     * @param solver how a shard is solved
     * @param l2Bound on a shard's change
     * @param precisionWeight factor on precisions before the clip
     */
    public record GradientSettings(int shards, ShardSolver.Settings solver, double l2Bound, double precisionWeight) {
        public GradientSettings {
            Objects.requireNonNull(solver, "solver");
            require(shards, l2Bound);
            if (!(precisionWeight > 0) || Double.isInfinite(precisionWeight)) {
                throw new IllegalArgumentException("precisionWeight is a positive number");
            }
        }
    }

    private static void require(int shards, double l2Bound) {
        if (shards < 1) {
            throw new IllegalArgumentException("shards is a number from 1");
        }
        if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
            throw new IllegalArgumentException("l2Bound is a positive number");
        }
    }

    private final ShardProblem problem;
    private final GaussianFamily family;
    private final int shards;
    private final double l2Bound;

    /** For models whose averages are known: {@link ShardSolver}. */
    public LocalAveraging(GaussianMarginModel model, Settings settings) {
        this.problem = ShardSolver.problem(model, settings.solver);
        this.family = settings.family;
        this.shards = settings.shards;
        this.l2Bound = settings.l2Bound;
    }

    /** For any model with a gradient, with independent Gaussians: {@link GradientShardSolver}. */
    public LocalAveraging(DifferentiableModel model, GradientSettings settings) {
        this.problem = GradientShardSolver.problem(model, settings);
        this.family = GaussianFamily.MEAN_FIELD;
        this.shards = settings.shards;
        this.l2Bound = settings.l2Bound;
    }

    @Override
    public String name() {
        return "local averaging";
    }

    @Override
    public GaussianFamily family() {
        return family;
    }

    /** As long as all parties have the same number of shards, by which their sums are divided after the noise. */
    @Override
    public boolean addsUp() {
        return true;
    }

    @Override
    public Optional<SumReading> sumReading() {
        return Optional.of((global, sum, noise) -> change(problem, global, sum, noise, shards, 0));
    }

    private ReleasePlan plan(int rounds) {
        return ReleasePlan.of(
                "changes of shards", rounds, family.size(problem.dimension()), new SamplingScheme.FullPass());
    }

    @Override
    public PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return plan(rounds).event(neighbours == Neighbours.ADD_REMOVE ? mechanism.scaled(0.5) : mechanism);
    }

    @Override
    public Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted {
        PrivateSession session = door.openShards(name(), shards, plan(rounds));
        return new Opened() {
            @Override
            public Change change(
                    NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random) {
                Cavity cavity = Cavity.of(global, factor, terms.prior());
                NoisySum sum = session.release(
                        PartyShardSum.of(problem.query(global, cavity.cavity(), terms.prior(), shards, random)),
                        l2Bound);
                return LocalAveraging.change(
                                problem,
                                global,
                                sum.value(),
                                sum.noiseStandardDeviation(),
                                shards,
                                cavity.raisedDirections())
                        .from(sum, l2Bound);
            }

            @Override
            public PrivacyEvent event() {
                return session.event();
            }
        };
    }

    /** A released sum over shards, with its noise, as a change of natural parameters: its average. */
    public static Change change(
            ShardProblem problem,
            NaturalGaussian like,
            double[] sum,
            double noiseStandardDeviation,
            int shards,
            int raisedDirections) {
        return new Change(
                problem.factor(like, sum).power(1.0 / shards),
                noiseStandardDeviation / (problem.unit() * shards),
                raisedDirections);
    }
}
