package dev.tacit.noise;

import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.NoiseSource;

/** Exact noise from a keystream. */
public abstract class KeystreamNoise extends KeystreamBits implements NoiseSource {
    KeystreamNoise(AesCounterStream stream) {
        super(stream);
    }

    @Override
    public final void addDiscreteGaussian(double standardDeviation, long[] numbers) {
        DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(standardDeviation);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] += sampler.next(this);
        }
    }

    @Override
    public final BatchKey batchKey() {
        return KeyedBatch.drawnFrom(this);
    }
}
