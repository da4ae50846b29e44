package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.SignedHash;
import dev.tacit.federated.message.StudyTerms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A coordinator with the right key that says whatever a test wants. */
final class RogueCoordinator {
    private final StudyTerms terms;
    private final Identity identity;

    RogueCoordinator(StudyTerms terms, Identity identity) {
        this.terms = terms;
        this.identity = identity;
    }

    Envelope say(int round, MessageKind kind, byte[] body) {
        return Envelope.signed(
                identity, terms.binding(), round, kind, Envelope.COORDINATOR, Envelope.noContext(), body);
    }

    /** A request in some company, with the boxes for one receiver. */
    Envelope ask(int round, byte[] request, PartySet taking, Map<Integer, Envelope> keys, int receiver) {
        RoundMessages.Ask ask = new RoundMessages.Ask(request, Envelope.noContext(), taking, keys);
        return say(round, MessageKind.ASK, ask.toBytes(terms.size())).with(boxes(taking, keys, receiver));
    }

    byte[] boxes(PartySet taking, Map<Integer, Envelope> keys, int receiver) {
        int length = (2 + terms.layers()) * RoundKeys.SEED_BYTES + SealedBox.OVERHEAD_BYTES;
        int[] senders = taking.places().filter(party -> party != receiver).toArray();
        return RoundMessages.pieces(senders, sender -> {
            int box = receiver < sender ? receiver : receiver - 1;
            return Arrays.copyOfRange(keys.get(sender).attachment(), box * length, (box + 1) * length);
        });
    }

    Envelope survivors(int round, PartySet survivors, PartySet lost, Map<Integer, Envelope> vectors) {
        List<SignedHash> signed = survivors
                .places()
                .mapToObj(party -> vectors.get(party).signedHash())
                .toList();
        return say(
                round,
                MessageKind.SURVIVORS,
                new RoundMessages.Survivors(survivors, lost, signed).toBytes(terms.size()));
    }

    Envelope quorum(int round, Map<Integer, Envelope> agreed) {
        List<byte[]> signatures =
                agreed.values().stream().map(Envelope::signature).toList();
        return say(
                round,
                MessageKind.QUORUM,
                new RoundMessages.Quorum(PartySet.of(agreed.keySet()), signatures).toBytes(terms.size()));
    }

    /** What it makes of vectors and openings, whoever was told what. */
    long[] open(
            byte[] context,
            Map<Integer, Envelope> keys,
            PartySet taking,
            PartySet survivors,
            Map<Integer, Envelope> vectors,
            Map<Integer, Envelope> openings,
            double wholeSteps)
            throws ProtocolRefusal {
        Map<Integer, RoundMessages.Keys> published = new TreeMap<>();
        for (int party : taking.places().toArray()) {
            published.put(party, RoundMessages.Keys.read(keys.get(party).body()));
        }
        RecoverableSum sum = new RecoverableSum(terms, context, published, taking, survivors);
        Map<Integer, long[]> numbers = new TreeMap<>();
        for (int party : survivors.places().toArray()) {
            numbers.put(party, RoundMessages.numbers(vectors.get(party).body()));
        }
        Map<Integer, Map<Integer, byte[]>> shares = new TreeMap<>();
        for (Map.Entry<Integer, Envelope> opening : openings.entrySet()) {
            shares.put(opening.getKey(), sum.read(opening.getValue().body()));
        }
        return sum.open(numbers, shares, wholeSteps).orElseThrow();
    }

    /** The one message of a kind among those that a party wants to send. */
    static Envelope only(MessageKind kind, List<Envelope> sent) {
        List<Envelope> found = new ArrayList<>(sent);
        found.removeIf(each -> each.kind() != kind);
        if (found.size() != 1) {
            throw new IllegalStateException("expected one " + kind + " and got " + sent);
        }
        return found.get(0);
    }
}
