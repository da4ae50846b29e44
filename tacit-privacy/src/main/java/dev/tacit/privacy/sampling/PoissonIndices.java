package dev.tacit.privacy.sampling;

import dev.tacit.privacy.noise.GeometricSampler;
import dev.tacit.privacy.noise.NoiseSource;

/** Each index independently with the same probability, by exact geometric gaps. */
final class PoissonIndices implements BatchIndices {
    private final GeometricSampler gaps;
    private final long populationSize;
    private final NoiseSource noise;
    private long position;

    PoissonIndices(GeometricSampler gaps, long populationSize, NoiseSource noise) {
        this.gaps = gaps;
        this.populationSize = populationSize;
        this.noise = noise;
    }

    @Override
    public int next(long[] chunk) {
        int count = 0;
        while (count < chunk.length && position < populationSize) {
            position += gaps.next(populationSize - position, noise);
            if (position < populationSize) {
                chunk[count] = position;
                count++;
                position++;
            }
        }
        return count;
    }
}
