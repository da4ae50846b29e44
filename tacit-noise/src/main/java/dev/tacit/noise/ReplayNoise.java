package dev.tacit.noise;

import dev.tacit.door.noise.Provenance;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Random bits that can be repeated from a seed, for tests and simulation; everything they touch is stamped not for
 * release.
 *
 * <pre>
 *   root = SHA-256(tag/seed, seed);   root of a fork = SHA-256(tag/fork, root, label)
 *   keystream = AES-256-CTR from counter 0 with key SHA-256(tag/key, root)
 * </pre>
 *
 * The construction is that of {@link SecureNoise}, so a simulation runs the code of a release; only the key differs.
 */
public final class ReplayNoise extends KeystreamNoise {
    private static final String TAG = "dev.tacit.privacy.noise.ReplayNoise/1";

    private final byte[] root;

    private ReplayNoise(byte[] root) {
        super(new AesCounterStream(Arrays.copyOf(digest("key", root), AesCounterStream.SEED_BYTES), seed -> {}));
        this.root = root;
    }

    /** The stream of a seed: the same bits on every machine and in every version that keeps the tag. */
    public static ReplayNoise ofSeed(long seed) {
        return new ReplayNoise(digest("seed", bytes(seed)));
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] digest(String purpose, byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update((TAG + "/" + purpose).getBytes(StandardCharsets.UTF_8));
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("this Java runtime has no SHA-256", missing);
        }
    }

    @Override
    public ReplayNoise fork(long label) {
        return new ReplayNoise(digest("fork", root, bytes(label)));
    }

    @Override
    public Provenance provenance() {
        return Provenance.SIMULATED_NOT_FOR_RELEASE;
    }
}
