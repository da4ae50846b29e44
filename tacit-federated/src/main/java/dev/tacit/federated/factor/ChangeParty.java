package dev.tacit.federated.factor;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.protocol.PartyKeys;
import dev.tacit.federated.store.Journal;
import dev.tacit.partitioned.message.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A party that adds all of its noise itself: approximations in, changes of its factor out, and everything durable before it leaves.
 *
 * <pre>
 *   STATE on the disk → releases, each sealed on the disk, ledger, state on the disk → CHANGE on the disk → sent
 * </pre>
 *
 * The machine is a fold over its journal. A STATE that was answered is answered by the same bytes again; another one for the same round,
 * or one for an earlier round, is refused. It knows neither network nor clock. After an exception it is opened again.
 */
public final class ChangeParty {
    private final StudyTerms terms;
    private final byte[] binding;
    private final int place;
    private final PartyKeys keys;
    private final Journal journal;
    private final ChangeSource source;
    private final TreeMap<Integer, Envelope> asked = new TreeMap<>();
    private final TreeMap<Integer, Envelope> answers = new TreeMap<>();
    private Optional<ProtocolRefusal> stopped = Optional.empty();
    private int stoppedIn;
    private Optional<ProtocolRefusal> lastRefusal = Optional.empty();
    private boolean over;

    private ChangeParty(StudyTerms terms, int place, PartyKeys keys, Journal journal, ChangeSource source) {
        this.terms = Objects.requireNonNull(terms, "terms");
        this.binding = terms.binding();
        this.place = Objects.checkIndex(place, terms.size());
        this.keys = Objects.requireNonNull(keys, "keys");
        this.journal = Objects.requireNonNull(journal, "journal");
        this.source = Objects.requireNonNull(source, "source");
        if (!Arrays.equals(
                terms.parties().get(place).identityKey(), keys.identity().publicKey())) {
            throw new IllegalArgumentException("the study names other keys for party "
                    + terms.parties().get(place).name() + " than it has here");
        }
        try {
            replay();
        } catch (ProtocolRefusal refusal) {
            int next = answers.containsKey(round()) ? round() + 1 : round();
            stop(Math.min(next, terms.rounds() - 1), refusal);
        }
    }

    /** It is in this round that the coordinator waits for a party that takes no further part. */
    private void stop(int round, ProtocolRefusal refusal) {
        stopped = Optional.of(refusal);
        stoppedIn = round;
    }

    /** Opens a machine where its journal stands. */
    public static ChangeParty open(StudyTerms terms, int place, PartyKeys keys, Journal journal, ChangeSource source) {
        return new ChangeParty(terms, place, keys, journal, source);
    }

