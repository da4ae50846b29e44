package dev.tacit.federated.protocol;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A party's side of the protocol: messages in, messages out, and everything durable before it leaves.
 *
 * <p>The machine runs {@link PartyTable} and is a fold over its journal: opened again after a crash it stands where its disk stands, goes on
 * by itself with what was begun, and answers a message that it answered before by the same bytes. It knows neither network nor clock, and
 * draws randomness from the source it is given. One machine runs at a time for a journal, on one thread at a time. After an
 * exception, which says that a disk or the door failed, it is opened again.
 *
 * <p>What it is sent may be anything, in any order: a message that does not fit is answered by a signed sentence and changes nothing.
 */
public final class PartyMachine {
    /** How the context of a round is made; another one only in tests that show why it is made so. */
    @FunctionalInterface
    interface ContextRule {
        byte[] context(byte[] binding, int round, byte[] request, PartySet taking, int parties);
    }

    private final PartyMemory own;
    private final PartyTable table;
    private final PartyGuards guards;
    private final PartySteps steps;
    private Optional<ProtocolRefusal> lastRefusal = Optional.empty();

    PartyMachine(
            StudyTerms terms,
            int place,
            PartyKeys keys,
            Journal journal,
            Secrets secrets,
            ReleaseSource source,
            Supplier<? extends RandomBits> random,
            PartyTable table,
            ContextRule contexts) {
        this.own = new PartyMemory(terms, place, keys, journal, secrets, source, random, contexts);
        this.table = table;
        this.guards = new PartyGuards(own);
        this.steps = new PartySteps(own);
        try {
            PartyReplay.of(own);
        } catch (ProtocolRefusal refusal) {
            own.stopped = Optional.of(refusal);
        }
    }

    /**
     * Opens a machine where its journal stands.
     *
     * @param place of this party in the roster
     * @param journal of this party and study
     * @param secrets of this party and study
     * @param source the door
     * @param random fresh random bits for the keys of each round; {@code SecureNoise::create}, unless it is a simulation
     */
    public static PartyMachine open(
            StudyTerms terms,
            int place,
            PartyKeys keys,
            Journal journal,
            Secrets secrets,
            ReleaseSource source,
            Supplier<? extends RandomBits> random) {
        return new PartyMachine(
                terms, place, keys, journal, secrets, source, random, PartyTable.STANDARD, RoundMessages::context);
    }

    // ---- messages

    /** What the party does by itself: called once after it was opened. Returns what is to be sent, which includes what was sent before. */
    public List<Envelope> start() {
        if (own.stopped.isPresent()) {
            return List.of(own.refusal(own.current.number, own.stopped.get()));
        }
        List<Envelope> out = new ArrayList<>(outstanding());
        for (Envelope each : goOn()) {
            if (!out.contains(each)) {
                out.add(each);
            }
        }
        return out;
    }

    /** What was sent and may not have arrived; sending it again changes nothing. */
    public List<Envelope> outstanding() {
        List<Envelope> out = new ArrayList<>();
        if (own.stopped.isPresent()) {
            return List.of(own.refusal(own.current.number, own.stopped.get()));
        }
        if (own.current.phase == PartyPhase.KEYED) {
            own.previous.map(round -> round.opening).ifPresent(out::add);
        }
        Envelope last = switch (own.current.phase) {
            case KEYED -> own.current.keys;
            case SHARED -> own.current.vector;
            case LOST -> own.current.lost;
            case AGREED -> own.current.agreed;
            case OPENED -> own.current.opening;
            default -> null;
        };
        if (last != null) {
            out.add(last);
        }
        return out;
    }

    /**
     * Erases secrets of rounds that are over. Nobody waits for that, so it is done when what {@link #receive} returned is on its way; the
     * next message or the next start does it otherwise.
     */
    public void tidy() {
        own.unneeded.forEach(own.secrets::erase);
        own.unneeded.clear();
    }

    /** Takes a message as it came; returns what is to be sent, all of it durable. */
    public List<Envelope> receive(byte[] bytes) {
        tidy();
        try {
            return take(Envelope.read(bytes, own.terms.mostBytesOfTheCoordinator()));
        } catch (ProtocolRefusal refusal) {
            return List.of(refused(own.current.number, refusal));
        }
    }

    /** Takes a message; returns what is to be sent, all of it durable. */
    public List<Envelope> receive(Envelope envelope) {
        tidy();
        try {
            return take(envelope);
        } catch (ProtocolRefusal refusal) {
            return List.of(refused(envelope.round(), refusal));
        }
    }

    private Envelope refused(int round, ProtocolRefusal refusal) {
        lastRefusal = Optional.of(refusal);
        return own.refusal(round, refusal);
    }

