package dev.tacit.spark;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.nio.ByteBuffer;

/**
 * A keyed digest of every bit of an encoded part, by which a part that was computed again is recognised.
 *
 * <p>SipHash-1-3 (Aumasson, Bernstein 2012) over words of 64 bits. The key is a secret of the run and no digest leaves
 * it: nobody can make a table that is taken for another one. Fewer rounds than the 2-4 that is the authors' choice for messages
 * whose digests an attacker sees.
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
        v0 ^= word;
        words++;
    }

    /** Shape, labels and numbers of a block. */
    void add(RecordBlock block) {
        int rows = block.rows();
        add(((long) rows << 32) | block.columns());
        for (int row = 0; row < rows; row++) {
            add(Double.doubleToRawLongBits(block.label(row)));
        }
        if (block instanceof SparseBlock sparse) {
            for (int row = 0; row < rows; row++) {
                add(sparse.end(row) - sparse.start(row));
            }
            for (int entry = sparse.start(0); entry < sparse.start(rows); entry++) {
                add(sparse.columnIndices()[entry]);
            }
            add(sparse.values(), sparse.start(0), sparse.start(rows));
        } else {
            DenseBlock dense = (DenseBlock) block;
            add(dense.values(), dense.start(0), dense.start(rows));
        }
    }

    /** As {@link #add(long)} of their bits one after the other, in locals, which stay in registers. */
    private void add(double[] numbers, int from, int to) {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        for (int i = from; i < to; i++) {
            long word = Double.doubleToRawLongBits(numbers[i]);
            d ^= word;
            a += b;
            b = Long.rotateLeft(b, 13) ^ a;
            a = Long.rotateLeft(a, 32);
            c += d;
            d = Long.rotateLeft(d, 16) ^ c;
            a += d;
            d = Long.rotateLeft(d, 21) ^ a;
            c += b;
            b = Long.rotateLeft(b, 17) ^ c;
            c = Long.rotateLeft(c, 32);
            a ^= word;
        }
        v0 = a;
        v1 = b;
        v2 = c;
        v3 = d;
        words += to - from;
    }

    /** Ends the digest. */
    long end() {
        long last = words << 59; // the length in bytes, modulo 256, in the highest byte
        v3 ^= last;
        round();
        v0 ^= last;
        v2 ^= 0xff;
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
