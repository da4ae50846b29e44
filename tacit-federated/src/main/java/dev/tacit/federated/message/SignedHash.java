package dev.tacit.federated.message;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What proves that somebody signed a message, to whoever does not have what it says: the hash of the body, and the signature.
 *
 * @param bodyHash of the message's body
 * @param signature of the message
 */
public record SignedHash(byte[] bodyHash, byte[] signature) {
    /** How long it is when written. */
    public static final int BYTES = ContentHash.BYTES + Identity.SIGNATURE_BYTES;

    /** Reads {@link #toBytes} back. */
    public static SignedHash read(byte[] bytes) throws ProtocolRefusal {
        if (bytes.length != BYTES) {
            throw Envelope.malformed();
        }
        return new SignedHash(
                Arrays.copyOf(bytes, ContentHash.BYTES), Arrays.copyOfRange(bytes, ContentHash.BYTES, BYTES));
    }

    /** The written form. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(BYTES).put(bodyHash).put(signature).array();
    }

    /** Whether the holder of a key signed a message with this body, of this study, round, kind and sender, about this context. */
    public boolean isOf(byte[] identityKey, byte[] study, int round, MessageKind kind, int sender, byte[] context) {
        return Identity.verify(
                identityKey,
                Envelope.statement(Envelope.VERSION, study, round, kind, sender, context, bodyHash),
                signature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SignedHash hash
                && Arrays.equals(hash.bodyHash, bodyHash)
                && Arrays.equals(hash.signature, signature);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(signature);
    }
}