    private List<Envelope> take(Envelope envelope) throws ProtocolRefusal {
        if (own.stopped.isPresent()) {
            throw own.stopped.get();
        }
        if (!Arrays.equals(envelope.study(), own.binding)) {
            throw new ProtocolRefusal(
                    Reason.OTHER_STUDY,
                    "a message belongs to another study than the one that was approved here, or is of a program that"
                            + " plans it otherwise");
        }
        if (envelope.kind() == MessageKind.KEYS && envelope.sender() == own.place) {
            witness(envelope);
            return List.of();
        }
        if (envelope.sender() != Envelope.COORDINATOR
                || envelope.kind().isFromParty()
                || !envelope.isSignedBy(own.terms.coordinatorKey())) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED, "a message is not signed by the coordinator that the study names");
        }
        return envelope.kind() == MessageKind.RESULT ? over(envelope) : inRound(envelope);
    }

    /** Keys that this party signed and does not have: it was put back from an older copy. */
    private void witness(Envelope shown) throws ProtocolRefusal {
        boolean known = (own.current.keys != null && own.current.keys.saysTheSameAs(shown))
                || shown.round() < own.current.number;
        if (!known && shown.isSignedBy(own.terms.parties().get(own.place).identityKey())) {
            own.stopped =
                    Optional.of(PartyMemory.restored("others hold keys that this party signed and has no record of"));
            throw own.stopped.get();
        }
    }

    /** A round is over: at once if it was under way here, and everything before it too. */
    private List<Envelope> over(Envelope result) throws ProtocolRefusal {
        if (result.round() >= own.terms.rounds()) {
            throw new ProtocolRefusal(Reason.OUT_OF_ORDER, "the study has no round " + result.round());
        }
        if (result.round() < own.current.number || (own.current.isOver() && result.round() == own.current.number)) {
            return List.of();
        }
        if (own.current.phase == PartyPhase.BOUND) {
            // What the door has sealed belongs to this round; the next one must not find it.
            steps.run(table.alone(PartyPhase.BOUND).orElseThrow(), null);
        }
        Optional<PartyTable.Row> row = table.find(own.current.phase, MessageKind.RESULT);
        if (row.isPresent()) {
            steps.run(row.get(), result);
        } else {
            own.journal.append(List.of(result.toBytes()));
        }
        own.closed(result);
        return goOn();
    }

    private List<Envelope> inRound(Envelope envelope) throws ProtocolRefusal {
        PartyRound round = own.current;
        if (envelope.round() > own.current.number) {
            throw new ProtocolRefusal(
                    Reason.OUT_OF_ORDER,
                    "round " + envelope.round() + " is asked for, and this party has given no keys for it");
        }
        if (envelope.round() < own.current.number) {
            round = own.previous
                    .filter(before -> before.number == envelope.round() && before.phase == PartyPhase.OPENED)
                    .orElseThrow(() -> closed(envelope.round()));
        }
        if (round.phase == PartyPhase.CLOSED) {
            throw closed(round.number);
        }
        PartyTable.Row row = table.find(round.phase, envelope.kind()).orElse(null);
        if (row == null) {
            throw new ProtocolRefusal(
                    Reason.OUT_OF_ORDER,
                    "a message of round " + round.number + " comes out of order: this party " + round.phase.words());
        }
        PartyRound saved = own.current;
        own.current = round;
        try {
            for (PartyGuard guard : PartyGuard.values()) {
                if (row.guards().contains(guard)) {
                    guards.check(guard, envelope);
                }
            }
            List<Envelope> out = new ArrayList<>(steps.run(row, envelope));
            if (saved == round) {
                out.addAll(goOn());
            }
            return out;
        } finally {
            if (saved != round) {
                own.current = saved;
            }
        }
    }

    private static ProtocolRefusal closed(int round) {
        return new ProtocolRefusal(
                Reason.ROUND_CLOSED, "round " + round + " is over at this party, and it is never opened again");
    }

    /** Does what no message is needed for: a round that was begun, and the keys of the next. */
    private List<Envelope> goOn() {
        List<Envelope> out = new ArrayList<>();
        if (own.current.isOver() && own.current.number + 1 < own.terms.rounds()) {
            own.beginRound(own.current.number + 1);
        }
        Optional<PartyTable.Row> row = table.alone(own.current.phase);
        if (row.isPresent()) {
            out.addAll(steps.run(row.get(), null));
        }
        return out;
    }

    // ---- what can be seen

    /** The round that the party is in. */
    public int round() {
        return own.current.number;
    }

    /** Where it stands in that round. */
    public PartyPhase phase() {
        return own.current.phase;
    }

    /** How many releases it has made or lost. */
    public int releases() {
        return own.releases;
    }

    /** Whether all rounds of the study are over for this party. */
    public boolean isDone() {
        return own.current.isOver() && own.current.number + 1 >= own.terms.rounds();
    }

    /** Why it takes no further part in the study; empty if it does. */
    public Optional<ProtocolRefusal> stopped() {
        return own.stopped;
    }

    /** What it refused last, for its log. */
    public Optional<ProtocolRefusal> lastRefusal() {
        return lastRefusal;
    }
}
