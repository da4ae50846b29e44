package dev.tacit.partitioned.party;

import dev.tacit.door.session.NoisySum;
import dev.tacit.engine.Plans;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.message.BoundedPlan;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A party that answers sums over its records and keeps nothing between two of them but its last answer.
 *
 * <p>A request for another bound, dimension or phase than the plan has next is refused before anything is summed or announced to the
 * ledger.
 */
public final class SumParty extends ChargedParty {
    private static final double[] NOTHING = {};

    private final SumQueries queries;
    private final Shares shares;
    private Optional<BoundedPlan> joined = Optional.empty();

    /** A party that is not resumed and whose sums travel as they are. */
    public SumParty(String name, PartyDoor door, SumQueries queries) {
        this(name, door, queries, Shares.plain(), PartyJournal.NONE);
    }

    public SumParty(String name, PartyDoor door, SumQueries queries, Shares shares, PartyJournal journal) {
        super(name, door, journal);
        this.shares = Objects.requireNonNull(shares, "shares");
        this.queries = Objects.requireNonNull(queries, "queries");
        if (shares.masked()) {
            door.requireMaskable();
        }
    }

    /** Charges a plan of a run that is not resumed, or as many of its first releases as the budget pays for; returns how many. */
    public int join(String label, BoundedPlan bounded) {
        return join(label, Optional.empty(), bounded);
    }

    /** Charges a plan under the name of a run, once, or as many of its first releases as the budget pays for; returns how many. */
    public int join(String label, String run, BoundedPlan bounded) {
        return join(label, Optional.of(run), bounded);
    }

    private int join(String label, Optional<String> run, BoundedPlan bounded) {
        int paid = charge(
                label,
                run,
                Math.toIntExact(bounded.plan().releases()),
                releases -> Plans.first(bounded.plan(), releases),
                NOTHING);
        joined = Optional.of(bounded);
        return paid;
    }

    @Override
    boolean join(Message.Terms offered) {
        boolean fits = offered.factors().isEmpty() && door().sharesNoiseAs(offered.sharing());
        if (fits) {
            join(offered.model(), offered.run(), offered.plan());
        }
        return fits;
    }

    /** Goes on from a state that was kept, without charging anything again. */
    public void resume(String label, BoundedPlan bounded, PartyState kept) {
        joined = Optional.of(bounded);
        reopen(label, kept, releases -> Plans.first(bounded.plan(), releases));
    }

    @Override
    boolean isRequest(Message message) {
        return message instanceof Message.SumRequest;
    }

    @Override
    Optional<Message.Reason> refusal(Message request) {
        Message.SumRequest asked = (Message.SumRequest) request;
        int dimension = queries.query(asked.query(), asked.numbers()).dimension();
        return joined.orElseThrow().refusal(session().released(), asked, dimension);
    }

    @Override
    PartyState begin(PartyState before, Message request) {
        return before.begun(request, NOTHING, NOTHING);
    }

    @Override
    Message work(Message request) {
        Message.SumRequest asked = (Message.SumRequest) request;
        Optional<NoisySum> sum = release(queries.query(asked.query(), asked.numbers()), asked.l2Bound());
        stepped(NOTHING, true);
        return sum.isPresent() ? shared(shares, request, sum.get()) : absence(request, Message.Reason.RELEASE_LOST);
    }

    @Override
    public PartyTerms terms() {
        return new PartyTerms(
                door().sharesNoise(), event(), joined.map(BoundedPlan::l2Bounds).orElse(List.of()));
    }
}
