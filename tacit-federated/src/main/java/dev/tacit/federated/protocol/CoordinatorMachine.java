package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.noise.RoundNoise;
import dev.tacit.federated.store.Journal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The coordinator's side of the protocol: a mailbox that nobody trusts, and public arithmetic.
 *
 * <p>It is a fold over its journal: opened again after a crash it stands where its disk stands, and what it then sends says the same. It
 * knows neither network nor clock: whoever runs it says when patience is over ({@link #hurry}) and when a round is given up
 * ({@link #giveUp}), and neither is a matter of privacy. A round is opened when t openings are there and its vectors are those that its
 * list of survivors names; until then late vectors are waited for as long as the caller likes. What one call writes is forced to the
 * disk once, before the call returns what is to be sent; after an exception, which says that the disk failed, the machine is opened
 * again.
 *
 * <pre>
 *   GATHERING -request, all keys (or M − d and hurry)-&gt; ASKED -all vectors (or M − d and hurry)-&gt; LISTED -t agree-&gt; OPENING -t openings-&gt; DONE
 * </pre>
 */
public final class CoordinatorMachine {
    /** A longer sentence is not written down. */
    private static final int MOST_REFUSAL_BYTES = 10_000;

    private final StudyTerms terms;
    private final byte[] binding;
    private final Identity identity;
    private final Journal journal;
    private final RoundNoise noise;
    private final RoundOpening opening;
    private final Map<Integer, CoordinatorRound> rounds = new TreeMap<>();
    private final Set<String> sent = new HashSet<>();
    private final List<byte[]> unwritten = new ArrayList<>();
    private final List<Outgoing> shown = new ArrayList<>();
    private int current;

    private CoordinatorMachine(StudyTerms terms, Identity identity, Journal journal, RoundNoise noise) {
        this.terms = Objects.requireNonNull(terms, "terms");
        this.binding = terms.binding();
        this.identity = Objects.requireNonNull(identity, "identity");
        this.journal = Objects.requireNonNull(journal, "journal");
        this.noise = Objects.requireNonNull(noise, "noise");
        this.opening = new RoundOpening(terms, noise);
    }

    /**
     * Opens a machine where its journal stands.
     *
     * @param journal of this coordinator and study
     * @param noise how much noise a request has, for studies with layers
     */
    public static CoordinatorMachine open(StudyTerms terms, Identity identity, Journal journal, RoundNoise noise)
            throws ProtocolRefusal {
        if (!Arrays.equals(identity.publicKey(), terms.coordinatorKey())) {
            throw new IllegalArgumentException("the study names another key for its coordinator than it has here");
        }
        return replayed(terms, identity, journal, noise);
    }

    /**
     * The machine that a coordinator's journal makes, for whoever checks its sums and has no key of the coordinator: what it would send is
     * signed by nobody.
     */
    public static CoordinatorMachine replayed(StudyTerms terms, Journal copy, RoundNoise noise) throws ProtocolRefusal {
        return replayed(terms, Identity.of(new byte[Identity.KEY_BYTES]), copy, noise);
    }

    private static CoordinatorMachine replayed(StudyTerms terms, Identity identity, Journal journal, RoundNoise noise)
            throws ProtocolRefusal {
        CoordinatorMachine machine = new CoordinatorMachine(terms, identity, journal, noise);
        for (byte[] entry : journal.entries()) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (!Arrays.equals(envelope.study(), machine.binding)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY, "the journal of this coordinator belongs to another study");
            }
            machine.apply(envelope);
            if (envelope.kind() == MessageKind.RESULT) {
                machine.tryToOpen(); // and its vectors are forgotten: a long log is not held in memory
            }
        }
        machine.tryToOpen();
        machine.write();
        return machine;
    }

    private CoordinatorRound round(int number) {
        return rounds.computeIfAbsent(number, CoordinatorRound::new);
    }

    /** What an envelope of the journal changes. */
    private void apply(Envelope envelope) throws ProtocolRefusal {
        CoordinatorRound round = round(envelope.round());
        switch (envelope.kind()) {
            case KEYS -> round.keys.putIfAbsent(envelope.sender(), envelope);
            case ASK -> {
                round.ask = envelope;
                round.asked = RoundMessages.Ask.read(envelope, terms.size());
                round.context = RoundMessages.context(
                        binding, round.number, round.asked.request(), round.asked.taking(), terms.size());
                round.request = Optional.of(round.asked.request());
                round.hurried = false;
            }
            case VECTOR -> round.vectors.putIfAbsent(envelope.sender(), envelope);
            case SURVIVORS -> {
                round.survivors = envelope;
                round.surviving = RoundMessages.Survivors.read(envelope.body(), terms.size());
                round.agreement = RoundMessages.agreement(round.context, envelope.body());
                round.hurried = false;
            }
            case AGREED -> round.agreed.putIfAbsent(envelope.sender(), envelope);
            case QUORUM -> round.quorum = envelope;
            case OPENING -> round.openings.putIfAbsent(envelope.sender(), envelope);
            case RESULT -> {
                round.result = envelope;
                current = Math.max(current, round.number + 1);
            }
            case REFUSAL -> {
                ProtocolRefusal refusal = ProtocolRefusal.read(envelope.body());
                round.refusals.put(envelope.sender(), refusal);
                round.kept.add(envelope.sender() + " " + refusal.reason());
            }
            case STATE, CHANGE -> throw Envelope.malformed();
        }
    }

    private void log(Envelope envelope) {
        unwritten.add(envelope.toBytes());
        try {
            apply(envelope);
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a message that was just written cannot be read", impossible);
        }
    }

    private void write() {
        if (!unwritten.isEmpty()) {
            journal.append(List.copyOf(unwritten));
            unwritten.clear();
        }
    }

    private Envelope signed(int round, MessageKind kind, byte[] body) {
        return Envelope.signed(identity, binding, round, kind, Envelope.COORDINATOR, Envelope.noContext(), body);
    }

    // ---- what the caller says

    /** Asks for the next round; the same request again changes nothing. Returns what is to be sent. */
    public List<Outgoing> request(byte[] request) {
        if (current >= terms.rounds()) {
            throw new IllegalStateException("the study has no further round");
        }
        CoordinatorRound round = round(current);
        if (round.request.isPresent() && !Arrays.equals(round.request.get(), request)) {
            throw new IllegalStateException("round " + current + " was asked for with another request before");
        }
        round.request = Optional.of(request.clone());
        return goOn();
    }

    /** Says that patience is over: the round goes on with those who are there, if they are enough. Returns what is to be sent. */
    public List<Outgoing> hurry() {
        round(current).hurried = true;
        return goOn();
    }

    /** Gives the current round up for ever; what it cost stays spent. Returns what is to be sent. */
    public List<Outgoing> giveUp() {
        if (current < terms.rounds()) {
            log(givenUp(current));
        }
        return goOn();
    }

    /** What says that a round is given up. */
    Envelope givenUp(int round) {
        return signed(round, MessageKind.RESULT, new byte[0]);
    }

    /** Takes back what was in a journal that is lost, as others kept it; {@link #goOn} then writes it. */
    void adopt(Envelope kept) {
        log(kept);
    }

    /** Takes a message as it came from whoever sent it; returns what is to be sent. */
    public List<Outgoing> receive(byte[] bytes) throws ProtocolRefusal {
        return receive(Envelope.read(bytes, terms.mostBytesOfAParty()));
    }

    /** Takes a message; a message that does not fit is refused and changes nothing. Returns what is to be sent. */
    public List<Outgoing> receive(Envelope envelope) throws ProtocolRefusal {
        take(envelope);
        return goOn();
    }

    /**
     * Takes one of several messages that came together; {@link #goOn} then writes them all at once, so that ten vectors cost one force of
     * the disk and not ten. A message that does not fit is refused and changes nothing.
     */
    public void take(Envelope envelope) throws ProtocolRefusal {
        if (!Arrays.equals(envelope.study(), binding)) {
            throw new ProtocolRefusal(Reason.OTHER_STUDY, "a message belongs to another study");
        }
        if (!envelope.kind().isFromParty() || envelope.sender() >= terms.size()) {
            throw new ProtocolRefusal(Reason.NOT_SIGNED, "a message is not one of a party of the study");
        }
        if (envelope.round() >= terms.rounds() || envelope.round() > current + 1) {
            throw new ProtocolRefusal(Reason.OUT_OF_ORDER, "a message is of a round that has not begun");
        }
        CoordinatorRound round = round(envelope.round());
        Optional<Envelope> known = known(round, envelope);
        if (known.isPresent() && known.get().saysTheSameAs(envelope)) {
            return;
        }
        if (!envelope.isSignedBy(terms.parties().get(envelope.sender()).identityKey())) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED,
                    "a message in the name of party "
                            + terms.parties().get(envelope.sender()).name() + " is not signed by it");
        }
        if (known.isPresent()) {
            contradicted(envelope);
        } else if (fits(round, envelope)) {
            log(envelope);
        }
    }

    private static Optional<Envelope> known(CoordinatorRound round, Envelope envelope) {
        return Optional.ofNullable(
                switch (envelope.kind()) {
                    case KEYS -> round.keys.get(envelope.sender());
                    case VECTOR -> round.vectors.get(envelope.sender());
                    case AGREED -> round.agreed.get(envelope.sender());
                    case OPENING -> round.openings.get(envelope.sender());
                    default -> null;
                });
    }

    /** A party says two things: it was put back from an older copy, and is shown the newest keys that it signed. */
    private void contradicted(Envelope envelope) {
        Envelope newest = null;
        for (CoordinatorRound round : rounds.values()) {
            newest = round.keys.getOrDefault(envelope.sender(), newest);
        }
        if (newest != null) {
            shown.add(new Outgoing(envelope.sender(), newest.bare()));
        }
    }

    /** Whether a message is one that the round waits for. */
    private boolean fits(CoordinatorRound round, Envelope envelope) throws ProtocolRefusal {
        switch (envelope.kind()) {
            case KEYS -> {
                RoundMessages.Keys keys = RoundMessages.Keys.read(envelope.body());
                int boxes =
                        (terms.size() - 1) * ((2 + terms.layers()) * RoundKeys.SEED_BYTES + SealedBox.OVERHEAD_BYTES);
                return round.ask == null
                        && round.result == null
                        && envelope.attachment().length == boxes
                        && RoundMessages.hasItsShares(envelope)
                        && SealedBox.isUsable(keys.key())
                        && SealedBox.isUsable(keys.seal());
            }
            case VECTOR -> {
                long numbers = RoundMessages.numbers(envelope.body()).length;
                OptionalInt asked = noise.numbers(round.number);
                boolean alike = asked.isPresent()
                        ? numbers == asked.getAsInt()
                        : round.vectors.values().stream()
                                .allMatch(other -> other.body().length == envelope.body().length);
                return round.ask != null
                        && round.survivors == null
                        && round.result == null
                        && round.asked.taking().contains(envelope.sender())
                        && Arrays.equals(envelope.context(), round.context)
                        && numbers > 0
                        && numbers <= terms.mostNumbers()
                        && alike;
            }
            case AGREED -> {
                return round.survivors != null
                        && round.result == null
                        && envelope.body().length == 0 // as those who are shown the signature read it
                        && round.asked.taking().contains(envelope.sender())
                        && Arrays.equals(envelope.context(), round.agreement);
            }
            case OPENING -> {
                if (round.survivors != null && round.quorum == null && round.result == null) {
                    gatherQuorum(round); // a folder may hand out the last signature and openings together
                }
                return round.quorum != null
                        && round.result == null
                        && Arrays.equals(envelope.context(), round.agreement)
                        && round.asked.taking().contains(envelope.sender());
            }
            default -> {
                ProtocolRefusal refusal = ProtocolRefusal.read(envelope.body());
                boolean gone = round.gone(envelope.sender());
                if (!gone) {
                    round.refusals.put(envelope.sender(), refusal);
                }
                return !gone
                        && refusal.isKept()
                        && round.kept.add(envelope.sender() + " " + refusal.reason())
                        && envelope.body().length <= MOST_REFUSAL_BYTES;
            }
        }
    }

    // ---- what follows

    /** Does what follows from what was taken, and makes all of it durable. Returns what is to be sent. */
    public List<Outgoing> goOn() {
        boolean moved = true;
        while (moved && current < terms.rounds()) {
            CoordinatorRound round = round(current);
            moved = switch (round.phase()) {
                case GATHERING -> ask(round);
                case ASKED -> list(round);
                case LISTED -> gatherQuorum(round);
                case OPENING -> tryToOpen();
                case DONE -> false;
            };
        }
        write();
        List<Outgoing> fresh = new ArrayList<>(shown);
        shown.clear();
        for (Outgoing each : outstanding()) {
            if (sent.add(each.party() + " " + each.envelope().kind() + " "
                    + each.envelope().round())) {
                fresh.add(each);
            }
        }
        return fresh;
    }

    private boolean ask(CoordinatorRound round) {
        int there = round.keys.size();
        if (round.request.isEmpty() || there < terms.least() || (there < terms.size() && !round.hurried)) {
            return false;
        }
        byte[] previous = round.number == 0
                ? Envelope.noContext()
                : round(round.number - 1).result.hash();
        RoundMessages.Ask ask =
                new RoundMessages.Ask(round.request.get(), previous, PartySet.of(round.keys.keySet()), round.keys);
        log(signed(round.number, MessageKind.ASK, ask.toBytes(terms.size())));
        return true;
    }

    private boolean list(CoordinatorRound round) {
        int there = round.vectors.size();
        boolean all = round.asked.taking().places().allMatch(round::answered);
        if (there < terms.least() || (!all && !round.hurried)) {
            return false;
        }
        PartySet survivors = PartySet.of(round.vectors.keySet());
        RoundMessages.Survivors lists = new RoundMessages.Survivors(
                survivors,
                round.asked.taking().minus(survivors),
                round.vectors.values().stream().map(Envelope::signedHash).toList());
        log(signed(round.number, MessageKind.SURVIVORS, lists.toBytes(terms.size())));
        return true;
    }

    private boolean gatherQuorum(CoordinatorRound round) {
        if (round.agreed.size() < terms.threshold()) {
            return false;
        }
        PartySet agreed = PartySet.of(round.agreed.keySet());
        List<byte[]> signatures =
                round.agreed.values().stream().map(Envelope::signature).toList();
        log(signed(
                round.number, MessageKind.QUORUM, new RoundMessages.Quorum(agreed, signatures).toBytes(terms.size())));
        return true;
    }

    /** Opens the sum of the current round, or of the last one after a restart, if enough right shares are there. */
    private boolean tryToOpen() {
        boolean opened = false;
        for (CoordinatorRound round : rounds.values()) {
            if (round.quorum == null || round.sum.isPresent() || round.openings.size() < terms.threshold()) {
                continue;
            }
            if (round.result != null && round.result.body().length == 0) {
                continue;
            }
            round.sum = opening.of(round);
            if (round.sum.isPresent() && round.result == null) {
                log(signed(round.number, MessageKind.RESULT, round.sum.get().hash()));
                opened = true;
            }
            if (round.sum.isPresent()) {
                round.forgetVectors();
            }
        }
        return opened;
    }

    /** Everything that parties have not answered yet; sending it again changes nothing. */
    public List<Outgoing> outstanding() {
        List<Outgoing> out = new ArrayList<>();
        if (current > 0) {
            CoordinatorRound last = round(current - 1);
            PartySet keyed = current < terms.rounds()
                    ? PartySet.of(round(current).keys.keySet())
                    : PartySet.of(last.openings.keySet());
            PartySet.first(terms.size())
                    .minus(keyed)
                    .places()
                    .forEach(party -> out.add(new Outgoing(party, last.result)));
        }
        if (current < terms.rounds() && round(current).ask != null) {
            addRound(round(current), out);
        }
        return out;
    }

    private void addRound(CoordinatorRound round, List<Outgoing> out) {
        for (int party : round.asked.taking().places().toArray()) {
            boolean answered = round.answered(party);
            // Whoever comes too late to be in the sum can still agree and open, for which it has to be asked first.
            if (!answered && !round.agreed.containsKey(party)) {
                out.add(new Outgoing(party, round.ask.with(boxesFor(round, party))));
            }
            if (round.survivors != null && !round.agreed.containsKey(party)) {
                out.add(new Outgoing(party, round.survivors));
            }
            if (round.quorum != null && round.agreed.containsKey(party) && !round.openings.containsKey(party)) {
                out.add(new Outgoing(party, round.quorum));
            }
        }
    }

    private byte[] boxesFor(CoordinatorRound round, int receiver) {
        int length = (2 + terms.layers()) * RoundKeys.SEED_BYTES + SealedBox.OVERHEAD_BYTES;
        int[] senders =
                round.asked.taking().places().filter(party -> party != receiver).toArray();
        return RoundMessages.pieces(senders, sender -> {
            int box = receiver < sender ? receiver : receiver - 1;
            return Arrays.copyOfRange(round.keys.get(sender).attachment(), box * length, (box + 1) * length);
        });
    }

    // ---- what can be seen

    /** The round that is under way, from 0; the number of rounds when all are over. */
    public int round() {
        return current;
    }

    /** Where it stands. */
    public CoordinatorPhase phase() {
        return current < terms.rounds() ? round(current).phase() : CoordinatorPhase.DONE;
    }

    /** Who is waited for. */
    public PartySet waitedFor() {
        if (current >= terms.rounds()) {
            return PartySet.of(List.of());
        }
        CoordinatorRound round = round(current);
        PartySet asked = round.ask == null ? PartySet.first(terms.size()) : round.asked.taking();
        CoordinatorPhase phase = round.phase();
        return PartySet.of(asked.places()
                .filter(party -> switch (phase) {
                    case GATHERING -> !round.keys.containsKey(party);
                    case ASKED -> !round.answered(party);
                    case LISTED -> !round.agreed.containsKey(party);
                    default -> !round.openings.containsKey(party);
                })
                .boxed()
                .toList());
    }

    /** Who takes part in a round; empty while that is open. */
    public Optional<PartySet> taking(int round) {
        return Optional.ofNullable(rounds.get(round)).map(found -> found.asked).map(RoundMessages.Ask::taking);
    }

    /** The sum of a round; empty if it is not opened, or was given up. */
    public Optional<OpenedSum> opened(int round) {
        return Optional.ofNullable(rounds.get(round)).flatMap(found -> found.sum);
    }

    /**
     * Whether enough parties signed the list of survivors of a round before it was opened, as the coordinator's own QUORUM shows: t
     * signatures on exactly the list that was asked for with exactly the request.
     */
    public boolean hasQuorum(int number) throws ProtocolRefusal {
        CoordinatorRound round = rounds.get(number);
        if (round == null || round.quorum == null || round.agreement == null) {
            return false;
        }
        return RoundMessages.Quorum.read(round.quorum.body(), terms.size())
                        .valid(terms, number, round.asked.taking(), round.agreement)
                >= terms.threshold();
    }

    /** Whether the journal holds what opens the sum of a round; no honest coordinator gives such a round up. */
    public boolean canOpen(int number) {
        CoordinatorRound round = rounds.get(number);
        return round != null
                && round.surviving != null
                && (round.sum.isPresent()
                        || (round.openings.size() >= terms.threshold()
                                && opening.of(round).isPresent()));
    }

    /** The hash of the end of the round before that an ASK follows, zeros in the first; empty if it cannot be read. */
    public static Optional<byte[]> previous(Envelope ask, int parties) {
        try {
            return Optional.of(RoundMessages.Ask.read(ask, parties).previous());
        } catch (ProtocolRefusal unreadable) {
            return Optional.empty();
        }
    }

    /** The request of a round that was asked for. */
    public Optional<byte[]> requested(int round) {
        return Optional.ofNullable(rounds.get(round))
                .flatMap(found -> found.request)
                .map(byte[]::clone);
    }

    /** What parties refused in a round, by place. */
    public Map<Integer, ProtocolRefusal> refusals(int round) {
        return Optional.ofNullable(rounds.get(round))
                .map(found -> Map.copyOf(found.refusals))
                .orElse(Map.of());
    }
}
