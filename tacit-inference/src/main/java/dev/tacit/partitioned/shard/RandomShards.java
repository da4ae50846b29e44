package dev.tacit.partitioned.shard;

import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.ReleaseView;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;

/**
 * A view of private records in which a public number of shards are the records: a query sees all rows of one shard and
 * contributes one vector for it.
 *
 * <pre>
 *   shard of unit i: uniform on 1..K, independent of everything, fixed for the life of the session
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
 * {@link dev.tacit.door.mechanism.SumGrid#sensitivity()}. Nothing makes it less: also a shard without rows contributes.
 *
 * <p><b>Event.</b> Noise of multiplier s against a move of two bounds. The accountants move one bound under add/remove, so
 * the event there has the profile of s/2; they move two under replace-one, so there the profile is that of s, and doubling
 * again would charge for four. Shards may be sampled under replace-one only: a shard in the batch is then replaced, with
 * the pair ((1−q)F₀ + qF₁, (1−q)F₀ + qF₋₁), which is not the pair that accountants use for add/remove, where something
 * is in the batch or not there at all.
 *
 * @param shards how many there are; public
 * @param neighbours of the units that are protected
 * @param noise assigns each unit to a shard
 */
public record RandomShards(int shards, Neighbours neighbours, NoiseSource noise) implements ReleaseView {
    /** No release has this number, so batches, noise and shards are drawn from different forks. */
    private static final long ASSIGNMENT = -1;

    public RandomShards {
        if (shards < 1) {
            throw new IllegalArgumentException("records are assigned to at least one shard");
        }
    }

    @Override
    public Sums over(Summation records) {
        if (!(records instanceof LocalSummation local)) {
            throw new IllegalArgumentException("shards are computed on one machine; use the local engine");
        }
        int[] shardOf = new int[Math.toIntExact(local.units())];
        NoiseSource draws = noise.fork(ASSIGNMENT);
        for (int i = 0; i < shardOf.length; i++) {
            shardOf[i] = (int) draws.below(shards);
        }
        PartyShards.ShardUnits members = PartyShards.ShardUnits.of(shardOf, shards);
        return (release, request) -> {
            if (!(request.query() instanceof PartyShardSum query)
                    || query.queries().size() != 1) {
                throw new IllegalStateException("the plan has sums over shards, and this one is over something else");
            }
            return new ShardSummation(local.records(), request.maxRecords(), local.threads(), members)
                    .sum(query.queries().get(0), request.grid(), request.sampling(), request.batch());
        };
    }

    @Override
    public void require(ReleasePlan plan, PrivacyUnit unit) {
        if (unit.neighbours() != neighbours) {
            throw new IllegalArgumentException("the shards are for " + neighbours.label()
                    + ", and the data set declares " + unit.neighbours().label());
        }
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (neighbours == Neighbours.ADD_REMOVE && !(phase.sampling() instanceof FullPass)) {
                throw new IllegalArgumentException(
                        "under add/remove neighbours a release sees all shards: no accountant "
                                + "bounds a sample of shards, because a shard changes without leaving the batch");
            }
            if (phase.sampling() instanceof FixedSizeSampling fixed && fixed.population() != shards) {
                throw new IllegalArgumentException("batches of fixed size are drawn from the number of shards");
            }
        }
    }

    @Override
    public double boundsMoved() {
        return neighbours == Neighbours.ADD_REMOVE ? 2 : 1;
    }

    @Override
    public long summands(long publicSize) {
        return shards;
    }
}
