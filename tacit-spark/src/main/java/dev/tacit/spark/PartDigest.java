package dev.tacit.spark;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.nio.ByteBuffer;

/**
 * A keyed digest of every bit of an encoded part, by which a part that was computed again is recognised.
 *
 * <p>SipHash-2-4 (Aumasson, Bernstein 2012) over words of 64 bits. The key is a secret of the run: nobody can make a table that is
 * taken for another one.
 */
final class PartDigest {
    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private long words;

    /** Under the first 128 bits of a secret. */
    PartDigest(byte[] secret) {
        ByteBuffer key = ByteBuffer.wrap(secret);
        long first = key.getLong();
        long second = key.getLong();
        v0 = first ^ 0x736f6d6570736575L;
        v1 = second ^ 0x646f72616e646f6dL;
        v2 = first ^ 0x6c7967656e657261L;
        v3 = second ^ 0x7465646279746573L;
    }

    void add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
        words++;
    }

    void add(double number) {
        add(Double.doubleToRawLongBits(number));
    }

    /** Shape, labels and numbers of a block. */
    void add(RecordBlock block) {
        add(((long) block.rows() << 32) | block.columns());
        for (int row = 0; row < block.rows(); row++) {
            add(block.label(row));
            if (block instanceof SparseBlock sparse) {
                add(sparse.end(row) - sparse.start(row));
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    add(sparse.columnIndices()[entry]);
                    add(sparse.values()[entry]);
                }
            } else {
                DenseBlock dense = (DenseBlock) block;
                for (int i = dense.start(row); i < dense.start(row + 1); i++) {
                    add(dense.values()[i]);
                }
            }
        }
    }

    /** Ends the digest. */
    long end() {
        long last = words << 59; // the length in bytes, modulo 256, in the highest byte
        v3 ^= last;
        round();
        round();
        v0 ^= last;
        v2 ^= 0xff;
        round();
        round();
        round();
        round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
    }
}
