package dev.tacit.experiments.ep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.model.GaussianBlocks;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds against divergences of simulated noise; 4000 draws, so a mean is known to about 3 percent. */
class SiteNoiseBoundTest {
    private static final int DRAWS = 4000;
    private static final double[] MEAN = {1, -0.5, 2};
    private static final double[] COVARIANCE = {0.02, 0.004, 0, 0.004, 0.01, 0.002, 0, 0.002, 0.03};
    private static final List<String> NAMES = List.of("a", "b", "c");

    private static double divergence(double[] weightedMean, double[] precision) {
        GaussianBlocks shape = new GaussianBlocks(1, 3);
        double[] covariance = shape.inverse(precision);
        return KullbackLeibler.divergence(
                new GaussianPosterior(NAMES, MEAN, COVARIANCE),
                new GaussianPosterior(NAMES, shape.multiply(covariance, weightedMean), covariance));
    }

    private static double simulated(double noise, double noiseOfPrecision) {
        RandomStream random = RandomStream.ofSeed(3);
        GaussianBlocks shape = new GaussianBlocks(1, 3);
        double[] precision = shape.inverse(COVARIANCE);
        double[] weighted = shape.multiply(precision, MEAN);
        double sum = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] vector = SymmetricMatrix.toVector(3, precision);
            for (int i = 0; i < vector.length; i++) {
                vector[i] += noiseOfPrecision * random.normal();
            }
            double[] moved = weighted.clone();
            for (int i = 0; i < 3; i++) {
                moved[i] += noise * random.normal();
            }
            sum += divergence(moved, SymmetricMatrix.fromVector(3, vector, 0)) / DRAWS;
        }
        return sum;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 1.5})
    void expectedDivergenceIsBelowTheBoundAndNotFarBelow(double noise) {
        SiteNoiseBound bound = new SiteNoiseBound(MEAN, COVARIANCE);
        assertThat(bound.probabilityOutside(noise)).isLessThan(1e-3);
        double simulated = simulated(noise, noise);
        assertThat(simulated).isLessThan(bound.expectedDivergence(noise));
        assertThat(simulated).isGreaterThan(0.3 * bound.expectedDivergence(noise));
    }

    /** Twice the noise in the precision is noticed, so the bound says something. */
    @Test
    void moreNoiseThanSaidBreaksTheBound() {
        SiteNoiseBound bound = new SiteNoiseBound(MEAN, COVARIANCE);
        assertThat(simulated(0.5, 1)).isGreaterThan(bound.expectedDivergence(0.5));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.9, 0.5, 0})
    void divergenceAfterAClipIsBelowItsBound(double kept) {
        GaussianBlocks shape = new GaussianBlocks(1, 3);
        double[] site = {4, 1, 0, 1, 6, 0.5, 0, 0.5, 3};
        double[] siteMean = {5, -2, 7};
        double[] precision = shape.inverse(COVARIANCE);
        double[] weighted = shape.multiply(precision, MEAN);
        double[] missing = new double[9];
        double[] missingMean = new double[3];
        for (int i = 0; i < 9; i++) {
            missing[i] = -(1 - kept) * site[i];
            precision[i] += missing[i];
        }
        for (int i = 0; i < 3; i++) {
            missingMean[i] = -(1 - kept) * siteMean[i];
            weighted[i] += missingMean[i];
        }
        double found = divergence(weighted, precision);
        double bound = new SiteNoiseBound(MEAN, COVARIANCE).clippingDivergence(missingMean, missing);
        assertThat(found).isLessThanOrEqualTo(bound).isGreaterThan(0.3 * bound);
    }

    @Test
    void stepsWithoutForgettingAddVariances() {
        assertThat(SiteNoiseBound.accumulated(2, 1, 0, 10, 9)).isCloseTo(0.6, within(1e-12));
        assertThat(SiteNoiseBound.accumulated(2, 10, 10, 10, 9)).isCloseTo(2, within(1e-12));
    }
}
