package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.noise.ExactDraws;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.privacy.sampling.SamplingScheme.FullPass;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;

/**
 * A view of private records in which a public number of shards are the records: a query sees all rows of one shard and
 * contributes one vector for it.
 *
 * <pre>
 *   shard of unit i: uniform on 1..K, independent of everything, fixed for the life of the view
 *   output = Σ_k clip(f(rows of shard k), l2Bound) + noise of noiseMultiplier · l2Bound
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, for local averaging and virtual clients, which sum over shards.
 *
 * <p><b>Sensitivity: 2 l2Bound under both neighbouring relations.</b> Give the units that two neighbours share the same
 * shards in both; that is a coupling, because shards are drawn independently for each unit, and the pair of joint laws is
 * a mixture over it, so it is enough to bound each of its cases (joint convexity). Add or remove one unit: the rows of
 * one shard change, from R to R′, all others are equal. The query may answer with anything, but clip(f(R)) and clip(f(R′))
 * both lie in the ball of radius l2Bound, so the sum moves by at most 2 l2Bound, and this is attained. Replace one unit:
 * the new one draws its shard independently, but its law does not depend on its rows, so it may be given the shard of the
 * old one in the coupling; again one shard changes, by at most 2 l2Bound. In grid units, with rounding, 2
 * {@link dev.tacit.privacy.mechanism.SumGrid#sensitivity()}. Nothing makes it less: also a shard without rows contributes.
 *
 * <p><b>Event.</b> Noise of multiplier s against a move of two bounds. The accountants move one bound under add/remove, so
 * the event there has the profile of s/2; they move two under replace-one, so there the profile is that of s, and doubling
 * again would charge for four. Shards may be sampled under replace-one only: a shard in the batch is then replaced, with
 * the pair ((1−q)F₀ + qF₁, (1−q)F₀ + qF₋₁), which is not the pair that accountants use for add/remove, where something
 * is in the batch or not there at all.
 */
public final class ShardedDataset {
    /** No release has this number, so batches, noise and shards are drawn from different forks. */
    private static final long ASSIGNMENT = -1;

    private final RecordSource records;
    private final PrivacyUnit unit;
    private final int threads;
    private final int shards;
    private final Provenance assignment;

    private final PartyShards.ShardUnits members;

    ShardedDataset(RecordSource records, PrivacyUnit unit, int threads, int shards, NoiseSource noise) {
        if (shards < 1) {
            throw new IllegalArgumentException("records are assigned to at least one shard");
        }
        this.records = records;
        this.unit = unit;
        this.threads = threads;
        this.shards = shards;
        this.assignment = noise.provenance();
        int count = Math.toIntExact(records.units());
        int[] shardOf = new int[count];
        NoiseSource draws = noise.fork(ASSIGNMENT);
        for (int i = 0; i < count; i++) {
            shardOf[i] = (int) ExactDraws.below(shards, draws);
        }
        this.members = PartyShards.ShardUnits.of(shardOf, shards);
    }

    /** What a plan is to accounting when its releases are sums over shards. */
    public static PrivacyEvent event(ReleasePlan plan, NoiseMechanism mechanism, Neighbours neighbours) {
        return plan.event(neighbours == Neighbours.ADD_REMOVE ? mechanism.scaled(0.5) : mechanism);
    }

    /** How many shards there are; public. */
    public int shards() {
        return shards;
    }

    /** Who is protected: a unit of the data set, not a shard. */
    public PrivacyUnit unit() {
        return unit;
    }

    /**
     * Charges a plan and opens the door for it.
     *
     * @param run what to do; sampling in its phases is of shards
     * @param mechanism noise of the phases whose relative noise is 1, in bounds of one shard
     * @param ledger charged with {@link #event}
     * @param noise noise, and batches of shards
     */
    public ShardSession open(RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        requireSampling(run.plan());
        PrivacyEvent event = event(run.plan(), mechanism, unit.neighbours());
        return session(ChargedReleases.charge(unit, run, event, mechanism, ledger, noise, shards));
    }

    /** The same door without noise and without a ledger: its event is not private and its epsilon unbounded. */
    public ShardSession openNotPrivate(RunRequest run, NoiseSource batches) {
        return session(new UnprotectedReleases(run, batches, shards));
    }

    private ShardSession session(Releases releases) {
        ShardSummation summation = new ShardSummation(records, unit.maxRecords(), threads, members);
        return new ShardSession(releases, summation, new QueryCheck(records.columns()), shards, assignment);
    }

    private void requireSampling(ReleasePlan plan) {
        if (plan.turns().isPresent()) {
            throw new IllegalArgumentException("a shard has records of all parties, so parties cannot take turns");
        }
        if (plan.shards().isPresent()) {
            throw new IllegalArgumentException(
                    "these shards are drawn at random, and the plan has shards by a public rule");
        }
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (unit.neighbours() == Neighbours.ADD_REMOVE && !(phase.sampling() instanceof FullPass)) {
                throw new IllegalArgumentException(
                        "under add/remove neighbours a release sees all shards: no accountant "
                                + "bounds a sample of shards, because a shard changes without leaving the batch");
            }
            if (phase.sampling() instanceof FixedSizeSampling fixed && fixed.population() != shards) {
                throw new IllegalArgumentException("batches of fixed size are drawn from the number of shards");
            }
        }
    }
}
