package dev.tacit.door.noise;

import java.io.Serializable;

/**
 * The secret from which the batch of one release is drawn, 256 bits.
 *
 * <p>Units are numbered in stretches, and each stretch has a random stream of its own: so parts of the records can be summed
 * anywhere, side by side and again after a failure, and always see the same batch. Whoever knows the key knows the batch, and
 * the amplification by sampling is gone: it travels over encrypted channels only and is never written to a public file.
 */
public interface BatchKey extends Serializable {
    /** The random bits of one stretch, always the same. */
    RandomBits stretch(long number);
}
