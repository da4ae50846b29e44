package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.crypto.RoundKeys;
import dev.tacit.federated.crypto.SealedBox;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.PartySet;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.SignedHash;
import dev.tacit.federated.message.StudyTerms;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The bodies of messages: how they are written, and what is a body of that kind. */
final class RoundMessages {
    private RoundMessages() {}

    /**
     * Body of KEYS.
     *
     * @param key public round key
     * @param seal public key of the round's {@link dev.tacit.federated.crypto.RoundSeal}
     * @param selfCommitment of the self seed
     * @param layerAnchor of the layers' roots
     * @param ledgerHead newest line of the party's ledger
     * @param boxesHash of the sealed shares beside it, so that whoever carries the message cannot put others in their place
     */
    record Keys(
            byte[] key, byte[] seal, byte[] selfCommitment, byte[] layerAnchor, byte[] ledgerHead, byte[] boxesHash) {
        static final int BYTES = 2 * SealedBox.KEY_BYTES + 2 * RoundKeys.SEED_BYTES + 2 * ContentHash.BYTES;

        /** The hash of what is sealed beside a body. */
        static byte[] hashOf(byte[] boxes) {
            return ContentHash.of("boxes", boxes);
        }

        Keys beside(byte[] boxes) {
            return new Keys(key, seal, selfCommitment, layerAnchor, ledgerHead, hashOf(boxes));
        }

        byte[] toBytes() {
            return ByteBuffer.allocate(BYTES)
                    .put(key)
                    .put(seal)
                    .put(selfCommitment)
                    .put(layerAnchor)
                    .put(ledgerHead)
                    .put(boxesHash)
                    .array();
        }

        static Keys read(byte[] body) throws ProtocolRefusal {
            require(body.length == BYTES);
            ByteBuffer buffer = ByteBuffer.wrap(body);
            return new Keys(
                    take(buffer, SealedBox.KEY_BYTES),
                    take(buffer, SealedBox.KEY_BYTES),
                    take(buffer, RoundKeys.SEED_BYTES),
                    take(buffer, RoundKeys.SEED_BYTES),
                    take(buffer, ContentHash.BYTES),
                    take(buffer, ContentHash.BYTES));
        }
    }

