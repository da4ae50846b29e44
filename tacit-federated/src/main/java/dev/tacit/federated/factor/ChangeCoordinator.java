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
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

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
    private final List<TreeMap<Integer, Envelope>> states = new ArrayList<>();
    private final List<TreeMap<Integer, Envelope>> answers = new ArrayList<>();
    private final Map<Integer, ProtocolRefusal> refusals = new TreeMap<>();
    private final int[] lastUsed;
    private final long[] used;
    private final Set<String> sent = new HashSet<>();
    private NaturalGaussian global;
    private double noiseVariance;
    private int roundsDone;
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
        this.lastUsed = new int[terms.size()];
        this.used = new long[terms.size()];
        this.global = rules.prior();
        Arrays.fill(lastUsed, Message.GlobalState.NONE_USED);
        for (int party = 0; party < terms.size(); party++) {
            states.add(new TreeMap<>());
            answers.add(new TreeMap<>());
        }
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
            case STATE -> states.get(StateBody.read(envelope).party()).put(round, envelope);
            case CHANGE -> {
                answers.get(envelope.sender()).put(round, envelope);
                changes++;
                if (rules.asynchronous()) {
                    Message.FactorChange change = ChangeBody.read(envelope).change();
                    apply(change.change().toArray(), square(change.weightedMeanNoise()));
                    note(envelope.sender(), round);
                    roundsDone = (int) (changes / terms.size());
                }
            }
            case REFUSAL -> {
                answers.get(envelope.sender()).put(round, envelope);
                refusals.put(envelope.sender(), ProtocolRefusal.read(envelope.body()));
            }
            case RESULT -> {
                if (!rules.asynchronous()) {
                    together(round, ResultBody.read(envelope, terms.size()).used());
                    roundsDone = round + 1;
                }
                if (round == rules.rounds() - 1) {
                    result = Optional.of(envelope);
                }
            }
            default -> throw unsound();
        }
    }

    /** Adds up the changes of a round as numbers, in the order of parties. */
    private void together(int round, PartySet who) throws ProtocolRefusal {
        double[] sum = new double[rules.prior().naturalParameters().length];
        double variance = 0;
        for (int party : who.places().toArray()) {
            Envelope answer = answers.get(party).get(round);
            if (answer == null || answer.kind() != MessageKind.CHANGE) {
                throw unsound();
            }
            Message.FactorChange change = ChangeBody.read(answer).change();
            double[] numbers = change.change().toArray();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += numbers[i];
            }
            variance += square(change.weightedMeanNoise());
            note(party, round);
        }
        if (who.size() > 0) {
            apply(sum, variance);
        }
    }

    private void note(int party, int round) {
        lastUsed[party] = round;
        used[party]++;
    }

    private void apply(double[] change, double variance) {
        double damping = rules.settings().damping();
        global = global.times(rules.gaussian(change), damping);
        noiseVariance += square(damping * Math.sqrt(variance));
    }

    private static double square(double value) {
        return value * value;
    }

    private NaturalGaussian read() {
        return rules.settings().repair().read(global, rules.prior(), noiseVariance, roundsDone);
    }

    /** What a party is sent in a state of the log: body and context. */
    private StateBody stateFor(int party, int round) {
        return new StateBody(
                party, new Message.GlobalState(round, DoubleVector.of(read().naturalParameters()), lastUsed[party]));
    }

    /** Whether a change that is waited for, used at once, leads to what its party was told next; nothing changes. */
    boolean leadsTo(Envelope answer, Envelope told) throws ProtocolRefusal {
        int party = answer.sender();
        NaturalGaussian before = global;
        double variance = noiseVariance;
        int done = roundsDone;
        int last = lastUsed[party];
        if (answer.kind() == MessageKind.CHANGE) {
            Message.FactorChange change = ChangeBody.read(answer).change();
            apply(change.change().toArray(), square(change.weightedMeanNoise()));
            lastUsed[party] = answer.round();
            roundsDone = (int) ((changes + 1) / terms.size());
        }
        boolean leads = Arrays.equals(told.body(), stateFor(party, told.round()).toBytes());
        global = before;
        noiseVariance = variance;
        roundsDone = done;
        lastUsed[party] = last;
        return leads;
    }

    /** The newest round that a party was asked for. */
    int asked(int party) {
        return states.get(party).lastKey();
    }

    private byte[] contextFor(int party) {
        return answers.get(party).descendingMap().values().stream()
                .filter(answer -> answer.kind() == MessageKind.CHANGE)
                .findFirst()
                .map(Envelope::hash)
                .orElseGet(Envelope::noContext);
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
                                stateFor(party, envelope.round()).toBytes())
                        && Arrays.equals(envelope.context(), contextFor(party));
            }
            case CHANGE -> envelope.sender() < terms.size() && fits(envelope);
            case REFUSAL ->
                envelope.sender() < terms.size()
                        && isWaitedFor(envelope)
                        && ProtocolRefusal.read(envelope.body()).isForTheRound();
            case RESULT -> {
                ResultBody body = ResultBody.read(envelope, terms.size());
                requireEnough(envelope.round());
                yield result.isEmpty()
                        && envelope.round() == (rules.asynchronous() ? rules.rounds() - 1 : roundsDone)
                        && body.used().equals(usable(envelope.round()))
                        && body.hash().equals(hashAfter(envelope.round(), body.used()));
            }
            default -> false;
        };
        if (!sound) {
            throw unsound();
        }
    }

    /** A coordinator goes on without parties only if the study allows that so many are missing. */
    private void requireEnough(int round) throws ProtocolRefusal {
        if (!mayEnd(round, true)) {
            throw new ProtocolRefusal(
                    Reason.TOO_FEW,
                    "round " + (round + 1) + " ended with " + usable(round).size() + " of " + terms.size()
                            + " changes before all parties had answered, and the study needs at least "
                            + rules.least());
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
        Envelope known = answers.get(envelope.sender()).get(envelope.round());
        if (known != null && known.saysTheSameAs(envelope)) {
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
        } else if (known != null && known.kind() == MessageKind.CHANGE) {
            throw new ProtocolRefusal(
                    Reason.RESTORED, "party " + name + " answers a round twice; the first answer counts");
        } else if (fits(envelope)) {
            log(List.of(envelope));
        }
        return goOn();
    }

    /** Whether a party was asked in a round and has not answered, and the round is not over. */
    private boolean isWaitedFor(Envelope envelope) {
        return states.get(envelope.sender()).containsKey(envelope.round())
                && !answers.get(envelope.sender()).containsKey(envelope.round())
                && result.isEmpty()
                && (rules.asynchronous() || envelope.round() == roundsDone);
    }

    private boolean fits(Envelope envelope) throws ProtocolRefusal {
        if (!isWaitedFor(envelope)
                || !Arrays.equals(
                        envelope.context(),
                        states.get(envelope.sender()).get(envelope.round()).hash())) {
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
            throw new IllegalStateException("a message of this coordinator cannot be read", impossible);
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

    /** The round that a party is to be asked for next. */
    private int nextRound(int party) {
        return rules.asynchronous()
                ? answers.get(party).isEmpty() ? 0 : answers.get(party).lastKey() + 1
                : roundsDone;
    }

    /** Asks everybody who can be asked; false if nobody can. */
    private boolean ask() throws ProtocolRefusal {
        List<Envelope> asked = new ArrayList<>();
        for (int party = 0; party < terms.size(); party++) {
            int round = nextRound(party);
            if (round < rules.rounds() && !states.get(party).containsKey(round)) {
                asked.add(signed(
                        round,
                        MessageKind.STATE,
                        contextFor(party),
                        stateFor(party, round).toBytes()));
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
        int round = rules.asynchronous() ? rules.rounds() - 1 : roundsDone;
        if (!mayEnd(round, hurried)) {
            return false;
        }
        PartySet usable = usable(round);
        String hash = hashAfter(round, usable);
        log(List.of(signed(round, MessageKind.RESULT, Envelope.noContext(), new ResultBody(usable, hash).toBytes())));
        return true;
    }

    /** Whether all have answered in a round, or enough have and nobody waits any longer. */
    private boolean mayEnd(int round, boolean impatient) {
        return where(party -> answers.get(party).containsKey(round)).size() == terms.size()
                || (impatient && usable(round).size() >= rules.least());
    }

    /** The hash of q with the changes of a round, which are not applied yet unless they were when they arrived. */
    private String hashAfter(int round, PartySet who) throws ProtocolRefusal {
        if (rules.asynchronous()) {
            return ResultBody.hash(global);
        }
        NaturalGaussian before = global;
        double variance = noiseVariance;
        int[] last = lastUsed.clone();
        long[] counted = used.clone();
        together(round, who);
        String hash = ResultBody.hash(global);
        global = before;
        noiseVariance = variance;
        System.arraycopy(last, 0, lastUsed, 0, last.length);
        System.arraycopy(counted, 0, used, 0, counted.length);
        return hash;
    }

    private PartySet usable(int round) {
        return where(party -> {
            Envelope answer = answers.get(party).get(round);
            return answer != null && answer.kind() == MessageKind.CHANGE;
        });
    }

    private PartySet where(IntPredicate holds) {
        return PartySet.of(
                IntStream.range(0, terms.size()).filter(holds).boxed().toList());
    }

    /** Everything that parties have not answered yet; sending it again changes nothing. */
    public List<Outgoing> outstanding() {
        List<Outgoing> out = new ArrayList<>();
        for (int party = 0; party < terms.size(); party++) {
            if (result.isPresent()) {
                out.add(new Outgoing(party, result.get()));
            } else if (!states.get(party).isEmpty()
                    && !answers.get(party).containsKey(states.get(party).lastKey())) {
                out.add(new Outgoing(party, states.get(party).lastEntry().getValue()));
            }
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

    // ---- what can be seen

    /** Whether all rounds are over. */
    public boolean isOver() {
        return result.isPresent();
    }

    /** How many rounds are over; of changes that are used as they arrive, how many times as many as there are parties. */
    public int roundsDone() {
        return Math.min(roundsDone, rules.rounds());
    }

    /** How many changes arrived. */
    public long changes() {
        return changes;
    }

    /** How many changes of a party are in q. */
    public long used(int party) {
        return used[party];
    }

    /** Who is waited for. */
    public PartySet waitedFor() {
        return where(party -> result.isEmpty()
                && !states.get(party).isEmpty()
                && !answers.get(party).containsKey(states.get(party).lastKey()));
    }

    /** q as it adds up. */
    public NaturalGaussian global() {
        return global;
    }

    /** Of the noise in the weighted means of q; 0 if it went through an optimiser. */
    public double noiseVariance() {
        return noiseVariance;
    }

    /** What a party refused last, by its place. */
    public Map<Integer, ProtocolRefusal> refusals() {
        return Map.copyOf(refusals);
    }
}
