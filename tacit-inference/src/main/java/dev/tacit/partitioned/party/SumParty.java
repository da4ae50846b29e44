package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.engine.Plans;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.query.ContributionSum;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A party that answers sums over its records and keeps nothing between two of them.
 *
 * <p>The whole plan is charged when the party joins. If its budget does not pay for all of it, it joins for the first releases
 * that it pays for, and says so when they are over. A request for another bound, dimension or phase than the plan has next is refused
 * before anything is summed or announced to the ledger.
 */
public final class SumParty implements PartyLink {
    private final String name;
    private final PartyDoor door;
    private final SumQueries queries;
    private final Shares shares;
    private Optional<PrivateSession> session = Optional.empty();
    private Optional<BoundedPlan> joined = Optional.empty();
    private int roundsPaid;
    private int roundsAnswered;
    private final AnsweredRound last = new AnsweredRound();

    /** A party whose sums travel as they are. */
    public SumParty(String name, PartyDoor door, SumQueries queries) {
        this(name, door, queries, Shares.plain());
    }

    public SumParty(String name, PartyDoor door, SumQueries queries, Shares shares) {
        this.shares = Objects.requireNonNull(shares, "shares");
        this.name = Objects.requireNonNull(name, "name");
        this.door = Objects.requireNonNull(door, "door");
        this.queries = Objects.requireNonNull(queries, "queries");
        if (shares.masked()) {
            door.requireMaskable();
        }
    }

    /** Charges a plan, or as many of its first releases as the budget pays for; returns how many. */
    public int join(String label, BoundedPlan bounded) {
        if (session.isPresent()) {
            throw new IllegalStateException("the party has joined already");
        }
        ReleasePlan plan = bounded.plan();
        int asked = Math.toIntExact(plan.releases());
        while (asked > 0 && session.isEmpty()) {
            try {
                session = Optional.of(door.open(label, Plans.first(plan, asked)));
            } catch (BudgetExhausted e) {
                asked = Affordable.fewer(e, asked);
            }
        }
        joined = Optional.of(bounded);
        roundsPaid = asked;
        return asked;
    }

    @Override
    public Message answer(Message message) {
        if (message instanceof Message.SumRequest) {
            Optional<Message> known = last.known(name, message);
            if (known.isPresent()) {
                return known.get();
            }
        }
        if (roundsAnswered == roundsPaid) {
            return new Message.Absence(name, message.round(), Message.Reason.BUDGET_SPENT);
        }
        if (message instanceof Message.RollCall) {
            return new Message.Present(name, message.round());
        }
        if (!(message instanceof Message.SumRequest request)) {
            throw new IllegalArgumentException("a party of sums is sent a query");
        }
        PrivateSession open = session.orElseThrow();
        ReleasePlan.Phase phase = open.plan().phaseOf(open.released());
        ContributionSum query = queries.query(request.query(), request.numbers());
        Optional<Message.Reason> refusal = joined.orElseThrow().refusal(open.released(), request, query.dimension());
        if (refusal.isPresent()) {
            return new Message.Absence(name, message.round(), refusal.get());
        }
        NoisySum sum = open.release(query, request.l2Bound());
        roundsAnswered++;
        return last.keep(
                request,
                shares.share(
                        name,
                        request.round(),
                        sum.value(),
                        door.gridExponent(phase.relativeNoise(), request.l2Bound(), sum.value()),
                        sum.noiseStandardDeviation()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PartyTerms terms() {
        return new PartyTerms(
                door.sharesNoise(), event(), joined.map(BoundedPlan::l2Bounds).orElse(List.of()));
    }

    /** How many releases the party's budget paid for. */
    public int roundsPaid() {
        return roundsPaid;
    }

    /** How many releases the party made. */
    public int roundsAnswered() {
        return roundsAnswered;
    }

    /** What was charged to the party's ledger. */
    public PrivacyEvent event() {
        return session.map(PrivateSession::event).orElse(PrivacyEvent.nothing());
    }
}