    /**
     * Body of ASK.
     *
     * @param request what the door is asked
     * @param previous hash of the result of the round before, zeros if there is none
     * @param taking who takes part
     * @param keys KEYS of each of them, without attachments
     */
    record Ask(byte[] request, byte[] previous, PartySet taking, Map<Integer, Envelope> keys) {
        byte[] toBytes(int parties) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(request.length).array());
            out.writeBytes(request);
            out.writeBytes(previous);
            out.writeBytes(taking.toBytes(parties));
            taking.places().forEach(party -> {
                out.writeBytes(keys.get(party).body());
                out.writeBytes(keys.get(party).signature());
            });
            return out.toByteArray();
        }

        /** Reads a body; the keys are put into the envelopes in which their parties signed them. */
        static Ask read(Envelope ask, int parties) throws ProtocolRefusal {
            ByteBuffer buffer = ByteBuffer.wrap(ask.body());
            require(buffer.remaining() >= Integer.BYTES);
            byte[] request = take(buffer, buffer.getInt());
            byte[] previous = take(buffer, ContentHash.BYTES);
            PartySet taking = PartySet.read(take(buffer, PartySet.length(parties)));
            require(taking.isWithin(parties));
            Map<Integer, Envelope> keys = new TreeMap<>();
            for (int party : taking.places().toArray()) {
                byte[] body = take(buffer, Keys.BYTES);
                byte[] signature = take(buffer, Identity.SIGNATURE_BYTES);
                keys.put(
                        party,
                        new Envelope(
                                ask.version(),
                                ask.study(),
                                ask.round(),
                                MessageKind.KEYS,
                                party,
                                Envelope.noContext(),
                                body,
                                new byte[0],
                                signature));
            }
            require(!buffer.hasRemaining());
            return new Ask(request, previous, taking, keys);
        }
    }

    /**
     * Body of SURVIVORS.
     *
     * @param survivors whose vectors arrived
     * @param lost the others who take part
     * @param vectors what shows that each survivor signed its vector, and which, in order
     */
    record Survivors(PartySet survivors, PartySet lost, List<SignedHash> vectors) {
        byte[] toBytes(int parties) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(survivors.toBytes(parties));
            out.writeBytes(lost.toBytes(parties));
            vectors.forEach(vector -> out.writeBytes(vector.toBytes()));
            return out.toByteArray();
        }

        static Survivors read(byte[] body, int parties) throws ProtocolRefusal {
            ByteBuffer buffer = ByteBuffer.wrap(body);
            PartySet survivors = PartySet.read(take(buffer, PartySet.length(parties)));
            PartySet lost = PartySet.read(take(buffer, PartySet.length(parties)));
            require(survivors.isWithin(parties) && lost.isWithin(parties));
            List<SignedHash> vectors = new ArrayList<>();
            for (int i = 0; i < survivors.size(); i++) {
                vectors.add(SignedHash.read(take(buffer, SignedHash.BYTES)));
            }
            require(!buffer.hasRemaining());
            return new Survivors(survivors, lost, vectors);
        }

        /** Whether the vectors of all survivors are there, and are those of the list. */
        boolean names(Map<Integer, Envelope> arrived) {
            return survivors
                    .places()
                    .allMatch(party -> arrived.containsKey(party)
                            && arrived.get(party).signedHash().equals(vectorOf(party)));
        }

        /** What shows which vector of a survivor is meant. */
        SignedHash vectorOf(int party) {
            return vectors.get(
                    (int) survivors.places().filter(place -> place < party).count());
        }
    }

    /** Body of QUORUM: who agreed, and their signatures. */
    record Quorum(PartySet agreed, List<byte[]> signatures) {
        byte[] toBytes(int parties) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.writeBytes(agreed.toBytes(parties));
            signatures.forEach(out::writeBytes);
            return out.toByteArray();
        }

        static Quorum read(byte[] body, int parties) throws ProtocolRefusal {
            ByteBuffer buffer = ByteBuffer.wrap(body);
            PartySet agreed = PartySet.read(take(buffer, PartySet.length(parties)));
            require(agreed.isWithin(parties));
            List<byte[]> signatures = new ArrayList<>();
            for (int i = 0; i < agreed.size(); i++) {
                signatures.add(take(buffer, Identity.SIGNATURE_BYTES));
            }
            require(!buffer.hasRemaining());
            return new Quorum(agreed, signatures);
        }

        /** How many of those who take part in a round really signed an agreement. */
        long valid(StudyTerms terms, int round, PartySet taking, byte[] agreement) {
            byte[] binding = terms.binding();
            int[] signers = agreed.places().toArray();
            return IntStream.range(0, signers.length)
                    .filter(i -> taking.contains(signers[i]))
                    .filter(i -> new Envelope(
                                    Envelope.VERSION,
                                    binding,
                                    round,
                                    MessageKind.AGREED,
                                    signers[i],
                                    agreement,
                                    new byte[0],
                                    new byte[0],
                                    signatures.get(i))
                            .isSignedBy(terms.parties().get(signers[i]).identityKey()))
                    .count();
        }
    }

    /** Whether beside a party's KEYS lie the shares that it sealed. */
    static boolean hasItsShares(Envelope keys) {
        try {
            return Arrays.equals(Keys.read(keys.body()).boxesHash(), Keys.hashOf(keys.attachment()));
        } catch (ProtocolRefusal malformed) {
            return false;
        }
    }

    /** What all who take part in a round must agree on; masks depend on it. */
    static byte[] context(byte[] binding, int round, byte[] request, PartySet taking, int parties) {
        return ContentHash.of(
                "round",
                binding,
                ContentHash.number(round),
                ContentHash.of("request", request),
                taking.toBytes(parties));
    }

    /** What is agreed to before a round is opened. */
    static byte[] agreement(byte[] context, byte[] survivors) {
        return ContentHash.of("agreement", context, survivors);
    }

    /** What a box of seeds is sealed under: all that its sender says beside it, but for the hash of the boxes. */
    static byte[] boxContext(byte[] binding, int round, int sender, int receiver, byte[] keysBody) {
        return ContentHash.of(
                "box",
                binding,
                ContentHash.number(round),
                ContentHash.number(sender),
                ContentHash.number(receiver),
                Arrays.copyOf(keysBody, Keys.BYTES - ContentHash.BYTES));
    }

    /** Integers as bytes. */
    static byte[] bytes(long[] numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Long.BYTES);
        buffer.asLongBuffer().put(numbers);
        return buffer.array();
    }

    /** Bytes as integers. */
    static long[] numbers(byte[] body) throws ProtocolRefusal {
        require(body.length % Long.BYTES == 0);
        long[] numbers = new long[body.length / Long.BYTES];
        ByteBuffer.wrap(body).asLongBuffer().get(numbers);
        return numbers;
    }

    /** One piece of a fixed length for each of some places, one behind the other. */
    static byte[] pieces(int[] places, IntFunction<byte[]> piece) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(places).mapToObj(piece).forEach(out::writeBytes);
        return out.toByteArray();
    }

    /** The pieces again. */
    static Map<Integer, byte[]> pieces(int[] places, int length, byte[] bytes) throws ProtocolRefusal {
        require(bytes.length == places.length * length);
        Map<Integer, byte[]> pieces = new TreeMap<>();
        for (int i = 0; i < places.length; i++) {
            pieces.put(places[i], Arrays.copyOfRange(bytes, i * length, (i + 1) * length));
        }
        return pieces;
    }

    private static byte[] take(ByteBuffer buffer, int length) throws ProtocolRefusal {
        require(length >= 0 && length <= buffer.remaining());
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    private static void require(boolean holds) throws ProtocolRefusal {
        if (!holds) {
            throw Envelope.malformed();
        }
    }
}
