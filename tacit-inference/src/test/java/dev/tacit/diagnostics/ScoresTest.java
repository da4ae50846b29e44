package dev.tacit.diagnostics;

import static dev.tacit.numerics.Golden.number;
import static dev.tacit.numerics.Golden.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.Golden;
import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScoresTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/diagnostics/scores.json");

    @Test
    void agreesWithScoresByDefinition() {
        for (Object entry : (List<?>) GOLDEN.get("classification")) {
            Map<?, ?> row = (Map<?, ?>) entry;
            double[] probabilities = numbers(row, "probabilities");
            double[] labels = numbers(row, "labels");
            ClassificationScores scores = ClassificationScores.of(probabilities, labels);
            assertThat(scores.rows()).isEqualTo(labels.length);
            assertThat(scores.accuracy()).isCloseTo(number(row, "accuracy"), within(1e-14));
            assertThat(scores.auc()).isCloseTo(number(row, "auc"), within(1e-14));
            assertThat(scores.logLikelihood()).isCloseTo(number(row, "logLikelihood"), within(1e-13));
            assertThat(scores.brier()).isCloseTo(number(row, "brier"), within(1e-14));
            assertThat(scores.ece()).isCloseTo(number(row, "ece"), within(1e-13));
            assertThat(CalibrationBins.of(probabilities, labels).maximumCalibrationError())
                    .isCloseTo(number(row, "mce"), within(1e-13));
        }
    }

    @Test
    void agreesWithRegressionScoresByDefinition() {
        Map<?, ?> row = Golden.object(GOLDEN, "regression");
        double[] means = numbers(row, "means");
        double[] targets = numbers(row, "targets");
        RegressionScores scores = RegressionScores.of(means, numbers(row, "deviations"), targets, number(row, "level"));
        assertThat(scores.rmse()).isCloseTo(number(row, "rmse"), within(1e-13));
        assertThat(scores.logLikelihood()).isCloseTo(number(row, "logLikelihood"), within(1e-13));
        // quadrature with tolerance 1.5e-8 on each row
        assertThat(scores.crps()).isCloseTo(number(row, "crps"), within(1e-8));
        assertThat(scores.coverage()).isCloseTo(number(row, "coverage"), within(1e-14));
        assertThat(scores.intervalWidth()).isCloseTo(number(row, "width"), within(1e-12));
        assertThat(RegressionScores.rootMeanSquare(means, targets)).isEqualTo(scores.rmse());
    }

    @Test
    void countsPairsOneByOneWithTies() {
        RandomStream random = RandomStream.ofSeed(3);
        for (int trial = 0; trial < 200; trial++) {
            int n = 2 + random.nextInt(40);
            double[] scores = new double[n];
            double[] labels = new double[n];
            for (int i = 0; i < n; i++) {
                scores[i] = random.nextInt(6) - 3;
                labels[i] = i < 2 ? i : random.nextInt(2);
            }
            scores[0] = -0.0;
            double wins = 0;
            double pairs = 0;
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (labels[i] == 1 && labels[j] == 0) {
                        pairs++;
                        wins += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                    }
                }
            }
            assertThat(ClassificationScores.auc(scores, labels)).isCloseTo(wins / pairs, within(1e-15));
        }
        assertThat(ClassificationScores.auc(new double[] {0.1, 0.2}, new double[] {1, 1}))
                .isNaN();
    }

    @Test
    void doesNotHideAnImpossibleOutcome() {
        ClassificationScores scores = ClassificationScores.of(new double[] {0, 1}, new double[] {1, 1});
        assertThat(scores.logLikelihood()).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(ClassificationScores.of(new double[] {0, 1}, new double[] {0, 1})
                        .logLikelihood())
                .isZero();
    }

    @Test
    void putsOneIntoTheLastBinAndKeepsEmptyBins() {
        CalibrationBins bins = CalibrationBins.of(new double[] {1, 1, 0}, new double[] {1, 0, 0}, 10);
        assertThat(bins.bins()).hasSize(10);
        assertThat(bins.bins().get(9).rows()).isEqualTo(2);
        assertThat(bins.bins().get(9).positiveShare()).isEqualTo(0.5);
        assertThat(bins.bins().get(4).meanPrediction()).isNaN();
        assertThat(bins.expectedCalibrationError()).isCloseTo(1.0 / 3, within(1e-15));
    }

    /** The score of a Gaussian is E|X − y| − ½ E|X − X'|: at y = 0, s (√(2/π) − 1/√π); far away, |y| − s/√π. */
    @Test
    void hasTheKnownRankedProbabilityScores() {
        assertThat(RegressionScores.gaussianCrps(0, 2))
                .isCloseTo(2 * (Math.sqrt(2 / Math.PI) - 1 / Math.sqrt(Math.PI)), within(1e-15));
        assertThat(RegressionScores.gaussianCrps(-100, 2)).isCloseTo(100 - 2 / Math.sqrt(Math.PI), within(1e-12));
    }

    @Test
    void integratesLogisticOverGaussian() {
        double worstQuick = 0;
        double[] quickAt = new double[2];
        for (Object entry : (List<?>) GOLDEN.get("predictive")) {
            Map<?, ?> row = (Map<?, ?>) entry;
            double mean = number(row, "mean");
            double variance = number(row, "variance");
            double expected = number(row, "probability");
            assertThat(LogisticPredictive.exact(mean, variance)).as("%s", row).isCloseTo(expected, within(1e-15));
            double error = Math.abs(LogisticPredictive.quick(mean, variance) - expected);
            worstQuick = Math.max(worstQuick, error);
            if (variance == 0.1) {
                quickAt[0] = Math.max(quickAt[0], error);
            } else if (variance == 1) {
                quickAt[1] = Math.max(quickAt[1], error);
            }
        }
        assertThat(worstQuick).isBetween(1e-2, 2e-2);
        assertThat(quickAt[0]).isLessThan(7e-4);
        assertThat(quickAt[1]).isLessThan(4e-3);
        for (double m : new double[] {-700, -2, 0, 3}) {
            assertThat(LogisticPredictive.exact(m, 0))
                    .isCloseTo(SpecialFunctions.sigmoid(m), within(1e-15 * SpecialFunctions.sigmoid(m)));
        }
        double[] both = new double[2];
        LogisticPredictive.exact(new double[] {1, -1}, new double[] {50, 50}, both, 2);
        assertThat(both[0] + both[1]).isCloseTo(1, within(1e-15));
        LogisticPredictive.quick(new double[] {1, -1}, new double[] {50, 50}, both, 2);
        assertThat(both[0]).isEqualTo(LogisticPredictive.quick(1, 50));
    }

    @Test
    void refusesRowsThatCannotBeScoredWithoutRepeatingThem() {
        double[] one = {1};
        assertThatThrownBy(() -> ClassificationScores.of(new double[] {1.25}, one))
                .hasMessage("the predicted probability of row 0 is not between 0 and 1");
        assertThatThrownBy(() -> ClassificationScores.of(one, new double[] {0.75}))
                .hasMessage("the label of row 0 is neither 0 nor 1");
        assertThatThrownBy(() -> ClassificationScores.of(one, new double[2])).hasMessageContaining("2 labels");
        assertThatThrownBy(() -> ClassificationScores.of(new double[0], new double[0]))
                .hasMessageContaining("no rows");
        assertThatThrownBy(() -> ClassificationScores.auc(new double[] {Double.NaN}, one))
                .hasMessageContaining("row 0");
        assertThatThrownBy(() -> RegressionScores.of(one, new double[] {0}, one, 0.9))
                .hasMessageContaining("standard deviation of row 0");
        assertThatThrownBy(() -> RegressionScores.of(one, one, new double[] {Double.NaN}, 0.9))
                .hasMessageContaining("row 0");
        assertThatThrownBy(() -> RegressionScores.of(one, one, one, 1)).hasMessageContaining("level");
        assertThatThrownBy(() -> LogisticPredictive.exact(0, -1)).hasMessageContaining("variance");
        assertThatThrownBy(() -> CalibrationBins.of(one, one, 0)).hasMessageContaining("bin");
    }
}
