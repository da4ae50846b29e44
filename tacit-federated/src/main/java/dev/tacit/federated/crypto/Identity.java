package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.SecretBytes;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Who signs: a key of Ed25519, RFC 8032, by Bouncy Castle.
 *
 * <p>The public half is pinned in the study that everybody approved, so a signature does not rest on certificates. Signatures are
 * deterministic: the same message is signed by the same bytes again.
 */
public final class Identity {
    /** Of a public key, and of a private one. */
    public static final int KEY_BYTES = Ed25519.PUBLIC_KEY_SIZE;

    /** Of a signature. */
    public static final int SIGNATURE_BYTES = Ed25519.SIGNATURE_SIZE;

    private final byte[] privateKey;
    private final byte[] publicKey = new byte[KEY_BYTES];

    private Identity(byte[] privateKey) {
        if (privateKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("a private key has " + KEY_BYTES + " bytes");
        }
        this.privateKey = privateKey.clone();
        Ed25519.generatePublicKey(this.privateKey, 0, publicKey, 0);
    }

    /** A new key. */
    public static Identity fresh(RandomBits source) {
        return new Identity(SecretBytes.draw(source, KEY_BYTES));
    }

    /** A key that was kept. */
    public static Identity of(byte[] privateKey) {
        return new Identity(privateKey);
    }

    /** To be kept where nobody else can read it. */
    public byte[] privateKey() {
        return privateKey.clone();
    }

    /** To be known by everybody. */
    public byte[] publicKey() {
        return publicKey.clone();
    }

    /** Signs. */
    public byte[] sign(byte[] message) {
        byte[] signature = new byte[SIGNATURE_BYTES];
        Ed25519.sign(privateKey, 0, publicKey, 0, message, 0, message.length, signature, 0);
        return signature;
    }

    /** Whether the holder of a key signed a message; false for keys and signatures that are none. */
    public static boolean verify(byte[] publicKey, byte[] message, byte[] signature) {
        return publicKey.length == KEY_BYTES
                && signature.length == SIGNATURE_BYTES
                && Ed25519.verify(signature, 0, publicKey, 0, message, 0, message.length);
    }

    @Override
    public String toString() {
        return "an identity";
    }
}
