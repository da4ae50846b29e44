package dev.tacit.federated.protocol;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.message.PartySet;
import java.nio.ByteBuffer;

/**
 * What a round gives: the exact sum of the survivors' noisy integers, without the layers of noise that were not needed.
 *
 * @param round which
 * @param integers modulo 2^64, on the grid of the request
 * @param taking who took part
 * @param survivors whose integers are in the sum
 * @param relativeVariance of the noise in each number, as a multiple of that of the whole noise z²C²
 */
public record OpenedSum(int round, long[] integers, PartySet taking, PartySet survivors, double relativeVariance) {
    /** The hash by which all call this sum. */
    public byte[] hash() {
        ByteBuffer bytes = ByteBuffer.allocate(integers.length * Long.BYTES);
        bytes.asLongBuffer().put(integers);
        return ContentHash.of("sum", ContentHash.number(round), bytes.array());
    }
}
