package dev.tacit.noise;

import dev.tacit.door.noise.Provenance;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Cryptographically secure random bits: the only source whose outputs may be released.
 *
 * <p>An AES-256 counter-mode keystream ({@link AesCounterStream}) with key and counter from the operating system. It
 * cannot be seeded, copied or stored. Every 16 MB or so, fresh bytes of the operating system are mixed into the key, so
 * that two copies of a suspended machine drift apart.
 */
public final class SecureNoise extends KeystreamNoise {
    private static final SecureRandom SYSTEM = new SecureRandom();

    private SecureNoise() {
        super(systemStream());
    }

    private static AesCounterStream systemStream() {
        byte[] seed = new byte[AesCounterStream.SEED_BYTES];
        mixInSystemBytes(seed);
        AesCounterStream stream = new AesCounterStream(seed, SecureNoise::mixInSystemBytes);
        Arrays.fill(seed, (byte) 0);
        return stream;
    }

    /** A stream that no one can predict or repeat. */
    public static SecureNoise create() {
        return new SecureNoise();
    }

    private static void mixInSystemBytes(byte[] seed) {
        byte[] fresh = new byte[seed.length];
        SYSTEM.nextBytes(fresh);
        for (int index = 0; index < seed.length; index++) {
            seed[index] ^= fresh[index];
        }
        Arrays.fill(fresh, (byte) 0);
    }

    @Override
    public SecureNoise fork(long label) {
        return new SecureNoise();
    }

    @Override
    public Provenance provenance() {
        return Provenance.RELEASABLE;
    }
}
