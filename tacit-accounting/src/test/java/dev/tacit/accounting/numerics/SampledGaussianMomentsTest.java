package dev.tacit.accounting.numerics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledGaussianMomentsTest {

    /** Mironov, Talwar, Zhang 2019, Theorem 4: at integer orders the moment is a finite binomial sum. */
    @ParameterizedTest
    @CsvSource({"1.0, 0.01", "0.6, 0.02", "4.0, 0.1", "2.0, 0.001", "0.3, 0.5", "50, 1e-5", "1.0, 0.9"})
    void equalsTheBinomialSumAtIntegerOrders(double noiseMultiplier, double rate) {
        SampledGaussianMoments moments = SampledGaussianMoments.remove(noiseMultiplier, rate);
        for (int order = 2; order <= 24; order++) {
            double excess = 0;
            double binomial = 1;
            for (int k = 1; k <= order; k++) {
                binomial *= (double) (order - k + 1) / k;
                excess += binomial
                        * Math.pow(1 - rate, order - k)
                        * Math.pow(rate, k)
                        * Math.expm1((k * k - k) / (2 * noiseMultiplier * noiseMultiplier));
            }
            if (Double.isInfinite(excess)) {
                break;
            }
            double expected = Math.log1p(excess);
            double actual = moments.logMoment(order - 1);
            assertThat(actual).as("order %d", order).isGreaterThanOrEqualTo(expected * (1 - 1e-13));
            assertThat(actual).as("order %d", order).isCloseTo(expected, within(1e-11 * expected));
        }
    }

    @Test
    void isConvexAndBelowTheUnsampledMomentAtRealOrders() {
        for (double rate : new double[] {1e-12, 1e-6, 0.01, 0.5}) {
            for (SampledGaussianMoments moments : new SampledGaussianMoments[] {
                SampledGaussianMoments.remove(0.8, rate), SampledGaussianMoments.replace(0.8, rate)
            }) {
                double previous = 0;
                double slope = 0;
                for (double theta = 0.25; theta < 60; theta += 0.25) {
                    double value = moments.logMoment(theta);
                    assertThat(value - previous).isGreaterThanOrEqualTo(slope * (1 - 1e-9));
                    slope = value - previous;
                    previous = value;
                }
            }
        }
    }

    @Test
    void replaceOneIsAtLeastRemove() {
        for (double theta : new double[] {0.01, 1, 7.3, 100}) {
            assertThat(SampledGaussianMoments.replace(2, 0.03).logMoment(theta))
                    .isGreaterThan(SampledGaussianMoments.remove(2, 0.03).logMoment(theta));
        }
    }
}
