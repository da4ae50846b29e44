package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.noise.Provenance;
import java.util.Optional;

/** The door for sums over shards; as {@link PrivateSession}, with a {@link ShardSum} for a query. */
public final class ShardSession {
    private final Releases releases;
    private final ShardSummation summation;
    private final QueryCheck check;
    private final int shards;
    private final Provenance assignment;

    ShardSession(Releases releases, ShardSummation summation, QueryCheck check, int shards, Provenance assignment) {
        this.releases = releases;
        this.summation = summation;
        this.check = check;
        this.shards = shards;
        this.assignment = assignment;
    }

    /**
     * The plan's next release.
     *
     * @param query what one shard contributes; of the planned dimension
     * @param l2Bound the largest L2 norm of one shard's contribution; longer ones are shortened to it
     */
    public NoisySum release(ShardSum query, double l2Bound) {
        NoisySum sum = releases.release(query.dimension(), l2Bound, (grid, sampling, batch) -> {
            check.requireWorks(query);
            return summation.sum(query, grid, sampling, batch);
        });
        return new NoisySum(
                sum.value(),
                sum.noiseStandardDeviation(),
                sum.expectedBatchSize(),
                sum.provenance().and(assignment));
    }

    /** How many shards there are: the N of every formula. */
    public int shards() {
        return shards;
    }

    /** All releases of the session. */
    public ReleasePlan plan() {
        return releases.plan();
    }

    /** What was charged for the session. */
    public PrivacyEvent event() {
        return releases.event();
    }

    /** How many releases were made, those before a resumption included. */
    public long released() {
        return releases.released();
    }

    /** How many releases a crash took; see {@link PrivateSession#lostReleases}. */
    public long lostReleases() {
        return releases.lostReleases();
    }

    /** Where the session stands in its ledger, for checkpoints; empty if it is not private. */
    public Optional<RunPosition> position() {
        return releases.position();
    }
}
