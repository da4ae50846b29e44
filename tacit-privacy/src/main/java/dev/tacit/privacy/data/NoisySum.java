package dev.tacit.privacy.data;

import dev.tacit.privacy.noise.Provenance;

/**
 * What leaves the door: a sum over a batch with noise in it, and how much.
 *
 * @param value the noisy sum
 * @param noiseStandardDeviation of the noise on each number, 0 for a run that is not private
 * @param expectedBatchSize the expected number of units in the batch, from public numbers
 * @param provenance whether it may be published
 */
public record NoisySum(double[] value, double noiseStandardDeviation, double expectedBatchSize, Provenance provenance) {

    /** The sum and its noise, scaled from the batch to a population of the given public size. */
    public NoisySum scaledTo(long publicSize) {
        double factor = publicSize / expectedBatchSize;
        double[] scaled = new double[value.length];
        for (int index = 0; index < scaled.length; index++) {
            scaled[index] = value[index] * factor;
        }
        return new NoisySum(scaled, noiseStandardDeviation * factor, publicSize, provenance);
    }

    /**
     * Length of the noise expected in the sum over the length of the noisy sum itself: at 1 and above there is nothing
     * but noise. It is computed from the released value, so it costs nothing.
     */
    public double noiseToSignal() {
        double squares = 0;
        for (double number : value) {
            squares += number * number;
        }
        double noise = noiseStandardDeviation * Math.sqrt(value.length);
        return noise == 0 ? 0 : noise / Math.sqrt(squares);
    }
}
