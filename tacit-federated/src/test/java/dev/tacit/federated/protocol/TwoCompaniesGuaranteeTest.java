package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.RoundMasks;
import dev.tacit.federated.crypto.SecretShares;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.noise.ReplayNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A coordinator that asks some parties in a small company and the others in the company of all, and says of the first that they survived in
 * the second: the seeds that the others then open are those of the first as well, whose masks against each other cancel.
 *
 * <pre>
 *   victims      asked with those who will be lost, and the colluder
 *   lost         d parties, asked with everybody, said to be lost: their mask seeds are opened
 *   the others   asked with everybody, and t of them agree
 * </pre>
 *
 * All records are zeros, so what is opened is noise, of which there must be as much as was charged. Eight parties of whom one colludes and
 * two may be missing, as studies are drafted: three victims hold 3/5 of it. 180 numbers of replayed noise: of all seeds, less than one in a
 * million would take a sum with the charged variance for less than .57, where 3/5 is .6 in the mean; so the twin is caught by the exact sum
 * of the victims, and its variance is only looked at.
 */
class TwoCompaniesGuaranteeTest {
    private static final int SIZE = 8;
    private static final int ROUNDS = 20;
    private static final int COLLUDER = 7;
    private static final PartySet ALL = PartySet.first(SIZE);
    private static final PartySet VICTIMS = PartySet.of(List.of(0, 1, 2));
    private static final PartySet LOST = PartySet.of(List.of(3, 4));
    private static final PartySet SMALL = PartySet.of(List.of(0, 1, 2, 3, 4, COLLUDER));
    private static final byte[] REQUEST = DoorSource.request(1);

    private final Federation federation = new Federation(SIZE, 1, 2, true, ROUNDS, 31);
    private final StudyTerms terms = federation.terms;
    private final RogueCoordinator rogue = new RogueCoordinator(terms, federation.coordinator);
    private final List<PartyMachine> parties = new ArrayList<>();
    private final Map<Integer, Envelope> keys = new TreeMap<>();

    private void begin(PartyTable table) {
        federation.doors = place -> ReplayNoise.ofSeed(777 + place);
        federation.rows.forEach(rows -> Arrays.fill(rows, 0));
        for (int place = 0; place < SIZE; place++) {
            parties.add(federation.party(place, table, RoundMessages::context));
            keys.put(place, parties.get(place).start().get(0));
        }
    }

