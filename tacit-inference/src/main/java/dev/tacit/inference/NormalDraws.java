package dev.tacit.inference;

import dev.tacit.numerics.RandomStream;
import java.util.Arrays;

/**
 * Standard normal vectors, all independent or in mirrored pairs z, −z.
 *
 * <pre>
 *   E f(z) = ½ E (f(z) + f(−z)):     Σ_k f(z_k) / K over K/2 pairs is unbiased, and odd parts of f cancel
 * </pre>
 *
 * Antithetic variates (Hammersley, Morton 1956). They are public: what is random about them protects nobody.
 *
 * @param dimension of a vector
 * @param numbers of one vector of each pair, or of all vectors, one after the other
 * @param mirrored whether each vector stands for a pair
 */
public record NormalDraws(int dimension, double[] numbers, boolean mirrored) {
    public NormalDraws {
        if (numbers.length % dimension != 0) {
            throw new IllegalArgumentException("draws are whole vectors");
        }
    }

    /** In pairs if {@code count} is even, otherwise all independent. */
    public static NormalDraws inPairs(RandomStream random, int dimension, int count) {
        boolean mirrored = count % 2 == 0;
        double[] numbers = new double[(mirrored ? count / 2 : count) * dimension];
        random.fillNormal(numbers);
        return new NormalDraws(dimension, numbers, mirrored);
    }

    /** How many vectors there are. */
    public int count() {
        return (mirrored ? 2 : 1) * (numbers.length / dimension);
    }

    /** All vectors, one after the other; mirror images after all others. */
    public double[] written() {
        return mirrored ? withMirrorImages(numbers) : numbers;
    }

    /** The numbers, then the same with the other sign. */
    public static double[] withMirrorImages(double[] numbers) {
        double[] result = Arrays.copyOf(numbers, 2 * numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            result[numbers.length + i] = -numbers[i];
        }
        return result;
    }
}
