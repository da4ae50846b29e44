package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.aggregate.Shares;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.PartyTerms;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A party of partitioned variational inference: its own records behind its own door, its own ledger, its own factor.
 *
 * <pre>
 *   t_m ← t_m · change^damping        change from a {@link LocalUpdate}, noise included
 * </pre>
 *
 * Ashman et al. 2022; Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Algorithm 1. The factor is a function of released
 * values only. Behind an aggregator a party's own factor would hold its own noise share, which nobody else knows, so that
 * later rounds would not be functions of its records and of what was released; there the party's factor is its public share
 * n_m/N of what all parties did together.
 *
 * <p>All rounds are charged when the party joins. If its budget does not pay for all, it joins for as many as it does, and
 * says so when they are over.
 */
public final class Party implements PartyLink {
    private final String name;
    private final PartyDoor door;
    private final LocalUpdate update;
    private final LocalUpdate.LocalTerms terms;
    private final OptionalDouble publicShare;
    private final RandomStream random;
    private final Optional<Shares> shares;
    private NaturalGaussian factor;
    private Optional<LocalUpdate.Opened> opened = Optional.empty();
    private Optional<NaturalGaussian> pending = Optional.empty();
    private int roundsPaid;
    private int roundsAnswered;
    private final AnsweredRound last = new AnsweredRound();

    /**
     * @param publicShare the party's share of all records behind an aggregator; empty without one
     * @param random public random numbers of the model
     */
    public Party(
            String name,
            PartyDoor door,
            LocalUpdate update,
            LocalUpdate.LocalTerms terms,
            OptionalDouble publicShare,
            RandomStream random) {
        this(name, door, update, terms, publicShare, random, Optional.empty());
    }

    /**
     * @param publicShare the party's share of all records behind an aggregator; empty without one
     * @param random public random numbers of the model
     * @param shares how what the party releases travels to an aggregator that adds up releases; empty if changes travel
     */
    public Party(
            String name,
            PartyDoor door,
            LocalUpdate update,
            LocalUpdate.LocalTerms terms,
            OptionalDouble publicShare,
            RandomStream random,
            Optional<Shares> shares) {
        this.shares = Objects.requireNonNull(shares, "shares");
        this.name = Objects.requireNonNull(name, "name");
        this.door = Objects.requireNonNull(door, "door");
        this.update = Objects.requireNonNull(update, "update");
        this.terms = Objects.requireNonNull(terms, "terms");
        this.publicShare = Objects.requireNonNull(publicShare, "publicShare");
        this.random = Objects.requireNonNull(random, "random");
        if (door.sharesNoise() && publicShare.isEmpty()) {
            throw new IllegalArgumentException(
                    "a share of the noise protects nobody without an aggregator; use the whole noise, or an aggregator");
        }
        if (door.sharesNoise() && !update.addsUp()) {
            throw new IllegalArgumentException(update.name()
                    + " cannot share noise: its changes do not add up to a sum with noise; use the whole noise");
        }
        if (shares.isPresent() && update.sumReading().isEmpty()) {
            throw new IllegalArgumentException(
                    update.name()
                            + " cannot be masked: its changes hold more than one released sum; use a plain sum, or virtual clients");
        }
        if (shares.isPresent() && publicShare.isEmpty()) {
            throw new IllegalArgumentException("a party whose releases are added up has a public share of all records");
        }
        if (shares.map(Shares::masked).orElse(false)) {
            door.requireMaskable();
        }
        this.factor = terms.firstFactor();
    }

    /** Charges the rounds, or as many of them as the budget pays for; returns how many. */
    public int join(int rounds) {
        if (opened.isPresent()) {
            throw new IllegalStateException("the party has joined already");
        }
        int asked = rounds;
        while (asked > 0 && opened.isEmpty()) {
            try {
                opened = Optional.of(update.open(door, terms, asked));
            } catch (BudgetExhausted e) {
                asked = Affordable.fewer(e, asked);
            }
        }
        roundsPaid = asked;
        return asked;
    }

    @Override
    public Message answer(Message message) {
        if (message instanceof Message.GlobalState) {
            Optional<Message> known = last.known(name, message);
            if (known.isPresent()) {
                return known.get();
            }
        }
        if (opened.isEmpty() || roundsAnswered == roundsPaid) {
            return new Message.Absence(name, message.round(), Message.Reason.BUDGET_SPENT);
        }
        if (message instanceof Message.RollCall) {
            return new Message.Present(name, message.round());
        }
        if (!(message instanceof Message.GlobalState state)) {
            throw new IllegalArgumentException("a party of factors is sent the global approximation");
        }
        if (state.round() < 0) {
            return new Message.Absence(name, state.round(), Message.Reason.OUT_OF_STEP);
        }
        NaturalGaussian global = NaturalGaussian.of(
                update.family(),
                terms.prior().dimension(),
                state.naturalParameters().toArray());
        if (state.lastAnswerUsed() && pending.isPresent()) {
            factor = factor.times(pending.get(), terms.damping());
        }
        pending = Optional.empty();
        NaturalGaussian own =
                publicShare.isPresent() ? global.over(terms.prior()).power(publicShare.getAsDouble()) : factor;
        LocalUpdate.Change change =
                opened.get().change(global, own, state.lastAnswerUsed(), random.fork(roundsAnswered));
        roundsAnswered++;
        if (shares.isPresent()) {
            LocalUpdate.Released released = change.released().orElseThrow();
            double[] numbers = released.sum().value();
            return last.keep(
                    state,
                    shares.get()
                            .share(
                                    name,
                                    state.round(),
                                    numbers,
                                    door.gridExponent(1, released.l2Bound(), numbers),
                                    released.sum().noiseStandardDeviation()));
        }
        pending = Optional.of(change.change());
        return last.keep(
                state,
                new Message.FactorChange(
                        name,
                        state.round(),
                        DoubleVector.of(change.change().naturalParameters()),
                        change.weightedMeanNoise(),
                        change.raisedDirections()));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public PartyTerms terms() {
        return new PartyTerms(door.sharesNoise(), event(), List.of());
    }

    /** How many rounds the party's budget paid for. */
    public int roundsPaid() {
        return roundsPaid;
    }

    /** How many rounds the party took part in. */
    public int roundsAnswered() {
        return roundsAnswered;
    }

    /** What was charged to the party's ledger. */
    public PrivacyEvent event() {
        return opened.map(LocalUpdate.Opened::event).orElse(PrivacyEvent.nothing());
    }
}
