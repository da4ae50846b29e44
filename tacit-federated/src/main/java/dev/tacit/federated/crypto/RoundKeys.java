package dev.tacit.federated.crypto;

import dev.tacit.door.noise.RandomBits;
import dev.tacit.noise.NoiseLayer;
import dev.tacit.noise.SecretBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.math.ec.rfc7748.X25519;

/**
 * The secrets of one party for one round, drawn anew each time: what its masks and its removable layers of noise come from.
 *
 * <pre>
 *   mask seed    s        round key = X25519 key of HKDF(s, "mask key");  pair masks come from agreements of two round keys
 *   self seed    b        the mask that a party adds for itself
 *   layer roots  R_1 … R_d,   R_{k+1} = HKDF(R_k, "next layer");   key of layer k = HKDF(R_k, "layer")
 * </pre>
 *
 * Bonawitz et al. 2017, Figure 4, for s and b: the others hold shares of both, and give away those of b for a party that answered, or
 * those of s for one that did not, never both. R_k shows the layers from k on and none below, so one seed opens all layers that were not
 * needed.
 *
 * <p>Seeds have 128 bits, which is the strength of Curve25519. {@link #selfCommitment} and {@link #layerAnchor} are public and let
 * whoever puts seeds together see that they are right.
 */
public final class RoundKeys {
    /** Of a seed. */
    public static final int SEED_BYTES = 16;

    private final byte[] maskSeed;
    private final byte[] selfSeed;
    private final byte[] firstRoot;
    private final int layers;
    private final byte[] privateKey;

    private RoundKeys(byte[] maskSeed, byte[] selfSeed, byte[] firstRoot, int layers) {
        this.maskSeed = maskSeed;
        this.selfSeed = selfSeed;
        this.firstRoot = firstRoot;
        this.layers = layers;
        this.privateKey = privateKey(maskSeed);
    }

    /** New secrets with so many layers. */
    public static RoundKeys fresh(RandomBits source, int layers) {
        return new RoundKeys(
                SecretBytes.draw(source, SEED_BYTES),
                SecretBytes.draw(source, SEED_BYTES),
                SecretBytes.draw(source, SEED_BYTES),
                layers);
    }

    /** Secrets that were kept. */
    public static RoundKeys of(byte[] kept, int layers) {
        if (kept.length != 3 * SEED_BYTES) {
            throw new IllegalArgumentException("the secrets of a round have " + 3 * SEED_BYTES + " bytes");
        }
        return new RoundKeys(
                Arrays.copyOfRange(kept, 0, SEED_BYTES),
                Arrays.copyOfRange(kept, SEED_BYTES, 2 * SEED_BYTES),
                Arrays.copyOfRange(kept, 2 * SEED_BYTES, 3 * SEED_BYTES),
                layers);
    }

    /** All secrets, to be kept where nobody else can read them until the round is over. */
    public byte[] kept() {
        return concatenated(List.of(maskSeed, selfSeed, firstRoot));
    }

    /** What is shared among all parties: mask seed, self seed, and the root of every layer. */
    public byte[] shared() {
        List<byte[]> parts = new ArrayList<>(List.of(maskSeed, selfSeed));
        byte[] root = firstRoot;
        for (int layer = 1; layer <= layers; layer++) {
            parts.add(root);
            root = nextRoot(root);
        }
        return concatenated(parts);
    }

    private static byte[] concatenated(List<byte[]> parts) {
        byte[] all = new byte[parts.size() * SEED_BYTES];
        for (int part = 0; part < parts.size(); part++) {
            System.arraycopy(parts.get(part), 0, all, part * SEED_BYTES, SEED_BYTES);
        }
        return all;
    }

    /** The public round key. */
    public byte[] publicKey() {
        return publicKey(maskSeed);
    }

    /** The public round key that belongs to a mask seed. */
    public static byte[] publicKey(byte[] maskSeed) {
        byte[] key = new byte[X25519.POINT_SIZE];
        X25519.scalarMultBase(privateKey(maskSeed), 0, key, 0);
        return key;
    }

    /** What this party has in common with the holder of another round key. */
    public byte[] agreement(byte[] otherKey) {
        return SealedBox.agree(privateKey, otherKey);
    }

    /** What the holder of a mask seed has in common with the holder of another round key. */
    public static byte[] agreement(byte[] maskSeed, byte[] otherKey) {
        return SealedBox.agree(privateKey(maskSeed), otherKey);
    }

    private static byte[] privateKey(byte[] maskSeed) {
        return KeyDerivation.key(maskSeed, "mask key");
    }

    /** The seed of the mask that the party adds for itself. */
    public byte[] selfSeed() {
        return selfSeed.clone();
    }

    /** Public: what a self seed that was put together must have. */
    public byte[] selfCommitment() {
        return selfCommitment(selfSeed);
    }

    /** The commitment to a self seed. */
    public static byte[] selfCommitment(byte[] selfSeed) {
        return KeyDerivation.bytes(SEED_BYTES, selfSeed, "self commitment");
    }

    /** Public: where the chain of layer roots ends. */
    public byte[] layerAnchor() {
        return layerAnchor(firstRoot, layers);
    }

    /** Where a chain ends that goes on for so many layers from a root on. */
    public static byte[] layerAnchor(byte[] root, int remaining) {
        byte[] end = root;
        for (int layer = 0; layer < remaining; layer++) {
            end = nextRoot(end);
        }
        return KeyDerivation.bytes(SEED_BYTES, end, "layer anchor");
    }

    private static byte[] nextRoot(byte[] root) {
        return KeyDerivation.bytes(SEED_BYTES, root, "next layer");
    }

    /** All layers of this party, the first one first. */
    public List<NoiseLayer> noiseLayers() {
        return noiseLayers(firstRoot, layers);
    }

    /** The layers that a root shows: so many, from its own on. */
    public static List<NoiseLayer> noiseLayers(byte[] root, int count) {
        List<NoiseLayer> shown = new ArrayList<>();
        byte[] next = root;
        for (int layer = 0; layer < count; layer++) {
            shown.add(new NoiseLayer(KeyDerivation.key(next, "layer")));
            next = nextRoot(next);
        }
        return List.copyOf(shown);
    }

    @Override
    public String toString() {
        return "the secrets of a round";
    }
}
