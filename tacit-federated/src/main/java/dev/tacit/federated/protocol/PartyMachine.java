package dev.tacit.federated.protocol;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.federated.crypto.BrokenSeal;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.protocol.ProtocolRefusal.Reason;
import dev.tacit.federated.store.Journal;
import dev.tacit.federated.store.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

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

    private final StudyTerms terms;
    private final byte[] binding;
    private final int place;
    private final PartyKeys keys;
    private final Journal journal;
    private final Secrets secrets;
    private final ReleaseSource source;
    private final Supplier<? extends RandomBits> random;
    private final PartyTable table;
    private final ContextRule contexts;

    private PartyRound current;
    private Optional<PartyRound> previous = Optional.empty();
    private final List<String> unneeded = new ArrayList<>();
    private int releases;
    private Optional<ProtocolRefusal> stopped = Optional.empty();
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
        this.terms = Objects.requireNonNull(terms, "terms");
        this.binding = terms.binding();
        this.place = Objects.checkIndex(place, terms.size());
        this.keys = Objects.requireNonNull(keys, "keys");
        this.journal = Objects.requireNonNull(journal, "journal");
        this.secrets = Objects.requireNonNull(secrets, "secrets");
        this.source = Objects.requireNonNull(source, "source");
        this.random = Objects.requireNonNull(random, "random");
        this.table = table;
        this.contexts = contexts;
        this.current = new PartyRound(0);
        StudyParty me = terms.parties().get(place);
        if (!Arrays.equals(me.identityKey(), keys.identity().publicKey())
                || !Arrays.equals(me.sealingKey(), keys.box().publicKey())) {
            throw new IllegalArgumentException(
                    "the study names other keys for party " + me.name() + " than it has here");
        }
        try {
            replay();
        } catch (ProtocolRefusal refusal) {
            stopped = Optional.of(refusal);
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

    // ---- what the journal says

    private void replay() throws ProtocolRefusal {
        byte[] head = null;
        for (byte[] entry : journal.entries()) {
            Envelope envelope = Envelope.read(entry, Integer.MAX_VALUE);
            if (!Arrays.equals(envelope.study(), binding)) {
                throw new ProtocolRefusal(
                        Reason.OTHER_STUDY,
                        "the journal of this party belongs to another study; start with an empty folder");
            }
            if (envelope.kind() == MessageKind.KEYS) {
                head = RoundMessages.Keys.read(envelope.body()).ledgerHead();
            }
            replay(envelope);
        }
        if (head != null && !source.knowsLedgerHead(head)) {
            throw restored("the ledger has lost lines that this party has signed");
        }
        boolean unasked = current.phase == PartyPhase.WAITING || current.phase == PartyPhase.KEYED;
        if (unasked && source.released() > current.number) {
            throw restored("the ledger knows of a release that the journal of this party has no request for");
        }
        eraseOldSecrets();
        if (!current.isOver() && current.phase != PartyPhase.WAITING) {
            restoreSecrets();
        }
    }

    /** A crash may come between a round's last line and the end of its secrets. */
    private void eraseOldSecrets() {
        for (int round = 0; round <= current.number; round++) {
            if (round < current.number || current.isOver()) {
                secrets.erase(secretName("keys", round));
                secrets.erase(secretName("shares", round));
            }
        }
    }

    private void replay(Envelope envelope) throws ProtocolRefusal {
        if (envelope.kind() == MessageKind.KEYS) {
            beginRound(envelope.round());
            current.keys = envelope;
            current.phase = PartyPhase.KEYED;
            return;
        }
        PartyRound round = current;
        if (envelope.sender() == Envelope.COORDINATOR
                && envelope.kind() != MessageKind.RESULT
                && envelope.round() != round.number) {
            return; // kept as evidence: the coordinator said two things about a round that is over
        }
        switch (envelope.kind()) {
            case ASK -> {
                if (round.ask == null) {
                    bind(round, envelope);
                    round.phase = PartyPhase.BOUND;
                }
            }
            case VECTOR -> {
                round.vector = envelope;
                round.phase = PartyPhase.SHARED;
                releases++;
            }
            case REFUSAL -> {
                round.lost = envelope;
                round.phase = PartyPhase.LOST;
                releases++;
            }
            case SURVIVORS -> {
                if (round.agreed == null) {
                    agree(round, envelope);
                }
            }
            case AGREED -> {
                round.agreed = envelope;
                round.phase = PartyPhase.AGREED;
            }
            case OPENING -> {
                round.opening = envelope;
                round.phase = PartyPhase.OPENED;
            }
            case RESULT -> closed(envelope);
            default -> throw Envelope.malformed();
        }
    }

    private void restoreSecrets() throws ProtocolRefusal {
        byte[] kept = secrets.read(secretName("keys", current))
                .orElseThrow(() -> restored("the secrets of the round are gone"));
        readKeptSecrets(current, kept);
        if (current.asked != null) {
            byte[] shares = secrets.read(secretName("shares", current))
                    .orElseThrow(() -> restored("the shares of the round are gone"));
            current.shares =
                    RoundMessages.pieces(current.asked.taking().places().toArray(), shareBytes(), shares);
        }
    }

    private void readKeptSecrets(PartyRound round, byte[] kept) {
        int own = kept.length - shareBytes();
        round.secrets = RoundKeys.of(Arrays.copyOf(kept, own), terms.layers());
        round.ownShare = Arrays.copyOfRange(kept, own, kept.length);
    }

    private static ProtocolRefusal restored(String what) {
        return new ProtocolRefusal(
                Reason.RESTORED,
                what + ": a folder was put back from an older copy, and to go on could release something twice;"
                        + " this party takes no further part in the study");
    }

    private int shareBytes() {
        return (2 + terms.layers()) * RoundKeys.SEED_BYTES;
    }

    private static String secretName(String kind, PartyRound round) {
        return secretName(kind, round.number);
    }

    private static String secretName(String kind, int round) {
        return kind + "-" + round;
    }

    private void beginRound(int number) {
        previous = current.phase == PartyPhase.WAITING ? Optional.empty() : Optional.of(current);
        current = new PartyRound(number);
    }

    private void bind(PartyRound round, Envelope ask) throws ProtocolRefusal {
        round.asked = RoundMessages.Ask.read(ask, terms.size());
        round.ask = ask.bare();
        round.context =
                contexts.context(binding, round.number, round.asked.request(), round.asked.taking(), terms.size());
    }

    private void agree(PartyRound round, Envelope survivors) throws ProtocolRefusal {
        round.surviving = RoundMessages.Survivors.read(survivors.body(), terms.size());
        round.survivors = survivors;
    }

    // ---- messages

    /** What the party does by itself: called once after it was opened. Returns what is to be sent, which includes what was sent before. */
    public List<Envelope> start() {
        if (stopped.isPresent()) {
            return List.of(refusal(current.number, stopped.get()));
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
        if (stopped.isPresent()) {
            return List.of(refusal(current.number, stopped.get()));
        }
        if (current.phase == PartyPhase.KEYED) {
            previous.map(round -> round.opening).ifPresent(out::add);
        }
        Envelope last = switch (current.phase) {
            case KEYED -> current.keys;
            case SHARED -> current.vector;
            case LOST -> current.lost;
            case AGREED -> current.agreed;
            case OPENED -> current.opening;
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
        unneeded.forEach(secrets::erase);
        unneeded.clear();
    }

    /** Takes a message as it came; returns what is to be sent, all of it durable. */
    public List<Envelope> receive(byte[] bytes) {
        tidy();
        try {
            return take(Envelope.read(bytes, terms.mostBytes()));
        } catch (ProtocolRefusal refusal) {
            return List.of(refused(current.number, refusal));
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
        return refusal(round, refusal);
    }

    private Envelope refusal(int round, ProtocolRefusal refusal) {
        return signed(round, MessageKind.REFUSAL, Envelope.NO_CONTEXT, refusal.toBytes());
    }

    private Envelope signed(int round, MessageKind kind, byte[] context, byte[] body) {
        return Envelope.signed(keys.identity(), binding, round, kind, place, context, body);
    }

    private List<Envelope> take(Envelope envelope) throws ProtocolRefusal {
        if (stopped.isPresent()) {
            throw stopped.get();
        }
        if (!Arrays.equals(envelope.study(), binding)) {
            throw new ProtocolRefusal(
                    Reason.OTHER_STUDY, "a message belongs to another study than the one that was approved here");
        }
        if (envelope.kind() == MessageKind.KEYS && envelope.sender() == place) {
            witness(envelope);
            return List.of();
        }
        if (envelope.sender() != Envelope.COORDINATOR
                || envelope.kind().isFromParty()
                || !envelope.isSignedBy(terms.coordinatorKey())) {
            throw new ProtocolRefusal(
                    Reason.NOT_SIGNED, "a message is not signed by the coordinator that the study names");
        }
        return envelope.kind() == MessageKind.RESULT ? over(envelope) : inRound(envelope);
    }

    /** Keys that this party signed and does not have: it was put back from an older copy. */
    private void witness(Envelope shown) throws ProtocolRefusal {
        boolean known = (current.keys != null && current.keys.saysTheSameAs(shown)) || shown.round() < current.number;
        if (!known && shown.isSignedBy(terms.parties().get(place).identityKey())) {
            stopped = Optional.of(restored("others hold keys that this party signed and has no record of"));
            throw stopped.get();
        }
    }

    /** A round is over: at once if it was under way here, and everything before it too. */
    private List<Envelope> over(Envelope result) throws ProtocolRefusal {
        if (result.round() >= terms.rounds()) {
            throw new ProtocolRefusal(Reason.OUT_OF_ORDER, "the study has no round " + result.round());
        }
        if (result.round() < current.number || (current.isOver() && result.round() == current.number)) {
            return List.of();
        }
        if (current.phase == PartyPhase.BOUND) {
            // What the door has sealed belongs to this round; the next one must not find it.
            run(table.alone(PartyPhase.BOUND).orElseThrow(), null);
        }
        Optional<PartyTable.Row> row = table.find(current.phase, MessageKind.RESULT);
        if (row.isPresent()) {
            run(row.get(), result);
        } else {
            journal.append(List.of(result.toBytes()));
        }
        closed(result);
        return goOn();
    }

    private void closed(Envelope result) {
        if (result.round() > current.number) {
            beginRound(result.round());
        }
        current.phase = PartyPhase.CLOSED;
    }

    private List<Envelope> inRound(Envelope envelope) throws ProtocolRefusal {
        PartyRound round = current;
        if (envelope.round() > current.number) {
            throw new ProtocolRefusal(
                    Reason.OUT_OF_ORDER,
                    "round " + envelope.round() + " is asked for, and this party has given no keys for it");
        }
        if (envelope.round() < current.number) {
            round = previous.filter(before -> before.number == envelope.round() && before.phase == PartyPhase.OPENED)
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
        PartyRound saved = current;
        current = round;
        try {
            for (PartyGuard guard : PartyGuard.values()) {
                if (row.guards().contains(guard)) {
                    check(guard, envelope);
                }
            }
            List<Envelope> out = new ArrayList<>(run(row, envelope));
            if (saved == round) {
                out.addAll(goOn());
            }
            return out;
        } finally {
            if (saved != round) {
                current = saved;
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
        if (current.isOver() && current.number + 1 < terms.rounds()) {
            beginRound(current.number + 1);
        }
        Optional<PartyTable.Row> row = table.alone(current.phase);
        if (row.isPresent()) {
            out.addAll(run(row.get(), null));
        }
        return out;
    }

    // ---- guards

    private void check(PartyGuard guard, Envelope envelope) throws ProtocolRefusal {
        switch (guard) {
            case ENOUGH_TAKE_PART -> checkTakingPart(RoundMessages.Ask.read(envelope, terms.size()));
            case KEYS_SIGNED -> checkKeys(RoundMessages.Ask.read(envelope, terms.size()));
            case SHARES_OPEN -> openShares(RoundMessages.Ask.read(envelope, terms.size()), envelope.attachment());
            case REQUEST_FITS -> {
                Optional<String> words = source.refusal(
                        current.number,
                        RoundMessages.Ask.read(envelope, terms.size()).request());
                if (words.isPresent()) {
                    throw new ProtocolRefusal(Reason.REQUEST_REFUSED, words.get());
                }
            }
            case SAME_SET -> {
                if (!current.ask.saysTheSameAs(envelope)) {
                    keepEvidence(envelope);
                    throw new ProtocolRefusal(
                            Reason.OTHER_REQUEST,
                            "round " + current.number
                                    + " was asked for with another request or in other company before, and is answered once");
                }
            }
            case LISTS_APART -> {
                RoundMessages.Survivors lists = RoundMessages.Survivors.read(envelope.body(), terms.size());
                if (!lists.survivors().isApartFrom(lists.lost())
                        || !lists.survivors().and(lists.lost()).equals(current.asked.taking())) {
                    throw new ProtocolRefusal(
                            Reason.OVERLAPPING_LISTS,
                            "those who survived and those who are lost are not two halves of those who took part, and a party"
                                    + " in both would be laid open");
                }
            }
            case ENOUGH_SURVIVE -> {
                int survivors = RoundMessages.Survivors.read(envelope.body(), terms.size())
                        .survivors()
                        .size();
                if (survivors < terms.least()) {
                    throw tooFew("a sum of " + survivors);
                }
            }
            case OWN_VECTOR -> checkOwnVector(RoundMessages.Survivors.read(envelope.body(), terms.size()));
            case SAME_SURVIVORS -> {
                if (!current.survivors.saysTheSameAs(envelope)) {
                    keepEvidence(envelope);
                    throw new ProtocolRefusal(
                            Reason.OTHER_SURVIVORS,
                            "this party agreed to another list of survivors of round " + current.number
                                    + ", and agrees once");
                }
            }
            case QUORUM_SIGNED -> checkQuorum(RoundMessages.Quorum.read(envelope.body(), terms.size()));
        }
    }

    /** Two signed messages that contradict each other prove that the coordinator said both: the first of them a round is written down. */
    private void keepEvidence(Envelope second) {
        if (!current.contradicted) {
            current.contradicted = true;
            journal.append(List.of(second.bare().toBytes()));
        }
    }

    private ProtocolRefusal tooFew(String what) {
        return new ProtocolRefusal(
                Reason.TOO_FEW,
                what + " parties would hold less noise than was charged; the study asks for at least " + terms.least());
    }

    private void checkTakingPart(RoundMessages.Ask ask) throws ProtocolRefusal {
        if (ask.taking().size() < terms.least()) {
            throw tooFew("a round of " + ask.taking().size());
        }
        if (!ask.taking().contains(place)) {
            throw new ProtocolRefusal(
                    Reason.NOT_IN_SET, "this party is asked for a round in which it does not take part");
        }
        if (!ask.keys().get(place).saysTheSameAs(current.keys)) {
            if (ask.keys().get(place).isSignedBy(terms.parties().get(place).identityKey())) {
                stopped = Optional.of(restored("others hold keys that this party signed and has no record of"));
                throw stopped.get();
            }
            throw forged(place);
        }
    }

    private void checkKeys(RoundMessages.Ask ask) throws ProtocolRefusal {
        for (Map.Entry<Integer, Envelope> each : ask.keys().entrySet()) {
            if (each.getKey() != place
                    && !each.getValue()
                            .isSignedBy(terms.parties().get(each.getKey()).identityKey())) {
                throw forged(each.getKey());
            }
            if (!RoundKeys.isUsable(roundKey(each.getValue()))) {
                throw new ProtocolRefusal(
                        Reason.FORGED_KEY,
                        "the round key of party "
                                + terms.parties().get(each.getKey()).name()
                                + " is one that everybody agrees with on the same secret");
            }
        }
    }

    private ProtocolRefusal forged(int party) {
        return new ProtocolRefusal(
                Reason.FORGED_KEY,
                "the round key of party " + terms.parties().get(party).name()
                        + " is not signed by the identity that the study names");
    }

    private void openShares(RoundMessages.Ask ask, byte[] attachment) throws ProtocolRefusal {
        int[] others = ask.taking().places().filter(party -> party != place).toArray();
        Map<Integer, byte[]> boxes = RoundMessages.pieces(others, shareBytes() + SealedBox.OVERHEAD_BYTES, attachment);
        Map<Integer, byte[]> shares = new TreeMap<>();
        for (int party : others) {
            byte[] context = RoundMessages.boxContext(
                    binding, current.number, party, place, ask.keys().get(party).body());
            try {
                shares.put(party, keys.box().open(terms.parties().get(party).sealingKey(), context, boxes.get(party)));
            } catch (BrokenSeal broken) {
                throw new ProtocolRefusal(
                        Reason.BROKEN_SHARE,
                        "the share that party " + terms.parties().get(party).name()
                                + " sealed for this party was changed on the way");
            }
        }
        shares.put(place, current.ownShare);
        current.shares = shares;
    }

    private void checkOwnVector(RoundMessages.Survivors lists) throws ProtocolRefusal {
        if (lists.survivors().contains(place)
                && (current.vector == null || !Arrays.equals(lists.hashOf(place), current.vector.hash()))) {
            throw new ProtocolRefusal(
                    Reason.OTHER_VECTOR,
                    "the list of survivors names another vector for this party than the one that it sent");
        }
    }

    private void checkQuorum(RoundMessages.Quorum quorum) throws ProtocolRefusal {
        int[] signers = quorum.agreed().places().toArray();
        int valid = 0;
        for (int i = 0; i < signers.length && valid < terms.threshold(); i++) {
            Envelope agreed = new Envelope(
                    Envelope.VERSION,
                    binding,
                    current.number,
                    MessageKind.AGREED,
                    signers[i],
                    current.agreed.context(),
                    new byte[0],
                    new byte[0],
                    quorum.signatures().get(i));
            if (agreed.isSignedBy(terms.parties().get(signers[i]).identityKey())) {
                valid++;
            }
        }
        if (valid < terms.threshold()) {
            throw new ProtocolRefusal(
                    Reason.NO_QUORUM,
                    "only " + valid + " parties signed the list of survivors that this party agreed to, and "
                            + terms.threshold() + " must");
        }
    }

    // ---- steps

    private List<Envelope> run(PartyTable.Row row, Envelope message) {
        List<Envelope> out = new ArrayList<>();
        for (PartyStep step : row.steps()) {
            Optional<Envelope> sent = perform(step, message);
            sent.ifPresent(out::add);
            if (current.phase == PartyPhase.LOST && step == PartyStep.RELEASE) {
                return out;
            }
        }
        current.phase = row.next();
        return out;
    }

    private Optional<Envelope> perform(PartyStep step, Envelope message) {
        switch (step) {
            case KEEP_SECRETS -> keepSecrets();
            case LOG_KEYS -> journal.append(List.of(current.keys.toBytes()));
            case SEND_KEYS -> {
                return Optional.of(current.keys);
            }
            case LOG_SET -> logSet(message);
            case RELEASE -> {
                return release();
            }
            case LOG_VECTOR -> logVector();
            case SEND_VECTOR -> {
                return Optional.of(current.vector == null ? current.lost : current.vector);
            }
            case LOG_AGREED -> logAgreed(message);
            case SEND_AGREED -> {
                return Optional.of(current.agreed);
            }
            case LOG_OPENING -> logOpening();
            case SEND_OPENING -> {
                return Optional.of(current.opening);
            }
            case CLOSE -> {
                journal.append(List.of(message.toBytes()));
                forgetSecrets();
            }
        }
        return Optional.empty();
    }

    private void keepSecrets() {
        RandomBits bits = random.get();
        RoundKeys drawn = RoundKeys.fresh(bits, terms.layers());
        byte[] body = new RoundMessages.Keys(
                        drawn.publicKey(), drawn.selfCommitment(), drawn.layerAnchor(), source.ledgerHead())
                .toBytes();
        byte[][] shares = SecretShares.split(drawn.shared(), terms.threshold(), terms.size(), bits);
        int[] others =
                IntStream.range(0, terms.size()).filter(party -> party != place).toArray();
        byte[] boxes = RoundMessages.pieces(
                others,
                party -> keys.box()
                        .seal(
                                terms.parties().get(party).sealingKey(),
                                RoundMessages.boxContext(binding, current.number, place, party, body),
                                shares[party]));
        current.secrets = drawn;
        current.ownShare = shares[place];
        current.keys = signed(current.number, MessageKind.KEYS, Envelope.NO_CONTEXT, body)
                .with(boxes);
        byte[] kept = drawn.kept();
        byte[] all = Arrays.copyOf(kept, kept.length + shareBytes());
        System.arraycopy(shares[place], 0, all, kept.length, shareBytes());
        secrets.keep(secretName("keys", current), all);
    }

    private void logSet(Envelope ask) {
        try {
            bind(current, ask);
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a request that was read cannot be read again", impossible);
        }
        secrets.keep(
                secretName("shares", current),
                RoundMessages.pieces(current.asked.taking().places().toArray(), party -> current.shares.get(party)));
        journal.append(List.of(current.ask.toBytes()));
        current.phase = PartyPhase.BOUND;
    }

    private Optional<Envelope> release() {
        ProtocolRefusal lost = new ProtocolRefusal(
                Reason.RELEASE_LOST,
                "what this party released for round " + current.number
                        + " is gone from its disk, and it is not released again");
        try {
            Optional<long[]> released =
                    source.release(releases, current.number, current.asked.request(), current.secrets.noiseLayers());
            if (released.isPresent()) {
                current.released = released.get();
                return Optional.empty();
            }
        } catch (IllegalArgumentException unanswerable) {
            // The door refuses a question by what is public, before it looks at a record; to ask again would not help.
            lost = new ProtocolRefusal(
                    Reason.REQUEST_REFUSED,
                    "the door of this party cannot answer the request of round " + current.number
                            + ", so it has no vector in it");
        }
        current.lost = refusal(current.number, lost);
        journal.append(List.of(current.lost.toBytes()));
        releases++;
        current.phase = PartyPhase.LOST;
        return Optional.of(current.lost);
    }

    private void logVector() {
        long[] masked = current.released.clone();
        RoundMasks masks = new RoundMasks(current.context);
        masks.addSelf(masked, current.secrets.selfSeed(), place);
        for (Map.Entry<Integer, Envelope> each : current.asked.keys().entrySet()) {
            if (each.getKey() != place) {
                masks.addPair(masked, current.secrets.agreement(roundKey(each.getValue())), place, each.getKey());
            }
        }
        current.vector = signed(current.number, MessageKind.VECTOR, current.context, RoundMessages.bytes(masked));
        journal.append(List.of(current.vector.toBytes()));
        source.kept(releases);
        releases++;
        current.released = null;
        current.phase = PartyPhase.SHARED;
    }

    private static byte[] roundKey(Envelope keys) {
        return Arrays.copyOf(keys.body(), SealedBox.KEY_BYTES);
    }

    private void logAgreed(Envelope survivors) {
        try {
            agree(current, survivors);
        } catch (ProtocolRefusal impossible) {
            throw new IllegalStateException("a list that was read cannot be read again", impossible);
        }
        current.agreed = signed(
                current.number,
                MessageKind.AGREED,
                RoundMessages.agreement(current.context, survivors.body()),
                new byte[0]);
        journal.append(List.of(survivors.toBytes(), current.agreed.toBytes()));
    }

    private void logOpening() {
        int missing = terms.size() - current.surviving.survivors().size();
        byte[] body = RoundMessages.pieces(
                current.asked.taking().places().toArray(),
                party -> RecoverableSum.shareFor(
                        current.shares.get(party),
                        current.surviving.survivors().contains(party),
                        missing,
                        terms.layers()));
        current.opening = signed(current.number, MessageKind.OPENING, current.agreed.context(), body);
        journal.append(List.of(current.opening.toBytes()));
        forgetSecrets();
    }

    private void forgetSecrets() {
        unneeded.add(secretName("keys", current));
        unneeded.add(secretName("shares", current));
        current.secrets = null;
        current.ownShare = null;
        current.shares.clear();
    }

    // ---- what can be seen

    /** The round that the party is in. */
    public int round() {
        return current.number;
    }

    /** Where it stands in that round. */
    public PartyPhase phase() {
        return current.phase;
    }

    /** How many releases it has made or lost. */
    public int releases() {
        return releases;
    }

    /** Whether all rounds of the study are over for this party. */
    public boolean isDone() {
        return current.isOver() && current.number + 1 >= terms.rounds();
    }

    /** Why it takes no further part in the study; empty if it does. */
    public Optional<ProtocolRefusal> stopped() {
        return stopped;
    }

    /** What it refused last, for its log. */
    public Optional<ProtocolRefusal> lastRefusal() {
        return lastRefusal;
    }
}
