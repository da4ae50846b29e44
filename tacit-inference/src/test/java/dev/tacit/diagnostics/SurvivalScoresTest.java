package dev.tacit.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.RandomStream;
import org.junit.jupiter.api.Test;

class SurvivalScoresTest {
    private static Prediction.Survival hazards(double first, double second) {
        return new Prediction.Survival(new double[] {2, 5}, new double[] {first, second});
    }

    @Test
    void theLogarithmOfTheDensityOrOfSurvival() {
        Prediction.Survival[] predicted = {hazards(0.5, 0.1), hazards(0.5, 0.1)};
        // event at 3: log 0.1 − (2 · 0.5 + 1 · 0.1); censored at 1: −0.5
        assertThat(SurvivalScores.of(predicted, new double[] {3, -1}).logLikelihood())
                .isCloseTo((Math.log(0.1) - 1.1 - 0.5) / 2, within(1e-12));
        assertThat(SurvivalScores.of(predicted, new double[] {-3, -1}).concordance())
                .isNaN();
    }

    @Test
    void concordanceIsThatOfAllPairs() {
        RandomStream random = RandomStream.ofSeed(3);
        int n = 200;
        Prediction.Survival[] predicted = new Prediction.Survival[n];
        double[] labels = new double[n];
        for (int i = 0; i < n; i++) {
            predicted[i] = hazards(random.nextInt(8) + 1, 1);
            labels[i] = (random.nextInt(12) + 1) * (random.uniform() < 0.6 ? 1 : -1);
        }
        double agreed = 0;
        double pairs = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (labels[i] > 0 && labels[i] < Math.abs(labels[j])) {
                    double more = predicted[i].cumulativeHazard(9) - predicted[j].cumulativeHazard(9);
                    agreed += more > 0 ? 1 : more == 0 ? 0.5 : 0;
                    pairs++;
                }
            }
        }
        assertThat(SurvivalScores.of(predicted, labels).concordance()).isCloseTo(agreed / pairs, within(1e-12));
    }
}
