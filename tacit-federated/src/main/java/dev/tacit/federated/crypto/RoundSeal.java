package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.SecretBytes;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import org.bouncycastle.math.ec.rfc7748.X25519;

/**
 * The key by which a party seals its shares of one round for the others, forgotten when they are sealed.
 *
 * <pre>
 *   key of a box = HKDF(X25519(mine, yours), "seal", my key of the round, receiver's key, context);   box = AES-256-GCM(key, nonce 0, text)
 * </pre>
 *
 * RFC 7748 by Bouncy Castle, NIST SP 800-38D by the JDK. A box is opened by its receiver's {@link SealedBox} only, and by nobody who steals what
 * the sender has later: the round's own key is in no file. Its public half is in the KEYS that the sender signs, so a box needs no signature.
 * A context is used for one text, so a key encrypts once and the nonce is constant.
 */
public final class RoundSeal {
    private final byte[] privateKey;
    private final byte[] publicKey = new byte[SealedBox.KEY_BYTES];

    private RoundSeal(byte[] privateKey) {
        this.privateKey = privateKey;
        X25519.scalarMultBase(privateKey, 0, publicKey, 0);
    }

    /** A new key. */
    public static RoundSeal fresh(RandomBits source) {
        return new RoundSeal(SecretBytes.draw(source, SealedBox.KEY_BYTES));
    }

    /** To be known by everybody. */
    public byte[] publicKey() {
        return publicKey.clone();
    }

    /** Seals a text for the holder of a sealing key. */
    public byte[] seal(byte[] receiver, byte[] context, byte[] text) {
        try {
            byte[] key = SealedBox.key(publicKey, receiver, SealedBox.agree(privateKey, receiver), context);
            return SealedBox.cipher(Cipher.ENCRYPT_MODE, key).doFinal(text);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime has no AES-GCM", missing);
        }
    }

    @Override
    public String toString() {
        return "the sealing key of a round";
    }
}
