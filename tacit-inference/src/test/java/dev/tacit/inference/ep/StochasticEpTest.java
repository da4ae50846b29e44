package dev.tacit.inference.ep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.Runs;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.mixture.HistogramStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.run.InferenceRun;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Kernels of expectation propagation beside each other and beside exact posteriors. */
class StochasticEpTest {
    private static final long SEED = 11;

    private static <S extends Record> InferenceRun.Result<S> withoutNoise(
            InferenceKernel<TiltedMomentModel, S> kernel, TiltedMomentModel model, PrivateDataset data) {
        ReleasePlan plan = kernel.plan(model, data.publicSize());
        return InferenceRun.once(
                kernel,
                model,
                data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(SEED)),
                RandomStream.ofSeed(SEED));
    }

    private static DenseBlock regression(int rows) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] values = new double[3 * rows];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            for (int j = 0; j < 3; j++) {
                values[3 * row + j] = 0.5 * random.normal();
            }
            labels[row] = 0.4 * values[3 * row] - 0.2 * values[3 * row + 1] + 0.2 * random.normal();
        }
        return DenseBlock.of(rows, 3, values, labels);
    }

    private static LinearSites linear(int rows, double noiseVariance) {
        return new LinearSites(new LinearRegression(Runs.names(3), 2, 0.5, -2, 2, rows, 1), noiseVariance, false, 0);
    }

    /** (Λ_p + X'X/s²)⁻¹ X'y/s², in units of the scaled target. */
    private static GaussianPosterior exact(DenseBlock block, double noiseVariance) {
        double[] precision = SymmetricMatrix.scaledIdentity(3, 0.5);
        double[] weighted = new double[3];
        for (int row = 0; row < block.rows(); row++) {
            for (int i = 0; i < 3; i++) {
                double x = block.values()[block.start(row) + i];
                weighted[i] += x * block.label(row) / 2 / noiseVariance;
                for (int j = 0; j < 3; j++) {
                    precision[3 * i + j] += x * block.values()[block.start(row) + j] / noiseVariance;
                }
            }
        }
        SymmetricMatrix.mirrorLower(3, precision);
        GaussianBlocks shape = new GaussianBlocks(1, 3);
        double[] covariance = shape.inverse(precision);
        return new GaussianPosterior(Runs.names(3), shape.multiply(covariance, weighted), covariance);
    }

    private static void assertSame(Posterior found, Posterior expected, double tolerance) {
        for (int i = 0; i < expected.dimension(); i++) {
            assertThat(found.mean()[i]).isCloseTo(expected.mean()[i], within(tolerance));
            assertThat(found.standardDeviation()[i]).isCloseTo(expected.standardDeviation()[i], within(tolerance));
        }
    }

    @Test
    void expectationPropagationOnALinearModelIsExact() {
        DenseBlock block = regression(60);
        LinearSites model = linear(60, 0.05);
        Posterior found =
                new ExpectationPropagation(new ExpectationPropagation.Settings(3, 1, 1e-12)).fit(model, List.of(block));
        assertSame(((ProductPosterior) found).block("weights"), exact(block, 0.05), 1e-12);
        Posterior filtered = AssumedDensityFiltering.fit(model, List.of(block));
        assertSame(((ProductPosterior) filtered).block("weights"), exact(block, 0.05), 1e-12);
    }

    /** All records alike: one site stands for each of them exactly. */
    @Test
    void stochasticEpOnIdenticalRecordsIsEp() {
        int rows = 20;
        double[] values = new double[2 * rows];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            values[2 * row] = 0.8;
            values[2 * row + 1] = -0.5;
            labels[row] = 1;
        }
        DenseBlock block = DenseBlock.of(rows, 2, values, labels);
        LogisticSites model = new LogisticSites(new LogisticRegression(Runs.names(2), 1, 0.3), rows, 0);
        Posterior every = new ExpectationPropagation(new ExpectationPropagation.Settings(200, 0.5, 1e-13))
                .fit(model, List.of(block));
        PrivateDataset data = Runs.dataset(block);
        InferenceRun.Result<SharedSiteState> shared =
                withoutNoise(new StochasticEp(new StochasticEp.Settings(1500, rows, 4)), model, data);
        assertSame(shared.posterior(), every, 1e-6);
        assertThat(shared.event()).isInstanceOf(PrivacyEvent.NotPrivate.class);
    }

    private static DenseBlock clusters(int rows) {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[] values = new double[2 * rows];
        for (int row = 0; row < rows; row++) {
            values[2 * row] = (row % 2 == 0 ? 1.5 : -1) + 0.5 * random.normal();
            values[2 * row + 1] = (row % 2 == 0 ? 0 : 1) + 0.5 * random.normal();
        }
        return DenseBlock.of(rows, 2, values, null);
    }

    private static MixtureMeans mixture(int rows, boolean histogram) {
        return new MixtureMeans(
                Runs.names(2),
                MixtureMeans.equalWeights(2),
                0.25,
                new double[] {0.5, 0, -0.5, 0.2},
                0.1,
                rows,
                histogram ? Optional.of(new HistogramStart(2, -4, 4, 8, 2, 0.5, rows, 0.4)) : Optional.empty());
    }

    private static PrivateDataset replaceable(DenseBlock block) {
        return LocalSummation.dataset(
                RecordsInMemory.of(block, false), PrivacyUnit.record(Neighbours.REPLACE_ONE), block.rows(), 1);
    }

    /** Centred coordinates change what is clipped, not where an unclipped step leads. */
    @Test
    void centringDoesNotMoveAnUnclippedStep() {
        int rows = 40;
        PrivateDataset data = replaceable(clusters(rows));
        MixtureMeans model = mixture(rows, true);
        SamplingScheme sampling = new SamplingScheme.PoissonSampling(0.5);
        Posterior natural = withoutNoise(
                        new DpStochasticEp(
                                new DpStochasticEp.Settings(12, sampling, 1000, 0.5, false, 15, 0.5, 0, 0.25)),
                        model,
                        data)
                .posterior();
        Posterior centred = withoutNoise(
                        new DpStochasticEp(
                                new DpStochasticEp.Settings(12, sampling, 1000, 0.5, true, 15, 0.5, 0, 0.25)),
                        model,
                        data)
                .posterior();
        assertThat(natural.mean()[0]).isNotCloseTo(0.5, within(0.1));
        // averages are of natural parameters in both
        assertSame(centred, natural, 1e-7);
    }

    /** SEP and SEP with fixed precision agree where the precision is what SEP finds. */
    @Test
    void bothFamiliesFindTheComponents() {
        int rows = 400;
        PrivateDataset data = replaceable(clusters(rows));
        Posterior fixed = withoutNoise(
                        new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                                40, new SamplingScheme.FullPass(), 100, 0.5, 1, 0, 0.2)),
                        mixture(rows, true),
                        data)
                .posterior();
        Posterior learned = withoutNoise(
                        new DpStochasticEp(new DpStochasticEp.Settings(
                                40, new SamplingScheme.FullPass(), 1000, 1, true, rows / 2.0, 1, 0, 0)),
                        mixture(rows, true),
                        data)
                .posterior();
        // the difference is what responsibilities between 0 and 1 take from the precision
        assertSame(fixed, learned, 5e-3);
        assertThat(Math.abs(fixed.mean()[0])).isBetween(0.9, 1.6);
        assertThat(fixed.mean()[0] * fixed.mean()[2]).isNegative();
    }
}
