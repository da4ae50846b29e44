package dev.tacit.federated.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundSeal;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.noise.ReplayNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a coordinator with the right key may try, and the sentence by which each attempt is refused; nothing is released for any. */
class DishonestCoordinatorTest {
    private static final int SIZE = 5;
    private static final byte[] REQUEST = DoorSource.request(1.5);
    private static final PartySet ALL = PartySet.first(SIZE);
    private static final PartySet NOBODY = PartySet.of(List.of());

    private final Federation federation = new Federation(SIZE, 1, 1, true, 4, 77);
    private final RogueCoordinator rogue = new RogueCoordinator(federation.terms, federation.coordinator);
    private final List<PartyMachine> parties = new ArrayList<>();
    private final Map<Integer, Envelope> keys = new TreeMap<>();

    @BeforeEach
    void gatherKeys() {
        for (int place = 0; place < SIZE; place++) {
            parties.add(federation.party(place));
            keys.put(
                    place,
                    RogueCoordinator.only(MessageKind.KEYS, parties.get(place).start()));
        }
    }

    /** A party refuses a message in words that it signed, and its disk is as before. */
    private void assertRefused(int place, byte[] message, Reason reason, String words) {
        int before = federation.disks.get(place).drawn.size();
        long announced = federation.disks.get(place).announced();
        PartyPhase phase = parties.get(place).phase();
        List<Envelope> sent = parties.get(place).receive(message);
        Envelope refusal = RogueCoordinator.only(MessageKind.REFUSAL, sent);
        assertThat(sent).hasSize(1);
        assertThat(refusal.isSignedBy(federation.keys.get(place).identity().publicKey()))
                .isTrue();
        try {
            ProtocolRefusal said = ProtocolRefusal.read(refusal.body());
            assertThat(said.sentence()).contains(words);
            assertThat(said.reason()).isEqualTo(reason);
        } catch (ProtocolRefusal malformed) {
            throw new AssertionError(malformed);
        }
        assertThat(federation.disks.get(place).drawn).hasSize(before);
        assertThat(federation.disks.get(place).announced()).isEqualTo(announced);
        assertThat(parties.get(place).phase()).isEqualTo(phase);
    }

    private void assertRefused(int place, Envelope message, Reason reason, String words) {
        assertRefused(place, message.toBytes(), reason, words);
    }

    private Envelope ask(int receiver) {
        return rogue.ask(0, REQUEST, ALL, keys, receiver);
    }

