package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A party behind its own door: it charges its plan when it joins, answers every round once, and goes on where it was after a crash.
 *
 * <p>All rounds are charged at once. If the budget does not pay for all, the party joins for as many as it does, and says so when they
 * are over. A request that was answered is answered by the same message again, and nothing is released twice.
 */
public abstract sealed class ChargedParty implements JoinedLink permits FactorParty {
    private final String name;
    private final PartyDoor door;
    private final PartyJournal journal;
    private Optional<PrivateSession> session = Optional.empty();
    private PartyState state = PartyState.joined(Optional.empty(), 0, new RunPosition(0, "", 0), new double[0]);

    ChargedParty(String name, PartyDoor door, PartyJournal journal) {
        this.name = Objects.requireNonNull(name, "name");
        this.door = Objects.requireNonNull(door, "door");
        this.journal = Objects.requireNonNull(journal, "journal");
    }

    /** All releases of the party's first rounds. */
    interface Rounds {
        ReleasePlan plan(int rounds);
    }

    /** Why a request is refused before anything is released for it. */
    abstract Optional<Message.Reason> refusal(Message request);

    /** Whether a message asks for a release of this kind of party. */
    abstract boolean isRequest(Message message);

    /** The state at the start of a round. */
    abstract PartyState begin(PartyState before, Message request);

    /** Makes the rest of a round's releases; returns the answer. */
    abstract Message work(Message request);

    /** Charges some rounds, or as many of them as the budget pays for; returns how many. */
    final int charge(String label, Optional<String> run, int rounds, Rounds releases, double[] factor) {
        requireNew();
        int asked = run.isPresent() ? door.chargedBefore(run.get(), rounds, releases) : rounds;
        while (asked > 0 && session.isEmpty()) {
            try {
                session = Optional.of(door.open(label, releases.plan(asked), run, Optional.empty()));
            } catch (BudgetExhausted e) {
                asked = Affordable.fewer(e, asked);
            }
        }
        keep(PartyState.joined(
                run, asked, session.flatMap(PrivateSession::position).orElse(new RunPosition(0, "", 0)), factor));
        return asked;
    }

    /** Goes on from a state that was kept; a round that was under way is finished first. */
    final void reopen(String label, PartyState kept, Rounds releases) {
        requireNew();
        if (kept.roundsPaid() > 0) {
            if (kept.run().isEmpty()) {
                throw new IllegalArgumentException("a party is resumed under the name of its run; join under one");
            }
            try {
                session = Optional.of(
                        door.open(label, releases.plan(kept.roundsPaid()), kept.run(), Optional.of(kept.position())));
            } catch (BudgetExhausted e) {
                throw new IllegalStateException("a plan that was charged is not charged again", e);
            }
        }
        state = kept;
        if (state.isUnderWay()) {
            finish(state.request().orElseThrow());
        }
    }

    private void requireNew() {
        if (session.isPresent()) {
            throw new IllegalStateException("the party has joined already");
        }
    }

    @Override
    public final CompletionStage<Message> answer(Message message) {
        return CompletableFuture.completedFuture(reply(message));
    }

    /** The answer itself. */
    public final synchronized Message reply(Message message) {
        if (isRequest(message)) {
            Optional<Message> known = state.known(name, message);
            if (known.isPresent()) {
                return known.get();
            }
        }
        if (state.roundsAnswered() == state.roundsPaid()) {
            return absence(message, Message.Reason.BUDGET_SPENT);
        }
        if (!isRequest(message)) {
            throw new IllegalArgumentException("a party of factors is sent approximations");
        }
        Optional<Message.Reason> refusal = refusal(message);
        if (refusal.isPresent()) {
            return absence(message, refusal.get());
        }
        keep(begin(state, message));
        return finish(message);
    }

    private Message finish(Message request) {
        Message answer = work(request);
        keep(state.answered(answer));
        door.sealed().dropBefore(state.position().released());
        return answer;
    }

    /**
     * The next release of the round, or nothing if a crash took it: the ledger knows of it, and it is sealed nowhere. The state moves on
     * by one release with the memory that {@link #stepped} is given.
     */
    final Optional<NoisySum> release(RecordSum query, double l2Bound) {
        return session().released() > state.position().released()
                ? Optional.empty()
                : Optional.of(session().release(query, l2Bound));
    }

    /** Notes a release; between two of a round the state is kept. */
    final void stepped(double[] memory, boolean last) {
        state = state.stepped(memory);
        if (!last) {
            journal.keep(state);
        }
    }

    private void keep(PartyState next) {
        journal.keep(next);
        state = next;
    }

    final Message absence(Message request, Message.Reason reason) {
        return new Message.Absence(name, request.round(), reason);
    }

    /** A release on its way to whoever adds up. */
    final Message shared(Shares shares, Message request, NoisySum released) {
        return shares.share(
                name,
                request.round(),
                released.integers(),
                Math.getExponent(released.granularity()),
                released.noiseStandardDeviation());
    }

    final PrivateSession session() {
        return session.orElseThrow();
    }

    final PartyDoor door() {
        return door;
    }

    @Override
    public final String name() {
        return name;
    }

    /** What the party would have to be given to go on from here. */
    public final PartyState state() {
        return state;
    }

    /** How many rounds the party's budget paid for. */
    public final int roundsPaid() {
        return state.roundsPaid();
    }

    /** How many rounds the party took part in. */
    public final int roundsAnswered() {
        return state.roundsAnswered();
    }

    /** What was charged to the party's ledger. */
    public final PrivacyEvent event() {
        return session.map(PrivateSession::event).orElse(PrivacyEvent.nothing());
    }
}
