package dev.tacit.experiments.ep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Likelihood;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the published recipe costs and does, and that the baseline beside it learns. */
class DpSepUciTest {
    /** Noise for 1/N of the step: a thousand times too little even on the smallest set. */
    @Test
    void thePublishedNoiseBoundsNothingThatMatters() {
        for (PublishedScores set : PublishedScores.SETS) {
            double multiplier = set.noiseMultiplier() / set.records();
            // 40 Gaussians a distance of 1/multiplier apart: epsilon is about 20/multiplier^2.
            assertThat(NetworkRuns.publishedEpsilon(multiplier, 40))
                    .as(set.name())
                    .isBetween(20 / (multiplier * multiplier), 21 / (multiplier * multiplier));
        }
    }

    /** One step on one record: the state differs by noise of deviation 2 σ/N; 151 numbers tell it within a third. */
    @Test
    void connectedNoiseReachesTheState() {
        DenseBlock rows = waves(1, 1);
        NetworkShape shape = new NetworkShape(1, List.of(50));
        PublishedNetwork published = new PublishedNetwork(shape, 1);
        double[] loud = weightedMeans(published.connected(rows, 0.05, RandomStream.ofSeed(5)));
        double[] quiet = weightedMeans(published.connected(rows, 1e-12, RandomStream.ofSeed(5)));
        double squares = 0;
        for (int i = 0; i < loud.length; i++) {
            squares += (loud[i] - quiet[i]) * (loud[i] - quiet[i]);
        }
        assertThat(Math.sqrt(squares / loud.length)).isBetween(0.07, 0.13);
    }

    private static double[] weightedMeans(ProbabilisticBackpropagation learned) {
        double[] mean = learned.mean();
        double[] variance = learned.variance();
        for (int i = 0; i < mean.length; i++) {
            mean[i] /= variance[i];
        }
        return mean;
    }

    /** As coded, q starts flat and the noise of the target is the one that SEP learned. */
    @Test
    void theCodedFormKeepsTheNoiseOfTheSeedRun() {
        DenseBlock rows = waves(300, 1);
        NetworkShape shape = new NetworkShape(1, List.of(10));
        ProbabilisticBackpropagation plain = new ProbabilisticBackpropagation(
                shape, Method.SEP, Likelihood.GAUSSIAN, 300, Double.POSITIVE_INFINITY, RandomStream.ofSeed(4));
        plain.epoch(rows, RandomStream.ofSeed(4));
        double noise = plain.noiseVariance();
        ProbabilisticBackpropagation coded =
                new PublishedNetwork(shape, 20).asCoded(rows, plain, RandomStream.ofSeed(5));
        assertThat(coded.noiseVariance()).isEqualTo(noise);
        coded.epoch(rows, RandomStream.ofSeed(6));
        assertThat(coded.noiseVariance()).isEqualTo(noise);
    }

    private static DenseBlock waves(int rows, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        double[] values = new double[rows];
        double[] labels = new double[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = 2 * random.uniform() - 1;
            labels[row] = Math.cos(4 * values[row]) + 0.1 * random.normal();
        }
        return DenseBlock.of(rows, 1, values, labels);
    }

    /** The best constant leaves 0.7. */
    @Test
    void gradientsOfTheBaselineLead() {
        NeuralNetwork model = NeuralNetwork.regression(List.of("x"), -2, 2, NeuralNetwork.Design.standard());
        NetworkDescent kernel = new NetworkDescent(
                new NetworkDescent.Settings(300, new SamplingScheme.PoissonSampling(0.2), 1, 0.02, 0.06, 0.03, 0.2));
        PrivateDataset data = LocalSummation.dataset(
                RecordsInMemory.of(waves(600, 1), true), PrivacyUnit.record(Neighbours.ADD_REMOVE), 600, 1);
        Predictor predictor = model.predictor(InferenceRun.once(
                        kernel,
                        model,
                        data.openNotPrivate(RunRequest.of("fit", kernel.plan(model, 600)), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior());
        DenseBlock test = waves(400, 2);
        double squares = 0;
        for (int row = 0; row < test.rows(); row++) {
            double residual = test.label(row) - ((Prediction.Numeric) predictor.predict(test, row)).mean();
            squares += residual * residual;
        }
        assertThat(Math.sqrt(squares / test.rows())).isLessThan(0.35);
    }
}
