package dev.tacit.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Scores of several classes, counted by hand. */
class ClassScoresTest {
    @Test
    void areThoseCountedByHand() {
        double[][] probabilities = {{0.7, 0.2, 0.1}, {0.7, 0.2, 0.1}, {0.1, 0.1, 0.8}, {0.3, 0.4, 0.3}};
        ClassScores scores = ClassScores.of(probabilities, new double[] {0, 1, 2, 0});

        assertThat(scores.accuracy()).isEqualTo(0.5);
        assertThat(scores.logLikelihood())
                .isCloseTo((Math.log(0.7) + Math.log(0.2) + Math.log(0.8) + Math.log(0.3)) / 4, within(1e-15));
        assertThat(scores.brier())
                .isCloseTo(
                        ((0.09 + 0.04 + 0.01) + (0.49 + 0.64 + 0.01) + 0.06 + (0.49 + 0.16 + 0.09)) / 4, within(1e-15));
        assertThat(scores.ece()).isCloseTo((2 * Math.abs(0.7 - 0.5) + 0.2 + 0.4) / 4, within(1e-15));
    }
}
