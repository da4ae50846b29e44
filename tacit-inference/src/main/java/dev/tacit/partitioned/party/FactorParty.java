package dev.tacit.partitioned.party;

import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.gaussian.Cavity;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import dev.tacit.partitioned.shard.PartyShardSum;
import dev.tacit.partitioned.shard.RandomShards;
import java.util.Objects;
import java.util.Optional;

/**
 * A party of partitioned variational inference: its own records behind its own door, its own ledger, its own factor.
 *
 * <pre>
 *   t_m ← t_m · change^damping        change by {@link LocalSteps}, noise included
 * </pre>
 *
 * Ashman et al. 2022; Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Algorithm 1. The factor is a function of released
 * values only. Behind an aggregator a party's own factor would hold its own noise share, which nobody else knows, so that
 * later rounds would not be functions of its records and of what was released; there the party's factor is its public share
 * n_m/N of what all parties did together.
 */
public final class FactorParty extends ChargedParty {
    private final LocalSteps local;
    private final LocalSteps.Releases releases;
    private final FactorTerms terms;
    private final Optional<Shares> shares;

    /** A party that is not resumed and whose changes travel. */
    public FactorParty(String name, PartyDoor door, LocalSteps local, FactorTerms terms) {
        this(name, door, local, terms, Optional.empty(), PartyJournal.NONE);
    }

    /**
     * @param shares how what the party releases travels to an aggregator that adds up releases; empty if changes travel
     * @param journal where its state is kept
     */
    public FactorParty(
            String name,
            PartyDoor door,
            LocalSteps local,
            FactorTerms terms,
            Optional<Shares> shares,
            PartyJournal journal) {
        super(name, door, journal);
        this.local = Objects.requireNonNull(local, "local");
        this.releases = local.releases();
        this.terms = Objects.requireNonNull(terms, "terms");
        this.shares = Objects.requireNonNull(shares, "shares");
        if (terms.prior().family() != releases.family()) {
            throw new IllegalArgumentException(releases.name() + " has factors of another family than the prior is of");
        }
        if (door.sharesNoise() && terms.publicShare().isEmpty()) {
            throw new IllegalArgumentException(
                    "a share of the noise protects nobody without an aggregator; use the whole noise, or an aggregator");
        }
        if (door.sharesNoise() && !releases.addsUp()) {
            throw new IllegalArgumentException(releases.name()
                    + " cannot share noise: its changes do not add up to a sum with noise; use the whole noise");
        }
        if (shares.isPresent() && local.sumReading().isEmpty()) {
            throw new IllegalArgumentException(
                    releases.name()
                            + " has no releases to add up: its changes hold more than one; send changes, or use virtual clients");
        }
        if (shares.isPresent() && terms.publicShare().isEmpty()) {
            throw new IllegalArgumentException("a party whose releases are added up has a public share of all records");
        }
    }

    /** Charges some rounds of a run that is not resumed, or as many of them as the budget pays for; returns how many. */
    public int join(int rounds) {
        return join(Optional.empty(), rounds);
    }

    /** Charges some rounds under the name of a run, once, or as many of them as the budget pays for; returns how many. */
    public int join(String run, int rounds) {
        return join(Optional.of(run), rounds);
    }

    private int join(Optional<String> run, int rounds) {
        return charge(
                releases.name(), run, rounds, this::plan, terms.firstFactor().naturalParameters());
    }

    /** Goes on from a state that was kept, without charging anything again. */
    public void resume(PartyState kept) {
        reopen(releases.name(), kept, this::plan);
    }

    /** A party draws its shards. */
    private ReleasePlan plan(int rounds) {
        ReleasePlan plan = releases.plan(rounds);
        return local instanceof ShardSteps steps
                ? plan.seenBy(
                        new RandomShards(steps.shards(), door().data().unit().neighbours(), door().noise()))
                : plan;
    }

    @Override
    boolean isRequest(Message message) {
        return message instanceof Message.GlobalState;
    }

    @Override
    Optional<Message.Reason> refusal(Message request) {
        int numbers = ((Message.GlobalState) request).naturalParameters().size();
        if (numbers != terms.prior().naturalParameters().length) {
            return Optional.of(Message.Reason.TERMS_REFUSED);
        }
        return request.round() < 0 ? Optional.of(Message.Reason.OUT_OF_STEP) : Optional.empty();
    }

    private NaturalGaussian gaussian(DoubleVector naturalParameters) {
        return NaturalGaussian.of(releases.family(), terms.prior().dimension(), naturalParameters.toArray());
    }

    private LocalSteps.PublicPart publicPart(PartyState state) {
        return new LocalSteps.PublicPart(terms.prior(), terms.damping(), terms.random(), state.roundsAnswered());
    }

    /** The party's part of the approximation that it was sent. */
    private NaturalGaussian own(NaturalGaussian global, DoubleVector factor) {
        return terms.publicShare().isPresent()
                ? global.over(terms.prior()).power(terms.publicShare().getAsDouble())
                : gaussian(factor);
    }

    @Override
    PartyState begin(PartyState before, Message request) {
        Message.GlobalState asked = (Message.GlobalState) request;
        NaturalGaussian global = gaussian(asked.naturalParameters());
        NaturalGaussian factor = gaussian(before.factor());
        double[] memory = before.memory().toArray();
        if (before.answer().orElse(null) instanceof Message.Answer last) {
            if (asked.lastUsed() != last.round()) {
                memory = local.withoutRelease(memory);
            } else if (last instanceof Message.FactorChange change) {
                factor = factor.times(gaussian(change.change()), terms.damping());
            }
        }
        NaturalGaussian own = own(global, DoubleVector.of(factor.naturalParameters()));
        double[] begun = local.begin(
                memory,
                new LocalSteps.Round(
                        global, own, Cavity.of(global, own, terms.prior()).raised(), publicPart(before)));
        return before.begun(request, factor.naturalParameters(), begun);
    }

    @Override
    Message work(Message request) {
        NaturalGaussian global = gaussian(((Message.GlobalState) request).naturalParameters());
        Optional<NoisySum> last = Optional.empty();
        for (int step = state().steps(); step < releases.times(); step++) {
            double[] memory = state().memory().toArray();
            last = release(query(memory), releases.l2Bound());
            stepped(
                    last.isPresent()
                            ? local.after(memory, last.get(), (double) session().publicSize())
                            : local.withoutRelease(memory),
                    step + 1 == releases.times());
        }
        if (last.isEmpty() && releases.times() == 1) {
            return absence(request, Message.Reason.RELEASE_LOST);
        }
        if (shares.isPresent()) {
            return shared(shares.get(), request, last.orElseThrow());
        }
        LocalSteps.Change change = local.change(state().memory().toArray(), global, last);
        return new Message.FactorChange(
                name(),
                request.round(),
                DoubleVector.of(change.change().naturalParameters()),
                change.weightedMeanNoise(),
                Cavity.of(global, own(global, state().factor()), terms.prior()).raisedDirections());
    }

    private RecordSum query(double[] memory) {
        return local instanceof ShardSteps steps
                ? PartyShardSum.of(steps.query(memory, publicPart(state())))
                : ((RecordSteps) local).query(memory, publicPart(state()));
    }

    @Override
    public PartyTerms terms() {
        return new PartyTerms(door().sharesNoise(), event());
    }
}
