package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;
import java.util.function.Function;

/** The door to records on this machine. */
final class LocalSession implements PrivateSession {
    private final Releases releases;
    private final BatchSummation summation;
    private final QueryCheck check;
    private final LocalDataset dataset;
    private final Function<PartyShards, ShardSummation> sharded;
    private ShardSummation shardSummation;

    /** @param sharded finds out which records are in which shard; called once, if there are any */
    LocalSession(
            Releases releases,
            BatchSummation summation,
            Function<PartyShards, ShardSummation> sharded,
            LocalDataset dataset) {
        this.releases = releases;
        this.summation = summation;
        this.sharded = sharded;
        this.dataset = dataset;
        this.check = new QueryCheck(dataset.columns());
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        if (releases.plan().shards().isPresent()) {
            throw new IllegalStateException("the plan has sums over shards, and this one is over records");
        }
        return releases.release(query.dimension(), l2Bound, (grid, sampling, batch) -> {
            check.requireWorks(query, grid);
            return summation.sum(planned(query), grid, sampling, batch);
        });
    }

    @Override
    public NoisySum release(PartyShardSum query, double l2Bound) {
        PartyShards shards = releases.plan()
                .shards()
                .orElseThrow(() -> new IllegalStateException(
                        "the plan has sums over records, which cost less than this one over shards"));
        int parties = shards.rule().parties();
        Optional<PartyTurns> turns = releases.plan().turns();
        if (query.queries().size() != 1 && (turns.isPresent() || query.queries().size() != parties)) {
            throw new IllegalArgumentException("every party that is asked has one query");
        }
        return releases.release(query.dimension(), l2Bound, (grid, sampling, batch) -> {
            query.queries().forEach(check::requireWorks);
            if (shardSummation == null) {
                shardSummation = sharded.apply(shards);
            }
            int first = turns.map(each -> each.party(releases.released())).orElse(0);
            int end = turns.isPresent() ? first + 1 : parties;
            return shardSummation.sum(query, first, end, shards.shards(), grid);
        });
    }

    /** The query for the records that the plan's next release may see. */
    private RecordSum planned(RecordSum query) {
        return releases.plan()
                .turns()
                .map(turns -> turns.only(turns.party(releases.released()), query))
                .orElse(query);
    }

    @Override
    public ReleasePlan plan() {
        return releases.plan();
    }

    @Override
    public PrivacyEvent event() {
        return releases.event();
    }

    @Override
    public Provenance provenance() {
        return releases.provenance();
    }

    @Override
    public long released() {
        return releases.released();
    }

    @Override
    public long lostReleases() {
        return releases.lostReleases();
    }

    @Override
    public Optional<RunPosition> position() {
        return releases.position();
    }

    @Override
    public long publicSize() {
        return dataset.publicSize();
    }

    @Override
    public PrivacyUnit unit() {
        return dataset.unit();
    }
}
