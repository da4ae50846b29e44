package dev.tacit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.regression.ClippedResiduals;
import dev.tacit.model.regression.LinearRegressionScore;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The field that each model foretells is that of records simulated from it.
 *
 * <p>Sums of simulated records are compared within 6 standard deviations, which a correct field exceeds with probability
 * below 1e-8. Seed 23.
 */
class ScoreFieldTest {
    private static final long SEED = 23;
    private static final int ROWS = 200_000;

    private static final LinearRegressionScore.Setting REGRESSION =
            new LinearRegressionScore.Setting(List.of("a", "b", "c"), true, 0.25, 20, 0.5, ROWS);

    private static double[] sum(ScoreFieldModel model, double[] point, DenseBlock block) {
        ReleasePlan plan = ReleasePlan.of("scores", 1, model.dimension(), new SamplingScheme.FullPass());
        try (PrivateDataset data = LocalSummation.dataset(
                RecordsInMemory.of(block, true), PrivacyUnit.record(Neighbours.ADD_REMOVE), block.rows(), 1)) {
            return data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(SEED))
                    .release(model.score(point), 1)
                    .value();
        }
    }

    private static void derivativeIs(DoubleUnaryOperator function, double at, double derivative) {
        double h = 1e-5;
        double slope = (function.applyAsDouble(at + h) - function.applyAsDouble(at - h)) / (2 * h);
        assertThat(slope).isCloseTo(derivative, within(1e-6));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.2, 0.7, 1, 1.5, 6})
    void waitingTimes(double k) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double truth = 3;
        double[] times = new double[ROWS];
        for (int n = 0; n < ROWS; n++) {
            times[n] = random.exponential() / truth;
        }
        GammaExponentialScore model = new GammaExponentialScore(8, 2, 2, ROWS);
        double[] point = {Math.log(k * truth)};
        double sum = sum(model, point, DenseBlock.of(ROWS, 1, new double[ROWS], times))[0];
        double deviation = Math.sqrt(ROWS * model.variance(k));
        assertThat(sum).isCloseTo(ROWS * model.mean(k), within(6 * deviation));

        double square = 0;
        for (double time : times) {
            double score = 1 - Math.min(k * truth * time, 3) / 1.5;
            square += (score - model.mean(k)) * (score - model.mean(k)) / ROWS;
        }
        assertThat(square).isCloseTo(model.variance(k), within(0.03 * model.variance(k)));
        derivativeIs(logTruth -> model.mean(k * truth / Math.exp(logTruth)), Math.log(truth), model.slope(k));
    }

    @Test
    void coinsAndDice() {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] p = {0.2, 0.5, 0.3};
        double[] cells = new double[3 * ROWS];
        double[] labels = new double[ROWS];
        for (int n = 0; n < ROWS; n++) {
            double u = random.uniform();
            int side = u < p[0] ? 0 : u < p[0] + p[1] ? 1 : 2;
            cells[3 * n + side] = 1;
            labels[n] = side == 1 ? 1 : 0;
        }
        DenseBlock block = DenseBlock.of(ROWS, 3, cells, labels);
        atTheTruth(new BetaBernoulliScore(1, 1, ROWS), new double[] {0}, block);
        DirichletCategoricalScore die = new DirichletCategoricalScore(List.of("a", "b", "c"), 1, ROWS);
        double[] truth = die.contrasts(p);
        assertThat(die.probabilities(truth)).containsExactly(p, within(1e-12));
        atTheTruth(die, truth, block);
    }

    private static void atTheTruth(ScoreFieldModel model, double[] truth, DenseBlock block) {
        int d = model.dimension();
        double[] mean = new double[d];
        double[] slopes = new double[d];
        model.expect(truth, model.startPrecisions(), mean, slopes);
        double[] sum = sum(model, truth, block);
        for (int j = 0; j < d; j++) {
            assertThat(sum[j]).isCloseTo(mean[j], within(6 * Math.sqrt(block.rows())));
            int coordinate = j;
            double[] other = truth.clone();
            double[] ignored = new double[d];
            derivativeIs(
                    at -> {
                        other[coordinate] = at;
                        double[] expected = new double[d];
                        model.expect(other, model.startPrecisions(), expected, ignored);
                        return expected[coordinate] / block.rows();
                    },
                    truth[j],
                    slopes[j] / block.rows());
        }
    }

    /** Scores at a point near the truth and at one further away, against the field's linear and closed-form parts. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.6})
    void regressions(double gap) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double variance = 0.03;
        double[] w = {0.3, -0.2, 0.1, 0.25};
        double[] point = {w[0] - gap * Math.sqrt(variance), w[1], w[2], w[3], Math.log(variance) + 0.2};
        double k = (variance + gap * gap * variance) / Math.exp(point[4]);
        double[] cells = new double[4 * ROWS];
        double[] labels = new double[ROWS];
        for (int n = 0; n < ROWS; n++) {
            labels[n] = Math.sqrt(variance) * random.normal();
            for (int j = 0; j < 4; j++) {
                cells[4 * n + j] = j < 3 ? random.normal() : 1;
                labels[n] += w[j] * cells[4 * n + j];
            }
        }
        LinearRegressionScore.Bounds bounds = new LinearRegressionScore.Bounds(1.5, 1, 0.2);
        LinearRegressionScore model = new LinearRegressionScore(REGRESSION, bounds);
        double[] sum = sum(model, point, DenseBlock.of(ROWS, 4, cells, labels));
        ClippedResiduals moments = new ClippedResiduals(3, true);
        double slope = bounds.weightScale() * moments.slope(1.5, k, false) * gap * Math.exp(-0.1);
        double deviation = bounds.weightScale() * Math.sqrt(moments.square(1.5, k, false) / ROWS);
        // the field is linear in the gap up to a few per cent
        assertThat(sum[0] / ROWS).isCloseTo(slope, within(6 * deviation + 0.05 * gap * slope));
        assertThat(sum[3] / ROWS)
                .isCloseTo(0, within(6 * bounds.weightScale() * Math.sqrt(moments.square(1.5, k, true) / ROWS)));
        double mean = bounds.varianceScale() * (ClippedResiduals.varianceMean(1, k) - bounds.centre());
        assertThat(sum[4] / ROWS).isCloseTo(mean, within(6 * bounds.varianceScale() / Math.sqrt(ROWS)));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1, 4})
    void momentsOfClippedResiduals(double k) {
        RandomStream random = RandomStream.ofSeed(SEED);
        ClippedResiduals moments = new ClippedResiduals(3, true);
        double bound = 1.2;
        double slope = 0;
        double square = 0;
        double interceptSquare = 0;
        double spread = 0;
        double spreadSquare = 0;
        for (int n = 0; n < ROWS; n++) {
            double[] x = {random.normal(), random.normal(), random.normal()};
            double e = Math.sqrt(k) * random.normal();
            double length = Math.sqrt(1 + x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
            double clipped = Math.max(-bound / length, Math.min(bound / length, e));
            slope += clipped == e ? x[0] * x[0] / ROWS : 0;
            square += x[0] * x[0] * clipped * clipped / ROWS;
            interceptSquare += clipped * clipped / ROWS;
            double score = Math.min(0.5 * (e * e - 1), bound);
            spread += score / ROWS;
            spreadSquare += score * score / ROWS;
        }
        // each is a mean of 200,000 numbers with standard deviations below 3
        double tolerance = 6 * 3 / Math.sqrt(ROWS);
        assertThat(moments.slope(bound, k, false)).isCloseTo(slope, within(tolerance));
        assertThat(moments.square(bound, k, false)).isCloseTo(square, within(tolerance));
        assertThat(moments.square(bound, k, true)).isCloseTo(interceptSquare, within(tolerance));
        assertThat(ClippedResiduals.varianceMean(bound, k)).isCloseTo(spread, within(tolerance));
        assertThat(ClippedResiduals.varianceVariance(bound, k))
                .isCloseTo(spreadSquare - spread * spread, within(2 * tolerance));
        derivativeIs(
                logK -> ClippedResiduals.varianceMean(bound, Math.exp(logK)),
                Math.log(k),
                ClippedResiduals.varianceSlope(bound, k));
    }

    /** The bounds of the variance's and the weights' scores move with the noise: less noise, wider bounds. */
    @Test
    void boundsWidenAsNoiseFalls() {
        double before = 0;
        for (double averageNoise : new double[] {150, 40, 5}) {
            LinearRegressionScore.Bounds bounds =
                    LinearRegressionScore.of(REGRESSION, averageNoise).bounds();
            assertThat(bounds.weightBound()).isGreaterThan(before);
            assertThat(bounds.varianceShare()).isBetween(0.01, 0.6);
            before = bounds.weightBound();
        }
    }
}
