package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.noise.ReplayNoise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A coordinator that names a bound to one party and a slightly larger one to the others, on the two sides of a step of the grid: the noise
 * of the others then counts half against the records of the one.
 *
 * <p>All records are zeros, so what is opened is noise; one party works together with the coordinator and its share is known. The noise that
 * is left must be as much as was charged. 180 numbers of replayed noise: of all seeds, less than one in a million would take a sum with the
 * charged variance for less, because P(χ²_180 &lt; 0.57 · 180) &lt; 1e-6.
 */
class MixedBoundGuaranteeTest {
    /** Parties that would agree to anybody's vectors, so that masks alone have to hold. */
    private static final PartyTable CREDULOUS = WeakTable.without(PartyGuard.VECTORS_SIGNED);

    private static final int SIZE = 5;
    private static final int ROUNDS = 60;
    private static final int COLLUDER = 4;
    private static final long SEED = 20_261_118;

    /** √3/2 is where the grid of three numbers changes. */
    private static final double FINE = 0.8660;

    private static final double COARSE = 0.8661;
    private static final double LEAST_VARIANCE = 0.57;
    private static final PartySet ALL = PartySet.first(SIZE);

    @Test
    void differentRequestsHaveDifferentMasks() throws ProtocolRefusal {
        assertThat(relativeVariance(FINE, COARSE, RoundMessages::context)).isGreaterThan(LEAST_VARIANCE);
    }

    /** Masks are the second lock: nobody agrees to open a list with vectors of another request. */
    @Test
    void partiesThatWereAskedSomethingElseAreNotSaidToSurvive() throws ProtocolRefusal {
        Federation federation = new Federation(SIZE, 1, 0, false, 1, 31);
        RogueCoordinator rogue = new RogueCoordinator(federation.terms, federation.coordinator);
        List<PartyMachine> parties = new ArrayList<>();
        Map<Integer, Envelope> keys = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            parties.add(federation.party(place));
            keys.put(place, parties.get(place).start().get(0));
        }
        Map<Integer, Envelope> vectors = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            byte[] request = DoorSource.request(place == 0 ? FINE : COARSE);
            vectors.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.VECTOR, parties.get(place).receive(rogue.ask(0, request, ALL, keys, place))));
        }
        Envelope survivors = rogue.survivors(0, ALL, PartySet.of(List.of()), vectors);
        for (PartyMachine party : parties) {
            Envelope refusal = RogueCoordinator.only(MessageKind.REFUSAL, party.receive(survivors));
            assertThat(ProtocolRefusal.read(refusal.body()).reason()).isEqualTo(ProtocolRefusal.Reason.OTHER_VECTOR);
        }
    }

    @Test
    void equalRequestsHaveTheNoiseThatWasCharged() throws ProtocolRefusal {
        assertThat(relativeVariance(FINE, FINE, RoundMessages::context)).isBetween(LEAST_VARIANCE, 1.6);
    }

    /** The twin: masks that depend on the round and on who takes part only. */
    @Test
    void masksWithoutTheRequestAreFoundOut() throws ProtocolRefusal {
        assertThat(relativeVariance(
                        FINE,
                        COARSE,
                        (binding, round, request, taking, parties) ->
                                RoundMessages.context(binding, round, new byte[0], taking, parties)))
                .isLessThan(LEAST_VARIANCE);
    }

    /** Of what is opened without the colluder's share, over what was charged, in the grid of the first party. */
    private static double relativeVariance(double first, double others, PartyMachine.ContextRule contexts)
            throws ProtocolRefusal {
        Federation federation = new Federation(SIZE, 1, 0, false, ROUNDS, 31);
        federation.doors = place -> ReplayNoise.ofSeed(SEED + place);
        federation.rows.forEach(rows -> Arrays.fill(rows, 0));
        RogueCoordinator rogue = new RogueCoordinator(federation.terms, federation.coordinator);
        List<PartyMachine> parties = new ArrayList<>();
        Map<Integer, Envelope> keys = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            parties.add(federation.party(place, CREDULOUS, contexts));
            keys.put(place, parties.get(place).start().get(0));
        }
        double charged = DoorSource.noise(federation.terms).wholeSteps(0, DoorSource.request(first));
        double squares = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long[] opened = openedBy(rogue, parties, keys, federation.terms, round, first, others, contexts);
            long[] known = federation.seen.get(COLLUDER).released.get(round);
            for (int i = 0; i < opened.length; i++) {
                double noise = (opened[i] - known[i]) / charged;
                squares += noise * noise;
            }
        }
        return squares / (ROUNDS * DoorSource.COLUMNS);
    }

    private static long[] openedBy(
            RogueCoordinator rogue,
            List<PartyMachine> parties,
            Map<Integer, Envelope> keys,
            StudyTerms terms,
            int round,
            double first,
            double others,
            PartyMachine.ContextRule contexts)
            throws ProtocolRefusal {
        Map<Integer, Envelope> vectors = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            byte[] request = DoorSource.request(place == 0 ? first : others);
            vectors.put(
                    place,
                    RogueCoordinator.only(
                            MessageKind.VECTOR,
                            parties.get(place).receive(rogue.ask(round, request, ALL, keys, place))));
        }
        Envelope survivors = rogue.survivors(round, ALL, PartySet.of(List.of()), vectors);
        Map<Integer, Envelope> agreed = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            agreed.put(place, parties.get(place).receive(survivors).get(0));
        }
        Map<Integer, Envelope> openings = new TreeMap<>();
        Map<Integer, Envelope> next = new TreeMap<>();
        for (int place = 0; place < SIZE; place++) {
            List<Envelope> sent = new ArrayList<>(parties.get(place).receive(rogue.quorum(round, agreed)));
            sent.addAll(parties.get(place).receive(rogue.say(round, MessageKind.RESULT, new byte[0])));
            for (Envelope each : sent) {
                if (each.kind() == MessageKind.OPENING) {
                    openings.put(place, each);
                } else if (each.kind() == MessageKind.KEYS) {
                    next.put(place, each);
                }
            }
        }
        byte[] context = contexts.context(terms.binding(), round, DoorSource.request(others), ALL, terms.size());
        long[] opened = rogue.open(context, keys, ALL, ALL, vectors, openings, 0);
        keys.putAll(next);
        return opened;
    }
}
