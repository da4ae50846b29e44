package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * Random bits in the two forms in which keys are made: an array of bytes, and the class that libraries of cryptography ask for.
 *
 * <p>Both draw from a source of this package, so keys that are to be repeated in a simulation are, and keys of a run come from
 * {@link SecureNoise}.
 */
public final class SecretBytes {
    private SecretBytes() {}

    /** So many uniform bytes. */
    public static byte[] draw(RandomBits bits, int count) {
        byte[] bytes = new byte[count];
        fill(bits, bytes);
        return bytes;
    }

    private static void fill(RandomBits bits, byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.remaining() >= Long.BYTES) {
            buffer.putLong(bits.nextLong());
        }
        if (buffer.hasRemaining()) {
            long last = bits.nextLong();
            while (buffer.hasRemaining()) {
                buffer.put((byte) last);
                last >>>= Byte.SIZE;
            }
        }
    }

    /** The bits of a source in the shape of the JDK's class. */
    public static SecureRandom asRandom(RandomBits bits) {
        return new FromBits(bits);
    }

    private static final class FromBits extends SecureRandom {
        @Serial
        private static final long serialVersionUID = 1;

        private final transient RandomBits bits;

        FromBits(RandomBits bits) {
            this.bits = Objects.requireNonNull(bits, "bits");
        }

        @Override
        public void nextBytes(byte[] bytes) {
            fill(bits, bytes);
        }
    }
}