    private Map<Integer, Envelope> vectors(int round) {
        Map<Integer, Envelope> vectors = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            PartySet company = VICTIMS.contains(place) ? SMALL : ALL;
            vectors.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.VECTOR,
                            parties.get(place).receive(rogue.ask(round, REQUEST, company, keys, place))));
        }
        return vectors;
    }

    @Test
    void nobodyAgreesToVectorsOfAnotherCompany() throws ProtocolRefusal {
        begin(PartyTable.STANDARD);
        Envelope list = rogue.survivors(0, ALL.minus(LOST), LOST, vectors(0));
        for (int place = VICTIMS.size(); place < SIZE; place++) {
            Envelope refusal = RogueCoordinator.only(
                    MessageKind.REFUSAL, parties.get(place).receive(list));
            ProtocolRefusal said = ProtocolRefusal.read(refusal.body());
            assertThat(said.reason()).isEqualTo(ProtocolRefusal.Reason.OTHER_VECTOR);
            assertThat(said.sentence()).contains("party-0 did not sign for the request and the company");
            assertThat(parties.get(place).phase()).isEqualTo(PartyPhase.SHARED);
        }
    }

    /** The twin: parties that look at their own vector in the list, and at nobody else's. */
    @Test
    void whoLooksAtTheirOwnVectorOnlyOpensASumOfFew() throws ProtocolRefusal {
        begin(WeakTable.without(PartyGuard.VECTORS_SIGNED));
        double charged = DoorSource.noise(terms).wholeSteps(0, REQUEST);
        double squares = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] secret = federation.disks.get(COLLUDER).read("keys-" + round).orElseThrow();
            Map<Integer, Envelope> vectors = vectors(round);
            Map<Integer, Envelope> next = new TreeMap<>();
            Map<Integer, byte[]> seeds = seeds(openings(round, vectors, next));
            long[] opened = sumOfVictims(round, vectors, seeds, Arrays.copyOf(secret, RoundKeys.SEED_BYTES));
            long[] truth = new long[DoorSource.COLUMNS];
            for (int victim : VICTIMS.places().toArray()) {
                long[] released = federation.seen.get(victim).released.get(round);
                Arrays.setAll(truth, i -> truth[i] + released[i]);
            }
            assertThat(opened).isEqualTo(truth);
            squares += Arrays.stream(opened)
                    .mapToDouble(n -> n / charged)
                    .map(n -> n * n)
                    .sum();
            keys.putAll(next);
        }
        assertThat(squares / (ROUNDS * DoorSource.COLUMNS)).isLessThan(0.9);
    }

    /** What all but the victims give away for a list that they agreed to; the keys of the next round with it. */
    private Map<Integer, Envelope> openings(int round, Map<Integer, Envelope> vectors, Map<Integer, Envelope> next) {
        Envelope list = rogue.survivors(round, ALL.minus(LOST), LOST, vectors);
        Map<Integer, Envelope> agreed = IntStream.range(VICTIMS.size(), SIZE)
                .boxed()
                .collect(Collectors.toMap(
                        place -> place,
                        place -> RogueCoordinator.only(
                                MessageKind.AGREED, parties.get(place).receive(list)),
                        (one, other) -> one,
                        TreeMap::new));
        Map<Integer, Envelope> openings = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            List<Envelope> sent = new ArrayList<>();
            if (!VICTIMS.contains(place)) {
                sent.addAll(parties.get(place).receive(rogue.quorum(round, agreed)));
            }
            sent.addAll(parties.get(place).receive(rogue.say(round, MessageKind.RESULT, new byte[0])));
            for (Envelope each : sent) {
                (each.kind() == MessageKind.OPENING ? openings : next).put(place, each);
            }
        }
        return openings;
    }

    /** Self seeds of who is said to survive, mask seeds of the others. */
    private Map<Integer, byte[]> seeds(Map<Integer, Envelope> openings) throws ProtocolRefusal {
        RecoverableSum reader = new RecoverableSum(terms, Envelope.noContext(), published(), ALL, ALL.minus(LOST));
        Map<Integer, byte[]> seeds = new TreeMap<>();
        for (int dealer = 0; dealer < SIZE; dealer++) {
            Map<Integer, byte[]> shares = new LinkedHashMap<>();
            for (Map.Entry<Integer, Envelope> each : openings.entrySet()) {
                if (shares.size() < terms.threshold()) {
                    shares.put(
                            each.getKey(), reader.read(each.getValue().body()).get(dealer));
                }
            }
            seeds.put(dealer, SecretShares.combine(shares));
        }
        return seeds;
    }

    private Map<Integer, RoundMessages.Keys> published() throws ProtocolRefusal {
        Map<Integer, RoundMessages.Keys> published = new TreeMap<>();
        for (Map.Entry<Integer, Envelope> each : keys.entrySet()) {
            published.put(each.getKey(), RoundMessages.Keys.read(each.getValue().body()));
        }
        return published;
    }

    /** The victims' vectors without masks: against each other they cancel, and the others' are known. */
    private long[] sumOfVictims(int round, Map<Integer, Envelope> vectors, Map<Integer, byte[]> seeds, byte[] colluders)
            throws ProtocolRefusal {
        RoundMasks masks = new RoundMasks(RoundMessages.context(terms.binding(), round, REQUEST, SMALL, SIZE));
        long[] sum = new long[DoorSource.COLUMNS];
        for (int victim : VICTIMS.places().toArray()) {
            long[] vector = RoundMessages.numbers(vectors.get(victim).body());
            Arrays.setAll(sum, i -> sum[i] + vector[i]);
            byte[] key = published().get(victim).key();
            masks.removeSelf(sum, Arrays.copyOf(seeds.get(victim), RoundKeys.SEED_BYTES), victim);
            for (int lost : LOST.places().toArray()) {
                masks.removePair(sum, RoundKeys.agreement(seeds.get(lost), key), victim, lost);
            }
            masks.removePair(sum, RoundKeys.agreement(colluders, key), victim, COLLUDER);
        }
        return sum;
    }

    /** The list that an honest coordinator makes of the same vectors is refused by nobody. */
    @Test
    void aListOfOneCompanyIsAgreedTo() {
        begin(PartyTable.STANDARD);
        Map<Integer, Envelope> vectors = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            vectors.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.VECTOR, parties.get(place).receive(rogue.ask(0, REQUEST, ALL, keys, place))));
        }
        Envelope list = rogue.survivors(0, ALL.minus(LOST), LOST, vectors);
        assertThat(parties)
                .allSatisfy(party -> assertThat(party.receive(list))
                        .singleElement()
                        .matches(answer -> answer.kind() == MessageKind.AGREED));
    }
}
