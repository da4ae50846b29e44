package dev.tacit.partitioned.shard;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.ReleaseView;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import java.util.Objects;
import java.util.Optional;

/**
 * What the releases of a plan see of parties that are parts of one table: one party at a time, shards of parties, or shards of
 * one party at a time.
 *
 * <p>{@link PartyTurns} and {@link PartyShards} say why what they charge holds.
 *
 * @param turns if each release sees the records of one party only; then all phases have the same noise and sampling
 * @param shards if releases are sums over shards of parties, whose contributions one record moves by two bounds
 */
public record PartyView(Optional<PartyTurns> turns, Optional<PartyShards> shards) implements ReleaseView {
    public PartyView {
        Objects.requireNonNull(turns, "turns");
        Objects.requireNonNull(shards, "shards");
        if (turns.isEmpty() && shards.isEmpty()) {
            throw new IllegalArgumentException("a view of parties has turns or shards");
        }
        if (turns.isPresent()
                && shards.isPresent()
                && !turns.get().rule().equals(shards.get().rule())) {
            throw new IllegalArgumentException("the parties that take turns are those that have the shards");
        }
    }

    /** Each release sees one party only. */
    public static PartyView of(PartyTurns turns) {
        return new PartyView(Optional.of(turns), Optional.empty());
    }

    /** Each release is a sum over shards. */
    public static PartyView of(PartyShards shards) {
        return new PartyView(Optional.empty(), Optional.of(shards));
    }

    /** The turns of a plan, if it has any. */
    public static Optional<PartyTurns> turnsOf(ReleasePlan plan) {
        return plan.view().flatMap(view -> view instanceof PartyView parties ? parties.turns : Optional.empty());
    }

    /** The shards of a plan, if it has any. */
    public static Optional<PartyShards> shardsOf(ReleasePlan plan) {
        return plan.view().flatMap(view -> view instanceof PartyView parties ? parties.shards : Optional.empty());
    }

    @Override
    public Sums over(Summation records) {
        if (shards.isEmpty()) {
            PartyTurns order = turns.orElseThrow();
            return (release, request) -> records.sum(request.of(order.only(order.party(release), request.query())));
        }
        if (!(records instanceof LocalSummation local)) {
            throw new IllegalArgumentException("shards of parties are computed on one machine; use the local engine");
        }
        return new ShardSums(local, shards.get());
    }

    /** Which records are in which shard is found out at the first release, and does not change. */
    private final class ShardSums implements Sums {
        private final LocalSummation local;
        private final PartyShards shards;
        private ShardSummation summation;

        ShardSums(LocalSummation local, PartyShards shards) {
            this.local = local;
            this.shards = shards;
        }

        @Override
        public long[] of(long release, SumRequest request) {
            if (!(request.query() instanceof PartyShardSum query)) {
                throw new IllegalStateException("the plan has sums over shards, and this one is over records");
            }
            int parties = shards.rule().parties();
            if (query.queries().size() != 1
                    && (turns.isPresent() || query.queries().size() != parties)) {
                throw new IllegalArgumentException("every party that is asked has one query");
            }
            if (summation == null) {
                summation = new ShardSummation(
                        local.records(), request.maxRecords(), local.threads(), shards.assign(local.records()));
            }
            int first = turns.map(each -> each.party(release)).orElse(0);
            int end = turns.isPresent() ? first + 1 : parties;
            return summation.sum(query, first, end, shards.shards(), request.grid());
        }
    }

    @Override
    public void require(ReleasePlan plan, PrivacyUnit unit) {
        if (shards.isPresent() && unit.maxRecords() != 1) {
            throw new IllegalArgumentException("shards inside parties protect a unit of one record: the records of a"
                    + " person may be in several");
        }
        if (turns.isPresent() && (unit.neighbours() != Neighbours.ADD_REMOVE || unit.maxRecords() != 1)) {
            throw new IllegalArgumentException("parties that take turns protect a unit of one record that is added or"
                    + " removed; ask them all at the same time (schedule=synchronous)");
        }
        if (turns.isPresent() && plan.phases().size() != 1) {
            throw new IllegalArgumentException("parties take turns in a plan of equal releases only");
        }
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (shards.isPresent() && !(phase.sampling() instanceof FullPass)) {
                throw new IllegalArgumentException("a release sees all shards: no accountant bounds a sample of shards"
                        + " under add/remove, because a shard changes without leaving the batch");
            }
            if (phase.sampling() instanceof FixedSizeSampling) {
                throw new IllegalArgumentException("batches of fixed size are drawn from all records, and a release"
                        + " sees those of one party; use Poisson sampling");
            }
        }
    }

    @Override
    public double boundsMoved() {
        return shards.isPresent() ? PartyShards.BOUNDS_MOVED : 1;
    }

    @Override
    public PrivacyEvent event(PrivacyEvent once, long times) {
        return turns.isPresent() ? turns.get().event(once, times) : ReleasePlan.times(once, times);
    }
}
