package dev.tacit.engine;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Objects;
import java.util.Optional;

/** Another session, all but its releases. It reaches no record that the other one does not. */
public abstract class ForwardingSession implements PrivateSession {
    private final PrivateSession session;

    protected ForwardingSession(PrivateSession session) {
        this.session = Objects.requireNonNull(session, "session");
    }

    @Override
    public ReleasePlan plan() {
        return session.plan();
    }

    @Override
    public PrivacyEvent event() {
        return session.event();
    }

    @Override
    public Provenance provenance() {
        return session.provenance();
    }

    @Override
    public long released() {
        return session.released();
    }

    @Override
    public long lostReleases() {
        return session.lostReleases();
    }

    @Override
    public Optional<RunPosition> position() {
        return session.position();
    }

    @Override
    public long publicSize() {
        return session.publicSize();
    }

    @Override
    public PrivacyUnit unit() {
        return session.unit();
    }
}
