package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;

/** The draws of a keystream: integers by Lemire's method, gaps by {@link GeometricSampler}. */
public class KeystreamBits implements RandomBits {
    private final AesCounterStream stream;
    private GeometricSampler gaps;

    KeystreamBits(AesCounterStream stream) {
        this.stream = stream;
    }

    @Override
    public final long nextLong() {
        return stream.nextLong();
    }

    @Override
    public final long below(long bound) {
        return ExactDraws.below(bound, this);
    }

    @Override
    public final long failures(double rate, long limit) {
        if (gaps == null || gaps.rate() != rate) {
            gaps = new GeometricSampler(rate);
        }
        return gaps.next(limit, this);
    }
}
