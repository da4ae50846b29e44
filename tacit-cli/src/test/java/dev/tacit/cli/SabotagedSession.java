package dev.tacit.cli;

import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import java.util.List;
import java.util.Optional;

/**
 * A door that was tampered with: release k comes from the k-th of other doors, with another clip, and says that it came
 * from the planned batch.
 */
class SabotagedSession extends ForwardingSession {
    private final List<PrivateSession> doors;
    private final double clipFactor;
    private final ReleasePlan plan;
    private int made;

    /**
     * @param doors one for each release, or one for all
     * @param clipFactor by how much the bound on contributions is raised
     * @param plan what is claimed
     */
    SabotagedSession(List<PrivateSession> doors, double clipFactor, ReleasePlan plan) {
        super(doors.get(0));
        this.doors = doors;
        this.clipFactor = clipFactor;
        this.plan = plan;
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        return planned(door().release(query, clipFactor * l2Bound));
    }

    private PrivateSession door() {
        return doors.get(Math.min(made, doors.size() - 1));
    }

    private NoisySum planned(NoisySum sum) {
        return sum.derived(
                sum.value(),
                sum.noiseStandardDeviation(),
                plan.phaseOf(made++).sampling().expectedBatchSize(publicSize()));
    }

    @Override
    public ReleasePlan plan() {
        return plan;
    }

    @Override
    public long released() {
        return made;
    }

    @Override
    public Optional<RunPosition> position() {
        return Optional.empty();
    }
}
