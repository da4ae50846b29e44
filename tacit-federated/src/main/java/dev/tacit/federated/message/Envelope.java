package dev.tacit.federated.message;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/**
 * A signed message of the protocol, the same bytes on every way that it travels.
 *
 * <pre>
 *   version | study | round | kind | sender | context | signature | length | body | length | attachment
 *   signature = Ed25519 over a hash of everything before it and of the hash of the body
 * </pre>
 *
 * An attachment is not signed: it is sealed for its receiver, who notices any change.
 *
 * @param version of the protocol
 * @param study {@link StudyTerms#binding}
 * @param round from 0
 * @param kind what it is
 * @param sender a party's place, or {@link #COORDINATOR}
 * @param context what the message is about, if that is a hash; zeros if not
 * @param body what it says
 * @param attachment what is sealed for its receiver
 * @param signature of the sender
 */
public record Envelope(
        int version,
        byte[] study,
        int round,
        MessageKind kind,
        int sender,
        byte[] context,
        byte[] body,
        byte[] attachment,
        byte[] signature) {
    /** What this version speaks. */
    public static final int VERSION = 3;

    /** Who is no party. */
    public static final int COORDINATOR = 255;

    /** A context that says nothing, for others to write. */
    public static byte[] noContext() {
        return new byte[ContentHash.BYTES];
    }

    private static final byte[] NOTHING = {};
    private static final int HEAD_BYTES =
            1 + ContentHash.BYTES + Integer.BYTES + 1 + 1 + ContentHash.BYTES + Identity.SIGNATURE_BYTES;

    /** How much longer an envelope is than body and attachment. */
    public static final int OVERHEAD_BYTES = HEAD_BYTES + 2 * Integer.BYTES;

    /** Signs a message without attachment. */
    public static Envelope signed(
            Identity identity, byte[] study, int round, MessageKind kind, int sender, byte[] context, byte[] body) {
        byte[] signature = identity.sign(statement(VERSION, study, round, kind, sender, context, hashOf(body)));
        return new Envelope(VERSION, study, round, kind, sender, context, body, NOTHING, signature);
    }

    /** The same message with something sealed beside it. */
    public Envelope with(byte[] sealed) {
        return new Envelope(version, study, round, kind, sender, context, body, sealed, signature);
    }

    /** The same message without what was sealed beside it. */
    public Envelope bare() {
        return with(NOTHING);
    }

    /** Whether the holder of a key signed it. */
    public boolean isSignedBy(byte[] identityKey) {
        return Identity.verify(identityKey, statement(), signature);
    }

    /** What shows others that this was signed, without its body. */
    public SignedHash signedHash() {
        return new SignedHash(hashOf(body), signature);
    }

    private static byte[] hashOf(byte[] body) {
        return ContentHash.of("body", body);
    }

    private byte[] statement() {
        return statement(version, study, round, kind, sender, context, hashOf(body));
    }

    /** What is signed. */
    static byte[] statement(
            int version, byte[] study, int round, MessageKind kind, int sender, byte[] context, byte[] bodyHash) {
        return ContentHash.of(
                "envelope",
                ContentHash.number(version),
                study,
                ContentHash.number(round),
                ContentHash.number(kind.code()),
                ContentHash.number(sender),
                context,
                bodyHash);
    }

    /** The hash of what is signed and of the signature. */
    public byte[] hash() {
        return ContentHash.of("sent", statement(), signature);
    }

    /** What is signed is the same. */
    public boolean saysTheSameAs(Envelope other) {
        return Arrays.equals(hash(), other.hash());
    }

    /** The written form. */
    public byte[] toBytes() {
        return ByteBuffer.allocate(OVERHEAD_BYTES + body.length + attachment.length)
                .put((byte) version)
                .put(study)
                .putInt(round)
                .put((byte) kind.code())
                .put((byte) sender)
                .put(context)
                .put(signature)
                .putInt(body.length)
                .put(body)
                .putInt(attachment.length)
                .put(attachment)
                .array();
    }

    /** Reads {@link #toBytes} back; what is longer than allowed is not looked at. */
    public static Envelope read(byte[] bytes, int mostBytes) throws ProtocolRefusal {
        if (bytes.length > mostBytes) {
            throw new ProtocolRefusal(
                    ProtocolRefusal.Reason.TOO_LARGE,
                    "a message of " + bytes.length + " bytes is longer than anything this study needs");
        }
        try {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            int version = Byte.toUnsignedInt(buffer.get());
            if (version != VERSION) {
                throw new ProtocolRefusal(
                        ProtocolRefusal.Reason.OLD_VERSION,
                        "a message speaks version " + version + " of the protocol, and this program speaks " + VERSION);
            }
            byte[] study = next(buffer, ContentHash.BYTES);
            int round = buffer.getInt();
            MessageKind kind = MessageKind.of(buffer.get()).orElseThrow(Envelope::malformed);
            int sender = Byte.toUnsignedInt(buffer.get());
            byte[] context = next(buffer, ContentHash.BYTES);
            byte[] signature = next(buffer, Identity.SIGNATURE_BYTES);
            byte[] body = next(buffer, buffer.getInt());
            byte[] attachment = next(buffer, buffer.getInt());
            if (buffer.hasRemaining() || round < 0) {
                throw malformed();
            }
            return new Envelope(version, study, round, kind, sender, context, body, attachment, signature);
        } catch (BufferUnderflowException e) {
            throw malformed();
        }
    }

    private static byte[] next(ByteBuffer buffer, int length) throws ProtocolRefusal {
        if (length < 0 || length > buffer.remaining()) {
            throw malformed();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    /** What is not written as this protocol writes it. */
    public static ProtocolRefusal malformed() {
        return new ProtocolRefusal(
                ProtocolRefusal.Reason.MALFORMED, "a message is not written as this protocol writes it");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Envelope envelope && Arrays.equals(envelope.toBytes(), toBytes());
    }

    @Override
    public int hashCode() {
        return Objects.hash(round, kind, sender, Arrays.hashCode(signature));
    }

    @Override
    public String toString() {
        return kind + " of round " + round + " from " + (sender == COORDINATOR ? "the coordinator" : "party " + sender);
    }
}