    private void replay() throws ProtocolRefusal {
        for (byte[] entry : journal.entries()) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (!Arrays.equals(envelope.study(), binding)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY,
                        "the journal of this party belongs to another study; start with an empty folder");
            }
            switch (envelope.kind()) {
                case STATE -> asked.put(envelope.round(), envelope);
                case CHANGE, REFUSAL -> answers.put(envelope.round(), envelope);
                case RESULT -> over = true;
                default -> throw Envelope.malformed();
            }
        }
        for (Envelope answer : answers.values()) {
            if (answer.kind() == MessageKind.CHANGE
                    && !source.knowsLedgerHead(ChangeBody.read(answer).ledgerHead())) {
                throw restored("the ledger has lost lines that this party has signed");
            }
        }
        int newest = asked.isEmpty() ? -1 : asked.lastKey();
        int answered = answers.isEmpty() ? -1 : answers.lastKey();
        if (source.newestAnswered() < answered || source.newestAnswered() > newest) {
            throw restored("the state of this party and its journal are not of the same time");
        }
    }

    private static ProtocolRefusal restored(String what) {
        return new ProtocolRefusal(
                Reason.RESTORED,
                what + ": a folder was put back from an older copy, and to go on could release something twice;"
                        + " this party takes no further part in the study");
    }

    /** What the party does by itself: called once after it was opened. Returns what is to be sent, which includes what was sent before. */
    public List<Envelope> start() {
        if (stopped.isEmpty() && !asked.isEmpty() && !answers.containsKey(asked.lastKey())) {
            try {
                work(asked.lastEntry().getValue());
            } catch (ProtocolRefusal refusal) {
                return List.of(refused(asked.lastKey(), refusal));
            }
        }
        return outstanding();
    }

    /** What was sent and may not have arrived; sending it again changes nothing. */
    public List<Envelope> outstanding() {
        if (stopped.isPresent()) {
            return List.of(signed(
                    stoppedIn,
                    MessageKind.REFUSAL,
                    Envelope.noContext(),
                    stopped.get().toBytes()));
        }
        return over || answers.isEmpty()
                ? List.of()
                : List.of(answers.lastEntry().getValue());
    }

    /** Takes a message as it came; returns what is to be sent, all of it durable. */
    public List<Envelope> receive(byte[] bytes) {
        Envelope envelope;
        try {
            envelope = Envelope.read(bytes, terms.mostBytesOfTheCoordinator());
        } catch (ProtocolRefusal unreadable) {
            return List.of(refused(round(), unreadable));
        }
        try {
            return take(envelope);
        } catch (ProtocolRefusal refusal) {
            return List.of(refused(envelope.round(), refusal));
        }
    }

    private Envelope refused(int round, ProtocolRefusal refusal) {
        lastRefusal = Optional.of(refusal);
        return signed(round, MessageKind.REFUSAL, Envelope.noContext(), refusal.toBytes());
    }

    private Envelope signed(int round, MessageKind kind, byte[] context, byte[] body) {
        return Envelope.signed(keys.identity(), binding, round, kind, place, context, body);
    }

    private List<Envelope> take(Envelope envelope) throws ProtocolRefusal {
        if (!Arrays.equals(envelope.study(), binding)) {
            throw new ProtocolRefusal(
                    Reason.OTHER_STUDY,
                    "a message belongs to another study than the one that was approved here, or is of a program that"
                            + " plans it otherwise");
        }
        boolean known = envelope.kind() == MessageKind.STATE || envelope.kind() == MessageKind.RESULT;
        if (envelope.sender() != Envelope.COORDINATOR || !known || !envelope.isSignedBy(terms.coordinatorKey())) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED, "a message is not signed by the coordinator that the study names");
        }
        if (envelope.round() >= terms.rounds()) {
            throw new ProtocolRefusal(Reason.OUT_OF_ORDER, "the study has no round " + envelope.round());
        }
        if (stopped.isPresent()) {
            stop(envelope.round(), stopped.get());
            throw stopped.get();
        }
        return envelope.kind() == MessageKind.RESULT ? ended(envelope) : stated(envelope);
    }

    private List<Envelope> ended(Envelope result) {
        if (!over && result.round() == terms.rounds() - 1) {
            journal.append(List.of(result.toBytes()));
            over = true;
        }
        return List.of();
    }

    private List<Envelope> stated(Envelope envelope) throws ProtocolRefusal {
        StateBody body = StateBody.read(envelope);
        if (body.party() != place) {
            throw new ProtocolRefusal(Reason.NOT_IN_SET, "an approximation is meant for another party");
        }
        Envelope before = asked.get(envelope.round());
        if (before != null && !before.saysTheSameAs(envelope)) {
            throw new ProtocolRefusal(
                    Reason.OTHER_REQUEST, "the coordinator asked for something else in this round before");
        }
        if (before != null) {
            return Optional.ofNullable(answers.get(envelope.round())).stream().toList();
        }
        if (over || envelope.round() < round()) {
            throw new ProtocolRefusal(Reason.ROUND_CLOSED, "a round is asked for that is over here");
        }
        if (!Arrays.equals(envelope.context(), Envelope.noContext())
                && answers.values().stream().noneMatch(answer -> Arrays.equals(answer.hash(), envelope.context()))) {
            stop(envelope.round(), restored("the coordinator holds an answer that this party has no record of"));
            throw stopped.get();
        }
        Optional<String> refusal = source.refusal(body.state());
        if (refusal.isPresent()) {
            throw new ProtocolRefusal(Reason.REQUEST_REFUSED, refusal.get());
        }
        journal.append(List.of(envelope.toBytes()));
        asked.put(envelope.round(), envelope);
        return List.of(work(envelope));
    }

    /** Answers a STATE that is on the disk. */
    private Envelope work(Envelope state) throws ProtocolRefusal {
        Message answer = source.answer(StateBody.read(state).state());
        Envelope envelope = answer instanceof Message.FactorChange change
                ? signed(
                        state.round(),
                        MessageKind.CHANGE,
                        state.hash(),
                        new ChangeBody(source.ledgerHead(), change).toBytes())
                : signed(
                        state.round(),
                        MessageKind.REFUSAL,
                        state.hash(),
                        new ProtocolRefusal(
                                        Reason.RELEASE_LOST,
                                        "the party has no answer for this round: "
                                                + ((Message.Absence) answer)
                                                        .reason()
                                                        .words())
                                .toBytes());
        journal.append(List.of(envelope.toBytes()));
        answers.put(state.round(), envelope);
        return envelope;
    }

    // ---- what can be seen

    /** The newest round that was asked for, from 0. */
    public int round() {
        return asked.isEmpty() ? 0 : asked.lastKey();
    }

    /** How many changes the party gave. */
    public int changes() {
        return (int) answers.values().stream()
                .filter(answer -> answer.kind() == MessageKind.CHANGE)
                .count();
    }

    /** Whether the last round is answered, or the study is over. */
    public boolean isDone() {
        return over || answers.containsKey(terms.rounds() - 1);
    }

    /** Whether the coordinator said that the study is over. */
    public boolean isOver() {
        return over;
    }

    /** Why it takes no further part, if it does not. */
    public Optional<ProtocolRefusal> stopped() {
        return stopped;
    }

    /** Why the last message that was refused was refused. */
    public Optional<ProtocolRefusal> lastRefusal() {
        return lastRefusal;
    }

    /** All that was sent, in the order of rounds. */
    List<Envelope> answers() {
        return new ArrayList<>(answers.values());
    }
}
