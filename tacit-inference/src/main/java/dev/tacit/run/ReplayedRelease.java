package dev.tacit.run;

import dev.tacit.privacy.data.ForwardingSession;
import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.PartyShardSum;
import dev.tacit.privacy.data.PrivateSession;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.ledger.RunPosition;
import java.util.Optional;

/** A session that hands out a release that was made before a crash once more: no record is looked at and no noise drawn. */
final class ReplayedRelease extends ForwardingSession {
    private final ReleaseEntry entry;

    /**
     * @param session of the run that goes on
     * @param entry the release
     */
    ReplayedRelease(PrivateSession session, ReleaseEntry entry) {
        super(session);
        this.entry = entry;
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        return entry.sum();
    }

    @Override
    public NoisySum release(PartyShardSum query, double l2Bound) {
        return entry.sum();
    }

    @Override
    public long released() {
        return entry.released() - 1;
    }

    @Override
    public long lostReleases() {
        return 0;
    }

    @Override
    public Optional<RunPosition> position() {
        return entry.position();
    }
}
