package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.SecretBytes;
import java.io.IOException;
import java.util.Map;
import org.bouncycastle.crypto.threshold.ShamirSecretSplitter;
import org.bouncycastle.crypto.threshold.ShamirSplitSecret;
import org.bouncycastle.crypto.threshold.ShamirSplitSecretShare;

/**
 * Secrets in shares, of which a number are needed to put them together and fewer say nothing.
 *
 * <p>Shamir 1979 over GF(256), byte by byte, by Bouncy Castle. The holder at place i, from 0, has the value at i + 1, so there are at most
 * 255. A share of several seeds one behind the other is the shares of the seeds one behind the other.
 */
public final class SecretShares {
    /** More holders have no places in GF(256). */
    public static final int MOST_HOLDERS = 255;

    private static final ShamirSecretSplitter.Algorithm FIELD = ShamirSecretSplitter.Algorithm.AES;

    private SecretShares() {}

    /** The shares of a secret, by place. */
    public static byte[][] split(byte[] secret, int threshold, int holders, RandomBits source) {
        if (threshold < 2 || threshold > holders || holders > MOST_HOLDERS) {
            throw new IllegalArgumentException("a secret is shared by 2 to " + MOST_HOLDERS
                    + " holders, of whom at least 2 and at most all put it together");
        }
        ShamirSplitSecretShare[] shares = ShamirSecretSplitter.getInstance(
                        FIELD, secret.length, SecretBytes.asRandom(source))
                .resplit(secret.clone(), threshold, holders)
                .getSecretShares();
        byte[][] bytes = new byte[holders][];
        try {
            for (int holder = 0; holder < holders; holder++) {
                bytes[holder] = shares[holder].getEncoded();
            }
        } catch (IOException impossible) {
            throw new IllegalStateException("a share in memory was not read", impossible);
        }
        return bytes;
    }

    /** The secret of exactly as many shares as are needed, by place; something else if one of them is wrong. */
    public static byte[] combine(Map<Integer, byte[]> shares) {
        ShamirSplitSecretShare[] parts = shares.entrySet().stream()
                .map(share -> new ShamirSplitSecretShare(share.getValue(), share.getKey() + 1))
                .toArray(ShamirSplitSecretShare[]::new);
        try {
            return ShamirSplitSecret.getInstance(FIELD, parts).getSecret();
        } catch (IOException impossible) {
            throw new IllegalStateException("a share in memory was not read", impossible);
        }
    }
}
