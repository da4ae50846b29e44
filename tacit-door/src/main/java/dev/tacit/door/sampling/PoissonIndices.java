package dev.tacit.door.sampling;

import dev.tacit.door.noise.RandomBits;

/** Each index independently with the same probability, by exact geometric gaps. */
final class PoissonIndices implements BatchIndices {
    private final double samplingRate;
    private final long populationSize;
    private final RandomBits bits;
    private long position;

    PoissonIndices(double samplingRate, long populationSize, RandomBits bits) {
        this.samplingRate = samplingRate;
        this.populationSize = populationSize;
        this.bits = bits;
    }

    @Override
    public int next(long[] chunk) {
        int count = 0;
        while (count < chunk.length && position < populationSize) {
            position += bits.failures(samplingRate, populationSize - position);
            if (position < populationSize) {
                chunk[count] = position;
                count++;
                position++;
            }
        }
        return count;
    }
}
