package dev.tacit.model.conjugate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Moments of sections of an exponential distribution, against independent values. */
class NoisyGammaExponentialTest {
    private static void check(NoisyGammaExponential.Section section, double... expected) {
        assertThat(section.probability()).isCloseTo(expected[0], within(1e-12));
        assertThat(section.mean()).isCloseTo(expected[1], within(1e-10));
        assertThat(section.variance()).isCloseTo(expected[2], within(1e-9));
        assertThat(section.sumMean()).isCloseTo(expected[3], within(1e-8 * expected[3] + 1e-9));
        assertThat(section.sumVariance()).isCloseTo(expected[4], within(1e-8 * expected[4] + 1e-9));
    }

    /** From numpy in double precision. */
    @Test
    void sectionsHaveTheirGoldenMoments() {
        double a = 0.006329452;
        double b = 0.92221986;
        NoisyGammaExponential model = new NoisyGammaExponential(8, 2, a, b, 5_000);
        check(
                model.section(4, 0, a),
                0.025000000015317325,
                0.0031513721551209135,
                3.3383898903569325e-06,
                0.39392151963146715,
                0.0016276572120940615);
        check(
                model.section(4, a, b),
                0.9499999996318342,
                0.2322270724925851,
                0.039843937101263494,
                1103.0785939122889,
                202.06693688164117);
        check(
                model.section(4, b, Double.POSITIVE_INFINITY),
                0.025000000352848408,
                1.1722198599999996,
                0.06250000000000111,
                146.5274845680795,
                175.28086681004177);
    }

    /** Lomax: P(y > b) = (priorRate / (priorRate + b))^priorShape. */
    @Test
    void theBoundIsAQuantileOfWhatThePriorForetells() {
        double upper = NoisyGammaExponential.of(8, 2, 0.025, 10).upper();
        assertThat(Math.pow(2 / (2 + upper), 8)).isCloseTo(0.025, within(1e-14));
    }
}
