package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.partitioned.NoiseShare;
import dev.tacit.partitioned.aggregate.GridSum;
import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The doors of several parties in one process as one: a release is the sum of what every party releases through its own.
 *
 * <pre>
 *   Σ_m (sum_m + noise_m)        noise_m is all of the noise of party m, or a share of that of the sum
 * </pre>
 *
 * So every kernel runs across parties unchanged and knows the noise of the sum. Nobody sees what a single party released. Parties on
 * machines of their own run the same kernels by module {@code tacit-federated}, behind masks.
 */
public final class PartiesSession extends ForwardingSession {
    private final List<PrivateSession> sessions;

    private PartiesSession(List<PrivateSession> sessions) {
        super(sessions.get(0));
        this.sessions = sessions;
    }

    /**
     * Charges a plan at every party, or at none: all are asked first, those whose ledger can say so whether their budget pays for it
     * ({@link dev.tacit.ledger.AskedLedger}). Only what changes between the question and the charge can stop the run when some have been
     * charged.
     *
     * @param doors of all parties: each adds all of its noise, or all share it among at most as many as they are
     */
    public static PartiesSession open(String label, ReleasePlan plan, List<PartyDoor> doors) throws BudgetExhausted {
        PartyDoor first = doors.get(0);
        for (PartyDoor door : doors) {
            if (door.noiseShare().map(NoiseShare::honestShares).orElse(0) > doors.size()) {
                throw new IllegalArgumentException("noise is shared among more parties than there are");
            }
            if (!door.noiseShare().equals(first.noiseShare())
                    || door.protection().isPresent() != first.protection().isPresent()
                    || !door.data().unit().equals(first.data().unit())) {
                throw new IllegalArgumentException(
                        "parties whose sums are added up protect the same unit, and share noise alike or not at all");
            }
        }
        for (PartyDoor door : doors) {
            door.require(label, plan);
        }
        List<PrivateSession> sessions = new ArrayList<>();
        for (PartyDoor door : doors) {
            sessions.add(door.open(label, plan));
        }
        return new PartiesSession(List.copyOf(sessions));
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        int round = (int) released();
        List<Message.SumReply> replies = new ArrayList<>();
        NoisySum last = null;
        double variance = 0;
        for (PrivateSession session : sessions) {
            last = session.release(query, l2Bound);
            double noise = last.noiseStandardDeviation();
            variance += noise * noise;
            int exponent = Math.getExponent(last.granularity());
            replies.add(new Message.SumReply("", round, LongVector.of(last.integers()), exponent, noise));
        }
        double batch = plan().phaseOf(round).sampling().expectedBatchSize(publicSize());
        return last.derived(GridSum.ofReleases(replies), Math.sqrt(variance), batch);
    }

    /** What was charged to every party's own ledger: a person's records are at one of them. */
    @Override
    public PrivacyEvent event() {
        return new PrivacyEvent.Disjoint(
                sessions.stream().map(PrivateSession::event).toList());
    }

    @Override
    public Optional<RunPosition> position() {
        return Optional.empty();
    }

    /** Of all parties. */
    @Override
    public long publicSize() {
        return sessions.stream().mapToLong(PrivateSession::publicSize).sum();
    }
}
