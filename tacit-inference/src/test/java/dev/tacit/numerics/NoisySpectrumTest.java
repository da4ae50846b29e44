package dev.tacit.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NoisySpectrumTest {
    private static final int SIZE = 30;
    private static final long SEED = 4;

    /** diag(truth) plus symmetric noise of standard deviation sd on the diagonal and sd/√2 beside it, as the door adds to svec. */
    private static double[] noisyEigenvalues(double[] truth, double sd, RandomStream random) {
        double[] vector = SymmetricMatrix.toVector(truth.length, diagonal(truth));
        for (int i = 0; i < vector.length; i++) {
            vector[i] += sd * random.normal();
        }
        return LinearAlgebra.java()
                .eigen(truth.length, SymmetricMatrix.fromVector(truth.length, vector, 0))
                .values();
    }

    private static double[] diagonal(double[] values) {
        double[] matrix = new double[values.length * values.length];
        for (int i = 0; i < values.length; i++) {
            matrix[i * values.length + i] = values[i];
        }
        return matrix;
    }

    @Test
    void withoutNoiseEigenvaluesStay() {
        assertThat(NoisySpectrum.cleaned(new double[] {-1e-9, 0.5, 3, 3.1}, 0)).containsExactly(0, 0.5, 3, 3.1);
    }

    /** Noise of edge 7.7 on 28 eigenvalues of 2 and two that stand out; averaged over draws. */
    @Test
    void aBulkAndWhatStandsOutOfItAreFound() {
        double[] truth = new double[SIZE];
        Arrays.fill(truth, 2);
        truth[0] = 20;
        truth[1] = 60;
        double sd = 1;
        double edge = sd * Math.sqrt(2.0 * SIZE);
        RandomStream random = RandomStream.ofSeed(SEED);
        int draws = 200;
        double[] found = new double[SIZE];
        double[] raw = new double[SIZE];
        for (int draw = 0; draw < draws; draw++) {
            double[] values = noisyEigenvalues(truth, sd, random);
            double[] cleaned = NoisySpectrum.cleaned(values, edge);
            for (int i = 0; i < SIZE; i++) {
                found[i] += cleaned[i] / draws;
                raw[i] += values[i] / draws;
            }
        }
        assertThat(found[SIZE - 1]).isCloseTo(60, within(0.4));
        assertThat(found[SIZE - 2]).isCloseTo(20, within(0.4));
        assertThat(found[0]).isCloseTo(2, within(0.1));
        assertThat(found[SIZE - 3]).as("the largest of the bulk").isCloseTo(2, within(0.5));
        assertThat(raw[SIZE - 2]).as("what noise makes of it").isGreaterThan(20.5);
        assertThat(raw[0]).isNegative();
    }

    @Test
    void orderIsKeptAndNothingIsNegative() {
        RandomStream random = RandomStream.ofSeed(SEED);
        for (int draw = 0; draw < 50; draw++) {
            double[] truth = new double[8];
            for (int i = 0; i < truth.length; i++) {
                truth[i] = Math.exp(3 * random.normal());
            }
            double sd = Math.exp(2 * random.normal());
            double[] cleaned = NoisySpectrum.cleaned(noisyEigenvalues(truth, sd, random), 4 * sd);
            assertThat(cleaned).isSorted();
            assertThat(cleaned[0]).isNotNegative();
        }
    }
}