    private Map<Integer, Envelope> vectors() {
        Map<Integer, Envelope> vectors = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            vectors.put(
                    place,
                    RogueCoordinator.only(MessageKind.VECTOR, parties.get(place).receive(ask(place))));
        }
        return vectors;
    }

    @Test
    void mixedBounds() {
        assertRefused(
                0,
                rogue.ask(0, DoorSource.request(2.5), ALL, keys, 0),
                Reason.REQUEST_REFUSED,
                "does not name the bound");
        assertThat(parties.get(0).receive(ask(0))).hasSize(1);
        assertRefused(
                0,
                rogue.ask(0, DoorSource.request(1.4), ALL, keys, 0),
                Reason.OTHER_REQUEST,
                "was asked for with another request");
    }

    @Test
    void mixedQueries() {
        assertThat(parties.get(0).receive(ask(0))).hasSize(1);
        byte[] other = "another sum of rows, clipped at 1.5".getBytes(UTF_8);
        assertRefused(0, rogue.ask(0, other, ALL, keys, 0), Reason.OTHER_REQUEST, "is answered once");
        assertThat(federation.disks.get(0).journal.entries()).hasSize(4); // keys, set, vector, and the proof
    }

    @Test
    void overlappingLists() {
        Map<Integer, Envelope> vectors = vectors();
        assertRefused(
                1,
                rogue.survivors(0, ALL, PartySet.of(List.of(2)), vectors),
                Reason.OVERLAPPING_LISTS,
                "a party in both would be laid open");
        assertRefused(
                1,
                rogue.survivors(0, ALL.minus(PartySet.of(List.of(2))), NOBODY, vectors),
                Reason.OVERLAPPING_LISTS,
                "are not two halves");
    }

    @Test
    void twoSurvivorSets() {
        Map<Integer, Envelope> vectors = vectors();
        PartySet two = PartySet.of(List.of(2));
        assertThat(parties.get(1).receive(rogue.survivors(0, ALL, NOBODY, vectors)))
                .hasSize(1);
        assertRefused(
                1,
                rogue.survivors(0, ALL.minus(two), two, vectors),
                Reason.OTHER_SURVIVORS,
                "agreed to another list of survivors");
        PartyMachine restarted = federation.party(1);
        parties.set(1, restarted);
        assertRefused(1, rogue.survivors(0, ALL.minus(two), two, vectors), Reason.OTHER_SURVIVORS, "agrees once");
    }

    @Test
    void tinySet() {
        PartySet three = PartySet.first(3);
        assertRefused(0, rogue.ask(0, REQUEST, three, keys, 0), Reason.TOO_FEW, "less noise than was charged");
        Map<Integer, Envelope> vectors = vectors();
        assertRefused(
                0,
                rogue.survivors(0, three, ALL.minus(three), vectors),
                Reason.TOO_FEW,
                "the study asks for at least 4");
        assertRefused(4, rogue.ask(0, REQUEST, PartySet.first(4), keys, 4), Reason.OTHER_REQUEST, "in other company");
    }

    @Test
    void forgedKey() {
        RoundKeys own = RoundKeys.fresh(ReplayNoise.ofSeed(5), federation.terms.layers());
        byte[] body = new RoundMessages.Keys(
                        own.publicKey(),
                        RoundSeal.fresh(ReplayNoise.ofSeed(6)).publicKey(),
                        own.selfCommitment(),
                        own.layerAnchor(),
                        new byte[ContentHash.BYTES],
                        RoundMessages.Keys.hashOf(keys.get(3).attachment()))
                .toBytes();
        Envelope forged = Envelope.signed(
                federation.coordinator, federation.terms.binding(), 0, MessageKind.KEYS, 3, Envelope.noContext(), body);
        keys.put(3, forged.with(keys.get(3).attachment()));
        assertRefused(0, ask(0), Reason.FORGED_KEY, "party-3 is not signed by the identity that the study names");
    }

    /** A party that signs a key with which everybody has the same secret stops nobody. */
    @Test
    void keyOfSmallOrder() {
        RoundKeys own = RoundKeys.fresh(ReplayNoise.ofSeed(5), federation.terms.layers());
        byte[] body = new RoundMessages.Keys(
                        new byte[RoundKeys.publicKey(new byte[RoundKeys.SEED_BYTES]).length],
                        RoundSeal.fresh(ReplayNoise.ofSeed(6)).publicKey(),
                        own.selfCommitment(),
                        own.layerAnchor(),
                        new byte[ContentHash.BYTES],
                        RoundMessages.Keys.hashOf(keys.get(3).attachment()))
                .toBytes();
        Envelope signed = Envelope.signed(
                federation.keys.get(3).identity(),
                federation.terms.binding(),
                0,
                MessageKind.KEYS,
                3,
                Envelope.noContext(),
                body);
        keys.put(3, signed.with(keys.get(3).attachment()));
        assertRefused(0, ask(0), Reason.FORGED_KEY, "party-3 is one that everybody agrees with");
    }

    /** A second request for a round that is over is kept as proof, and is no request of the next round after a restart. */
    @Test
    void proofOfAnEarlierRoundIsNoRequest() {
        Map<Integer, Envelope> vectors = vectors();
        Map<Integer, Envelope> agreed = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            agreed.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.AGREED, parties.get(place).receive(rogue.survivors(0, ALL, NOBODY, vectors))));
        }
        parties.get(0).receive(rogue.quorum(0, agreed));
        assertThat(parties.get(0).round()).isEqualTo(1);
        byte[] other = DoorSource.request(1.4);
        assertRefused(0, rogue.ask(0, other, ALL, keys, 0), Reason.OTHER_REQUEST, "is answered once");
        PartyMachine restarted = federation.party(0);
        assertThat(restarted.stopped()).isEmpty();
        assertThat(restarted.round()).isEqualTo(1);
        assertThat(restarted.phase()).isEqualTo(PartyPhase.KEYED);
        assertThat(federation.disks.get(0).announced()).isEqualTo(1);
    }

    @Test
    void replayedRound() {
        parties.get(0).receive(ask(0));
        parties.get(0).receive(rogue.say(2, MessageKind.RESULT, new byte[0]));
        assertThat(parties.get(0).round()).isEqualTo(3);
        assertRefused(0, ask(0), Reason.ROUND_CLOSED, "round 0 is over at this party");
        assertRefused(0, rogue.ask(1, REQUEST, ALL, keys, 0), Reason.ROUND_CLOSED, "it is never opened again");
    }

    @Test
    void changedStudy() {
        StudyTerms terms = federation.terms;
        StudyTerms changed = new StudyTerms(
                terms.studyHash(),
                terms.coordinatorKey(),
                terms.parties(),
                0,
                terms.dropouts(),
                terms.layered(),
                terms.rounds(),
                terms.mostNumbers());
        RogueCoordinator other = new RogueCoordinator(changed, federation.coordinator);
        assertRefused(
                0,
                other.ask(0, REQUEST, ALL, keys, 0),
                Reason.OTHER_STUDY,
                "another study than the one that was approved");
    }

    @Test
    void oldVersion() {
        byte[] old = ask(0).toBytes();
        old[0] = 0;
        assertRefused(0, old, Reason.OLD_VERSION, "version 0 of the protocol");
    }

    @Test
    void hugeMessage() {
        byte[] huge = new byte[federation.terms.mostBytesOfTheCoordinator() + 1];
        huge[0] = Envelope.VERSION;
        assertRefused(0, huge, Reason.TOO_LARGE, "longer than anything this study needs");
        byte[] lying = ask(0).toBytes();
        lying[1 + 32 + 4 + 2 + 32 + 64] = 0x7f; // the length of the body
        assertRefused(0, lying, Reason.MALFORMED, "not written as this protocol writes it");
    }

    @Test
    void garbageShare() {
        Envelope ask = ask(0);
        byte[] boxes = ask.attachment();
        boxes[100] ^= 1;
        assertRefused(0, ask.with(boxes), Reason.BROKEN_SHARE, "was changed on the way");
        assertRefused(0, ask.with(rogue.boxes(ALL, keys, 1)), Reason.BROKEN_SHARE, "sealed for this party");
        assertThat(parties.get(0).receive(ask(0))).hasSize(1);
    }

    @Test
    void restoredLedger() {
        Map<Integer, Envelope> vectors = vectors();
        assertThat(vectors).hasSize(SIZE);
        parties.get(0).receive(rogue.say(0, MessageKind.RESULT, new byte[0]));
        federation.disks.get(0).restoreLedger();
        parties.set(0, federation.party(0));
        assertThat(parties.get(0).stopped().orElseThrow().sentence())
                .contains("the ledger has lost lines that this party has signed");
        assertRefused(
                0, rogue.ask(1, REQUEST, ALL, keys, 0), Reason.RESTORED, "to go on could release something twice");
    }

    /** The folder of a party is put back to where it was before it drew its keys: the others hold what it signed. */
    @Test
    void restoredJournal() {
        Envelope signed = keys.get(0);
        federation.disks.get(0).restoreJournal(0);
        parties.set(0, federation.party(0));
        parties.get(0).start();
        assertRefused(0, ask(0), Reason.RESTORED, "keys that this party signed and has no record of");
        assertThat(signed).isNotNull();
        federation.disks.get(1).restoreJournal(0);
        parties.set(1, federation.party(1));
        parties.get(1).start();
        assertRefused(1, keys.get(1).bare(), Reason.RESTORED, "put back from an older copy");
    }

    @Test
    void quorumOfTooFewAndForgedSignatures() {
        Map<Integer, Envelope> vectors = vectors();
        Map<Integer, Envelope> agreed = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            agreed.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.AGREED, parties.get(place).receive(rogue.survivors(0, ALL, NOBODY, vectors))));
        }
        Map<Integer, Envelope> three = new TreeMap<>(agreed);
        three.remove(0);
        three.remove(1);
        assertRefused(0, rogue.quorum(0, three), Reason.NO_QUORUM, "only 3 parties signed");
        three.put(0, agreed.get(4));
        three.put(1, agreed.get(3));
        assertRefused(0, rogue.quorum(0, three), Reason.NO_QUORUM, "and 4 must");
        assertThat(parties.get(0).receive(rogue.quorum(0, agreed)).get(0).kind())
                .isEqualTo(MessageKind.OPENING);
    }

    @Test
    void anothersVectorAndUnsignedMessages() {
        Map<Integer, Envelope> vectors = vectors();
        Map<Integer, Envelope> swapped = new TreeMap<>(vectors);
        swapped.put(0, vectors.get(1));
        assertRefused(
                0, rogue.survivors(0, ALL, NOBODY, swapped), Reason.OTHER_VECTOR, "another vector for this party");
        assertRefused(
                2,
                rogue.survivors(0, ALL, NOBODY, swapped),
                Reason.OTHER_VECTOR,
                "a vector that party-0 did not sign for the request and the company");
        Envelope list = rogue.survivors(0, ALL, NOBODY, vectors);
        Envelope unsigned = new Envelope(
                list.version(),
                list.study(),
                list.round(),
                list.kind(),
                list.sender(),
                list.context(),
                list.body(),
                list.attachment(),
                new byte[64]);
        assertRefused(0, unsigned, Reason.NOT_SIGNED, "not signed by the coordinator");
    }

    /** A door that fails once, and a coordinator that closes the round meanwhile: what was sealed for the round is never another's answer. */
    @Test
    void aRoundThatIsClosedWhileTheDoorFailsTakesItsReleaseWithIt() {
        Disk disk = federation.disks.get(0);
        disk.fuse = 3; // shares and set are written, the charge is, and the sealed release is the last thing that is
        disk.after = true;
        assertThatThrownBy(() -> parties.get(0).receive(ask(0))).isInstanceOf(Crash.class);
        assertThat(disk.drawn).hasSize(1);
        assertThat(disk.announced()).isZero();
        parties.set(0, federation.party(0));
        assertThat(parties.get(0).phase()).isEqualTo(PartyPhase.BOUND);
        List<Envelope> sent = parties.get(0).receive(rogue.say(0, MessageKind.RESULT, new byte[0]));
        assertThat(RogueCoordinator.only(MessageKind.KEYS, sent).round()).isEqualTo(1);
        assertThat(disk.announced()).isEqualTo(1);
        assertThat(disk.drawn).hasSize(1);
        assertThat(parties.get(0).releases()).isEqualTo(1);
    }

    /** A party that gives wrong shares is found by what was published, and the sum is opened without it. */
    @Test
    void wrongSharesOfAPartyAreLeftOut() throws ProtocolRefusal {
        Map<Integer, Envelope> vectors = vectors();
        Map<Integer, Envelope> agreed = new TreeMap<>();
        Map<Integer, Envelope> openings = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            agreed.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.AGREED, parties.get(place).receive(rogue.survivors(0, ALL, NOBODY, vectors))));
        }
        for (int place = 0; place < SIZE; place++) {
            openings.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.OPENING, parties.get(place).receive(rogue.quorum(0, agreed))));
        }
        openings.get(1).body()[7] ^= 1;
        byte[] context = RoundMessages.context(federation.terms.binding(), 0, REQUEST, ALL, SIZE);
        double whole = DoorSource.noise(federation.terms).wholeSteps(0, REQUEST);
        long[] opened = rogue.open(context, keys, ALL, ALL, vectors, openings, whole);
        assertThat(opened).isEqualTo(federation.plainSum(new OpenedSum(0, opened, ALL, ALL, 1), 1.5));
    }
}
