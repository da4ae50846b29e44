package dev.tacit.federated.factor;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.store.Journal;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The coordinator of parties that add all of their noise themselves.
 *
 * <pre>
 *   synchronous    all parties see one q;    q ← q · (Π_m change_m)^damping    when all have answered, or enough and nobody waits longer
 *   asynchronous   q ← q · change^damping    when a change arrives; its party gets the new q at once, and nobody waits for anybody
 * </pre>
 *
 * Ashman et al. 2022, Algorithm 1; Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Algorithm 1. The machine is a fold over its journal,
 * which holds what was sent, what arrived and what was used, in this order: opened again it sends the same bytes and has the same q. It
 * knows neither network nor clock.
 */
public final class ChangeCoordinator {
    private final StudyTerms terms;
    private final byte[] binding;
    private final ChangeRules rules;
    private final Optional<Identity> identity;
    private final Journal journal;
    private final Exchange exchange;
    private final Approximation approximation;
    private final Map<Integer, ProtocolRefusal> refusals = new TreeMap<>();
    private final Set<String> sent = new HashSet<>();
    private long changes;
    private boolean hurried;
    private Optional<Envelope> result = Optional.empty();

    private ChangeCoordinator(
            StudyTerms terms, ChangeRules rules, Optional<Identity> identity, Journal journal, boolean checked)
            throws ProtocolRefusal {
        this.terms = Objects.requireNonNull(terms, "terms");
        this.binding = terms.binding();
        this.rules = Objects.requireNonNull(rules, "rules");
        this.identity = identity;
        this.journal = Objects.requireNonNull(journal, "journal");
        this.exchange = new Exchange(terms.size());
        this.approximation = new Approximation(rules, terms.size());
        for (byte[] entry : journal.entries()) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (!Arrays.equals(envelope.study(), binding)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY, "the log belongs to another study; start with an empty folder");
            }
            if (checked) {
                requireSound(envelope);
            }
            fold(envelope);
        }
    }

    /** Opens a machine where its journal stands. */
    public static ChangeCoordinator open(StudyTerms terms, ChangeRules rules, Identity identity, Journal journal)
            throws ProtocolRefusal {
        if (!Arrays.equals(identity.publicKey(), terms.coordinatorKey())) {
            throw new IllegalArgumentException("the study names another coordinator");
        }
        return new ChangeCoordinator(terms, rules, Optional.of(identity), journal, false);
    }

    /**
     * What a log led to, for those who only read it.
     *
     * @param checked whether everything that the coordinator sent is worked out again and compared, to the bit
     */
    public static ChangeCoordinator replayed(StudyTerms terms, ChangeRules rules, Journal journal, boolean checked)
            throws ProtocolRefusal {
        return new ChangeCoordinator(terms, rules, Optional.empty(), journal, checked);
    }

    private static ProtocolRefusal unsound() {
        return new ProtocolRefusal(
                Reason.MALFORMED, "the log holds something that does not follow from what stands before it");
    }

    // ---- the fold

    private void fold(Envelope envelope) throws ProtocolRefusal {
        int round = envelope.round();
        switch (envelope.kind()) {
            case STATE -> exchange.ask(envelope);
            case CHANGE -> {
                if (!exchange.change(envelope)) {
                    refusals.put(envelope.sender(), unusable(envelope.sender()));
                } else {
                    changes++;
                    if (rules.asynchronous()) {
                        approximation.use(Approximation.Used.of(envelope));
                    }
                }
            }
            case REFUSAL -> {
                ProtocolRefusal refusal = ProtocolRefusal.read(envelope.body());
                exchange.refuse(envelope, refusal.reason());
                refusals.put(envelope.sender(), refusal);
            }
            case RESULT -> {
                ResultBody body = ResultBody.read(envelope, terms.size());
                int ends = body.givenUp() ? underWay() : round;
                if (!body.used().isSubsetOf(exchange.usable(ends))) {
                    throw unsound();
                }
                if (!rules.asynchronous()) {
                    approximation.useTogether(exchange.changes(ends, body.used()));
                }
                if (!body.givenUp()) {
                    approximation.roundIsOver();
                }
                if (round == rules.rounds() - 1) {
                    result = Optional.of(envelope);
                }
            }
            default -> throw unsound();
        }
    }

    private ProtocolRefusal unusable(int party) {
        return new ProtocolRefusal(
                Reason.MALFORMED,
                "the answer of party " + terms.parties().get(party).name()
                        + " has numbers that no change of a factor can have, and is left out");
    }

    /** Whether a change that is waited for, used at once, leads to what its party was told next; nothing changes. */
    boolean leadsTo(Envelope answer, Envelope told) throws ProtocolRefusal {
        Approximation after = approximation.copy();
        if (ChangeBody.isUsable(answer)) {
            after.use(Approximation.Used.of(answer));
        }
        return Arrays.equals(
                told.body(), after.stateFor(answer.sender(), told.round()).toBytes());
    }

    /** The newest round that a party was asked for. */
    int asked(int party) {
        return exchange.newestAsked(party);
    }

    /** Whether an entry of somebody's log is one that an honest coordinator would have there. */
    private void requireSound(Envelope envelope) throws ProtocolRefusal {
        boolean sound = switch (envelope.kind()) {
            case STATE -> {
                int party = StateBody.read(envelope).party();
                yield party < terms.size()
                        && envelope.round() == nextRound(party)
                        && Arrays.equals(
                                envelope.body(),
                                approximation.stateFor(party, envelope.round()).toBytes())
                        && Arrays.equals(envelope.context(), exchange.contextFor(party));
            }
            case CHANGE -> envelope.sender() < terms.size() && fits(envelope);
            case REFUSAL ->
                envelope.sender() < terms.size()
                        && isWaitedFor(envelope)
                        && ProtocolRefusal.read(envelope.body()).isForTheRound();
            case RESULT -> isSoundEnd(envelope.round(), ResultBody.read(envelope, terms.size()));
            default -> false;
        };
        if (!sound) {
            throw unsound();
        }
    }

    private boolean isSoundEnd(int round, ResultBody body) throws ProtocolRefusal {
        int ends = underWay();
        if (result.isPresent() || round != (body.givenUp() ? rules.rounds() - 1 : ends)) {
            return false;
        }
        requireEnough(ends, body.givenUp());
        return body.used().equals(exchange.usable(ends)) && body.hash().equals(hashAfter(ends, body.used()));
    }

    /** A coordinator goes on without parties only if the study allows that so many are missing, and gives up only if it does not. */
    private void requireEnough(int round, boolean givenUp) throws ProtocolRefusal {
        boolean enough = mayEnd(round, true);
        String changesOfIt = exchange.usable(round).size() + " of " + terms.size() + " changes";
        if (enough && givenUp) {
            throw new ProtocolRefusal(
                    Reason.TOO_FEW,
                    "the study was given up in round " + (round + 1) + " with " + changesOfIt
                            + ", which were enough to go on");
        }
        if (!enough && !givenUp) {
            throw new ProtocolRefusal(
                    Reason.TOO_FEW,
                    "round " + (round + 1) + " ended with " + changesOfIt
                            + " before all parties had answered, and the study needs at least " + rules.least());
        }
    }

    // ---- messages

    /** What follows from the journal; called once after it was opened. Returns what is to be sent. */
    public List<Outgoing> start() {
        return goOn();
    }

    /** Nobody waits any longer: goes on without those who have not answered, if enough have. Returns what is to be sent. */
    public List<Outgoing> hurry() {
        hurried = true;
        List<Outgoing> out = goOn();
        hurried = false;
        return out;
    }

    /** Too few answer, for good: ends the study with the changes that are there, and says so. Returns what is to be sent. */
    public List<Outgoing> giveUp() {
        try {
            int round = underWay();
            if (result.isEmpty() && !mayEnd(round, true)) {
                end(rules.rounds() - 1, round, true);
            }
        } catch (ProtocolRefusal impossible) {
            throw unreadable(impossible);
        }
        return goOn();
    }

    /** Takes a message as it came; returns what is to be sent. */
    public List<Outgoing> receive(byte[] bytes) throws ProtocolRefusal {
        return receive(Envelope.read(bytes, terms.mostBytesOfAParty()));
    }

    /** Takes a message; one that does not fit is refused, or left, and changes nothing. Returns what is to be sent. */
    public List<Outgoing> receive(Envelope envelope) throws ProtocolRefusal {
        if (!Arrays.equals(envelope.study(), binding)) {
            throw new ProtocolRefusal(Reason.OTHER_STUDY, "a message belongs to another study");
        }
        boolean kind = envelope.kind() == MessageKind.CHANGE || envelope.kind() == MessageKind.REFUSAL;
        if (!kind || envelope.sender() >= terms.size()) {
            throw new ProtocolRefusal(Reason.NOT_SIGNED, "a message is not one of a party of the study");
        }
        Optional<Envelope> known = exchange.answer(envelope.sender(), envelope.round());
        if (known.isPresent() && known.get().saysTheSameAs(envelope)) {
            return List.of();
        }
        String name = terms.parties().get(envelope.sender()).name();
        if (!envelope.isSignedBy(terms.parties().get(envelope.sender()).identityKey())) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED, "a message in the name of party " + name + " is not signed by it");
        }
        if (envelope.kind() == MessageKind.REFUSAL) {
            ProtocolRefusal refusal = ProtocolRefusal.read(envelope.body());
            refusals.put(envelope.sender(), refusal);
            if (refusal.isForTheRound() && isWaitedFor(envelope)) {
                log(List.of(envelope));
            }
        } else if (known.isPresent() && known.get().kind() == MessageKind.CHANGE) {
            throw new ProtocolRefusal(
                    Reason.RESTORED, "party " + name + " answers a round twice; the first answer counts");
        } else if (fits(envelope)) {
            log(List.of(envelope));
        }
        return goOn();
    }

    /** Whether a party was asked in a round and has not answered, and the round is not over. */
    private boolean isWaitedFor(Envelope envelope) {
        return exchange.state(envelope.sender(), envelope.round()).isPresent()
                && exchange.answer(envelope.sender(), envelope.round()).isEmpty()
                && result.isEmpty()
                && (rules.asynchronous() || envelope.round() == roundsDone());
    }

    private boolean fits(Envelope envelope) throws ProtocolRefusal {
        if (!isWaitedFor(envelope)
                || !Arrays.equals(
                        envelope.context(),
                        exchange.state(envelope.sender(), envelope.round())
                                .orElseThrow()
                                .hash())) {
            return false;
        }
        String name = terms.parties().get(envelope.sender()).name();
        if (!ChangeBody.read(envelope).fits(name, rules.prior().naturalParameters().length)) {
            throw new ProtocolRefusal(
                    Reason.MALFORMED, "the answer of party " + name + " is not a change of a factor of this study");
        }
        return true;
    }

    private void log(List<Envelope> envelopes) throws ProtocolRefusal {
        journal.append(envelopes.stream().map(Envelope::toBytes).toList());
        for (Envelope envelope : envelopes) {
            fold(envelope);
        }
    }

    private Envelope signed(int round, MessageKind kind, byte[] context, byte[] body) {
        return Envelope.signed(identity.orElseThrow(), binding, round, kind, Envelope.COORDINATOR, context, body);
    }

    // ---- what follows

    private List<Outgoing> goOn() {
        try {
            while (result.isEmpty() && (ask() || close())) {
                hurried = false; // for one round; then until somebody is waited for
            }
        } catch (ProtocolRefusal impossible) {
            throw unreadable(impossible);
        }
        List<Outgoing> fresh = new ArrayList<>();
        for (Outgoing each : outstanding()) {
            if (sent.add(each.party() + " " + each.envelope().kind() + " "
                    + each.envelope().round())) {
                fresh.add(each);
            }
        }
        return fresh;
    }

    private static IllegalStateException unreadable(ProtocolRefusal impossible) {
        return new IllegalStateException("a message of this coordinator cannot be read", impossible);
    }

    /** The round that a party is to be asked for next. */
    private int nextRound(int party) {
        return rules.asynchronous() ? exchange.newestAnswered(party) + 1 : roundsDone();
    }

    /** Asks everybody who can be asked; false if nobody can. */
    private boolean ask() throws ProtocolRefusal {
        List<Envelope> asked = new ArrayList<>();
        for (int party = 0; party < terms.size(); party++) {
            int round = nextRound(party);
            if (round < rules.rounds() && exchange.state(party, round).isEmpty()) {
                asked.add(signed(
                        round,
                        MessageKind.STATE,
                        exchange.contextFor(party),
                        approximation.stateFor(party, round).toBytes()));
            }
        }
        if (asked.isEmpty()) {
            return false;
        }
        log(asked);
        return true;
    }

    /** Ends the round, or the study, if nobody is waited for. */
    private boolean close() throws ProtocolRefusal {
        int round = underWay();
        if (!mayEnd(round, hurried)) {
            return false;
        }
        end(round, round, false);
        return true;
    }

    /** The round that ends next; the last one if changes are used as they arrive. */
    private int underWay() {
        return rules.asynchronous() ? rules.rounds() - 1 : roundsDone();
    }

    /** Signs an end in the name of a round, with the changes of the one that is under way. */
    private void end(int named, int round, boolean givenUp) throws ProtocolRefusal {
        PartySet usable = exchange.usable(round);
        ResultBody body = new ResultBody(usable, hashAfter(round, usable), givenUp);
        log(List.of(signed(named, MessageKind.RESULT, Envelope.noContext(), body.toBytes())));
    }

    /** Whether all have answered in a round who take part in the study, or enough have and nobody waits any longer. */
    private boolean mayEnd(int round, boolean impatient) {
        return exchange.isAnswered(round)
                || (impatient && exchange.usable(round).size() >= rules.least());
    }

    /** The hash of q with the changes of a round, which are not applied yet unless they were when they arrived. */
    private String hashAfter(int round, PartySet who) throws ProtocolRefusal {
        Approximation after = approximation.copy();
        if (!rules.asynchronous()) {
            after.useTogether(exchange.changes(round, who));
        }
        return after.hash();
    }

    /** Everything that parties have not answered yet; sending it again changes nothing. */
    public List<Outgoing> outstanding() {
        List<Outgoing> out = new ArrayList<>();
        for (int party = 0; party < terms.size(); party++) {
            int place = party;
            result.or(() -> exchange.unanswered(place)).ifPresent(envelope -> out.add(new Outgoing(place, envelope)));
        }
        return out;
    }

    /** For whom a STATE is, by its place; nobody's if it cannot be read. */
    public static int receiver(Envelope state) {
        try {
            return StateBody.read(state).party();
        } catch (ProtocolRefusal unreadable) {
            return Envelope.COORDINATOR;
        }
    }

    /** Whether an end says that the study was given up; false if it cannot be read. */
    public static boolean isGivenUp(Envelope end) {
        try {
            return ResultBody.read(end, Integer.MAX_VALUE).givenUp();
        } catch (ProtocolRefusal unreadable) {
            return false;
        }
    }

    // ---- what can be seen

    /** Whether all rounds are over, or the study was given up. */
    public boolean isOver() {
        return result.isPresent();
    }

    /** How many rounds are over; of changes that are used as they arrive, how many times as many as there are parties. */
    public int roundsDone() {
        return Math.min(approximation.roundsDone(), rules.rounds());
    }

    /** How many changes arrived that can be used. */
    public long changes() {
        return changes;
    }

    /** How many changes of a party are in q. */
    public long used(int party) {
        return approximation.used(party);
    }

    /** Who is waited for. */
    public PartySet waitedFor() {
        return result.isPresent() ? PartySet.first(0) : exchange.waitedFor();
    }

    /** q as it adds up. */
    public NaturalGaussian global() {
        return approximation.global();
    }

    /** Of the noise in the weighted means of q; 0 if it went through an optimiser. */
    public double noiseVariance() {
        return approximation.noiseVariance();
    }

    /** What a party refused last, or why its last answer was left out, by its place. */
    public Map<Integer, ProtocolRefusal> refusals() {
        return Map.copyOf(refusals);
    }
}
