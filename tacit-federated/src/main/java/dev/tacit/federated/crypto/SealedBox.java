package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.SecretBytes;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.math.ec.rfc7748.X25519;

/**
 * A party's sealing key of one study, by which it and each other party send each other what nobody else can read.
 *
 * <pre>
 *   key of a box = HKDF(X25519(mine, yours), "seal", sender's key, receiver's key, context);   box = AES-256-GCM(key, nonce 0, text)
 * </pre>
 *
 * RFC 7748 by Bouncy Castle, NIST SP 800-38D by the JDK. A context is used for one text, so a key encrypts once and the nonce is
 * constant; the protocol's contexts hold a key that is drawn anew for every round. Both ends are known from their keys, which the study
 * pins, so a box needs no signature.
 */
public final class SealedBox {
    /** Of a public key, and of a private one. */
    public static final int KEY_BYTES = X25519.POINT_SIZE;

    /** By how much a box is longer than its text. */
    public static final int OVERHEAD_BYTES = 16;

    private final byte[] privateKey;
    private final byte[] publicKey = new byte[KEY_BYTES];
    private final Map<ByteBuffer, byte[]> agreements = new ConcurrentHashMap<>();

    private SealedBox(byte[] privateKey) {
        if (privateKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("a private key has " + KEY_BYTES + " bytes");
        }
        this.privateKey = privateKey.clone();
        X25519.scalarMultBase(this.privateKey, 0, publicKey, 0);
    }

    /** A new key. */
    public static SealedBox fresh(RandomBits source) {
        return new SealedBox(SecretBytes.draw(source, KEY_BYTES));
    }

    /** A key that was kept. */
    public static SealedBox of(byte[] privateKey) {
        return new SealedBox(privateKey);
    }

    /** To be kept where nobody else can read it, and erased when the study is over. */
    public byte[] privateKey() {
        return privateKey.clone();
    }

    /** To be known by everybody. */
    public byte[] publicKey() {
        return publicKey.clone();
    }

    /** Seals a text for the holder of a key; a context is used once in each direction. */
    public byte[] seal(byte[] receiver, byte[] context, byte[] text) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, key(publicKey, receiver, agreement(receiver), context))
                    .doFinal(text);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("this Java runtime has no AES-GCM", missing);
        }
    }

    /** Opens what the holder of a key sealed for this one in that context. */
    public byte[] open(byte[] sender, byte[] context, byte[] box) throws BrokenSeal {
        try {
            return cipher(Cipher.DECRYPT_MODE, key(sender, publicKey, agreement(sender), context))
                    .doFinal(box);
        } catch (GeneralSecurityException broken) {
            throw new BrokenSeal("a sealed share was changed on the way, or is not for this party and round", broken);
        }
    }

    private static Cipher cipher(int mode, byte[] key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * OVERHEAD_BYTES, new byte[12]));
        return cipher;
    }

    private static byte[] key(byte[] sender, byte[] receiver, byte[] agreed, byte[] context) {
        return KeyDerivation.key(agreed, "seal", sender, receiver, context);
    }

    private byte[] agreement(byte[] other) {
        return agreements.computeIfAbsent(ByteBuffer.wrap(other.clone()), unused -> agree(privateKey, other));
    }

    /** What two holders of keys have in common; a key of small order, which would make that known to everybody, is refused. */
    static byte[] agree(byte[] mine, byte[] yours) {
        byte[] common = new byte[KEY_BYTES];
        if (yours.length != KEY_BYTES || !X25519.calculateAgreement(mine, 0, yours, 0, common, 0)) {
            throw new IllegalArgumentException("that is no public key of X25519");
        }
        return common;
    }

    @Override
    public String toString() {
        return "a sealing key";
    }
}
