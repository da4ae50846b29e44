package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;

/** The door to records on this machine. */
final class LocalSession implements PrivateSession {
    private final Releases releases;
    private final BatchSummation summation;
    private final QueryCheck check;
    private final LocalDataset dataset;

    LocalSession(Releases releases, BatchSummation summation, LocalDataset dataset) {
        this.releases = releases;
        this.summation = summation;
        this.dataset = dataset;
        this.check = new QueryCheck(dataset.columns());
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        return releases.release(query.dimension(), l2Bound, (grid, sampling, batch) -> {
            check.requireWorks(query, grid);
            return summation.sum(planned(query), grid, sampling, batch);
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
