package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.SecretBytes;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.math.ec.rfc7748.X25519;

/**
 * A party's sealing key, for which the others seal what nobody else may read: the receiver's side of {@link RoundSeal}.
 *
 * <p>Whoever steals it can open the boxes that were sent to its owner, which hold one share of the others' secrets each, and none that its
 * owner sent.
 */
public final class SealedBox {
    /** Of a public key, and of a private one. */
    public static final int KEY_BYTES = X25519.POINT_SIZE;

    /** By how much a box is longer than its text. */
    public static final int OVERHEAD_BYTES = 16;

    private final byte[] privateKey;
    private final byte[] publicKey = new byte[KEY_BYTES];

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

    /** To be kept where nobody else can read it. */
    public byte[] privateKey() {
        return privateKey.clone();
    }

    /** To be known by everybody. */
    public byte[] publicKey() {
        return publicKey.clone();
    }

    /**
     * Opens what was sealed for this key in that context.
     *
     * @param sender the sender's key of the round
     */
    public byte[] open(byte[] sender, byte[] context, byte[] box) throws BrokenSeal {
        try {
            return cipher(Cipher.DECRYPT_MODE, key(sender, publicKey, agree(privateKey, sender), context))
                    .doFinal(box);
        } catch (GeneralSecurityException | IllegalArgumentException broken) {
            throw new BrokenSeal("a sealed share was changed on the way, or is not for this party and round", broken);
        }
    }

    static Cipher cipher(int mode, byte[] key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * OVERHEAD_BYTES, new byte[12]));
        return cipher;
    }

    static byte[] key(byte[] sender, byte[] receiver, byte[] agreed, byte[] context) {
        return KeyDerivation.key(agreed, "seal", sender, receiver, context);
    }

    /** Whether a key has a secret in common with others: one of small order has the same with everybody. */
    public static boolean isUsable(byte[] publicKey) {
        try {
            agree(new byte[KEY_BYTES], publicKey);
            return true;
        } catch (IllegalArgumentException smallOrder) {
            return false;
        }
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
