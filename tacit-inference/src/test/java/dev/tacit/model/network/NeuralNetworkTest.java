package dev.tacit.model.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.NetworkPosterior;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The network as a model: gradients, scales that are paid for, predictions in the target's units. */
class NeuralNetworkTest {
    private static final List<String> COLUMNS = List.of("a", "intercept", "b");
    private static final NeuralNetwork.Design DESIGN =
            new NeuralNetwork.Design(List.of(4), 5, 1, 75, 300, 0.5, 0.5, 0.1, 0.1);
    private static final NeuralNetwork NUMBER = NeuralNetwork.regression(COLUMNS, 0, 10, DESIGN);
    private static final NeuralNetwork CLASSES = NeuralNetwork.classification(COLUMNS, DESIGN);
    private static final double[] RECORD = {0.4, 1, -0.7};

    private static TiltedMoments moments(String kind, double[] constants) {
        return switch (kind) {
            case "number" -> NUMBER.tiltedMoments(constants);
            case "expected" -> NUMBER.expectedLogLikelihood(constants);
            default -> CLASSES.tiltedMoments(constants);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"number", "expected", "classes"})
    void gradientsAndCurvaturesAreDifferences(String kind) {
        NeuralNetwork model = kind.equals("classes") ? CLASSES : NUMBER;
        double[] constants = model.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        double[] mean = model.startMean(constants, RandomStream.ofSeed(2));
        double[] variance = new double[mean.length];
        Arrays.fill(variance, 0.2);
        DenseBlock block = DenseBlock.of(1, 3, RECORD, new double[] {kind.equals("classes") ? 1 : 7});
        TiltedMoments moments = moments(kind, constants);
        moments.cavity(mean, variance);
        double[] gradient = new double[mean.length];
        double[] curvature = new double[mean.length];
        double logZ = moments.derivatives(block, 0, gradient, curvature);
        double[] again = new double[mean.length];
        assertThat(moments.gradient(block, 0, again)).isEqualTo(logZ);
        assertThat(again).containsExactly(gradient);
        double[] scratch = new double[mean.length];
        double step = 1e-5;
        for (int i = 0; i < mean.length; i++) {
            mean[i] += step;
            double above = moments.gradient(block, 0, scratch);
            mean[i] -= 2 * step;
            double below = moments.gradient(block, 0, scratch);
            mean[i] += step;
            assertThat(gradient[i]).isCloseTo((above - below) / (2 * step), within(1e-7));
            variance[i] += step;
            double wider = moments.gradient(block, 0, scratch);
            variance[i] -= 2 * step;
            double narrower = moments.gradient(block, 0, scratch);
            variance[i] += step;
            double byVariance = (wider - narrower) / (2 * step);
            assertThat(curvature[i]).isCloseTo(gradient[i] * gradient[i] - 2 * byVariance, within(1e-6));
        }
    }

    @Test
    void theColumnOfOnesStaysOutAndSparseRowsAreTheSame() {
        assertThat(NUMBER.network().inputs()).isEqualTo(2);
        double[] constants = NUMBER.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        TiltedMoments moments = NUMBER.tiltedMoments(constants);
        double[] mean = NUMBER.startMean(constants, RandomStream.ofSeed(2));
        double[] variance = new double[mean.length];
        Arrays.fill(variance, 0.2);
        moments.cavity(mean, variance);
        double[] dense = new double[mean.length];
        double[] sparse = new double[mean.length];
        moments.gradient(DenseBlock.of(1, 3, RECORD, new double[] {3}), 0, dense);
        moments.gradient(
                SparseBlock.of(1, 3, new int[] {0, 3}, new int[] {0, 1, 2}, RECORD, new double[] {3}), 0, sparse);
        assertThat(sparse).containsExactly(dense);
        assertThatThrownBy(() -> NeuralNetwork.classification(List.of("intercept"), DESIGN))
                .hasMessageContaining("at least one column");
    }

    /** Two columns of known moments and a target that is mostly 5 of 10; sums are over the root of 0.45 · 3. */
    @Test
    void scalesAreThoseOfTheReleasedMoments() {
        PrivateStart start = NUMBER.privateStart().orElseThrow();
        double unit = Math.sqrt(0.45 * 3);
        double[] sums = {50, 100 * (0.65 - 0.3), -50, 100 * (0.25 - 0.3), 0, 100 * (0.09 - 0.3)};
        for (int i = 0; i < sums.length; i++) {
            sums[i] /= unit;
        }
        NoisySum released = NoisySum.simulated(sums, 0, 100);
        double[] scales = start.constants(start.begin(RandomStream.ofSeed(1)), 0, released);
        assertThat(scales[0]).isCloseTo(0.5, within(1e-12));
        assertThat(scales[1]).isCloseTo(Math.sqrt(0.4), within(1e-12));
        assertThat(scales[2]).isCloseTo(-0.5, within(1e-12));
        assertThat(scales[3]).as("never below a tenth").isCloseTo(0.1, within(1e-12));
        assertThat(scales[4]).isCloseTo(0, within(1e-12));
        assertThat(scales[5]).isCloseTo(0.3, within(1e-12));
        NoisySum noisy = NoisySum.simulated(sums, 25 / unit, 100);
        assertThat(start.constants(scales, 0, noisy)[3])
                .as("never below its noise")
                .isCloseTo(Math.sqrt(0.25), within(1e-12));
    }

    /** Correlation 0.9: the eigenvalues are 1.9 along (1, 1) and 0.1 across it. */
    @Test
    void collinearColumnsArePulledApart() {
        PrivateStart start = NUMBER.privateStart().orElseThrow();
        double[] before = start.begin(RandomStream.ofSeed(1));
        assertThat(start.releases()).isEqualTo(2);
        double unit = 1.5 * 2;
        double[] sums = new double[start.dimension()];
        sums[0] = 100 / unit;
        sums[1] = Math.sqrt(2) * 0.9 * 100 / unit;
        sums[2] = 100 / unit;
        double[] after = start.constants(before, 1, NoisySum.simulated(sums, 0, 100));
        double length = 2 / (1.9 / 2.2 + 0.1 / 0.4);
        double along = Math.sqrt(length / 2.2);
        double across = Math.sqrt(length / 0.4);
        assertThat(Arrays.copyOf(after, 7)).containsExactly(Arrays.copyOf(before, 7));
        assertThat(after[7]).isCloseTo((along + across) / 2, within(1e-9));
        assertThat(after[8]).isCloseTo((along - across) / 2, within(1e-9));
        assertThat(after[10]).isCloseTo(after[7], within(1e-12));
        double[] hidden = start.constants(before, 1, NoisySum.simulated(sums, 60, 100));
        assertThat(hidden[8]).as("noise hides the correlation").isCloseTo(0, within(1e-9));
        assertThat(CLASSES.privateStart().orElseThrow().releases()).isEqualTo(1);
    }

    @Test
    void residualsOfThePredictedSizeLeaveTheNoiseAlone() {
        double[] constants = NUMBER.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        RandomStream random = RandomStream.ofSeed(4);
        int draws = 200_000;
        double sum = 0;
        for (int i = 0; i < draws; i++) {
            double z = random.normal();
            sum += Math.min(z * z, 4) - 2;
        }
        double[] next = NUMBER.extras().orElseThrow().constants(constants, new double[] {sum / draws});
        // The mean of min(z², 4) has a standard error of 0.0027 here; six of them times 0.1 / 0.92.
        assertThat(next[6]).isCloseTo(constants[6], within(6 * 0.0027 * 0.11));
        assertThat(NUMBER.extras().orElseThrow().constants(constants, new double[] {1e9})[6] - constants[6])
                .isCloseTo(0.3, within(1e-12));
    }

    private static Posterior posterior(NeuralNetwork model) {
        double[] scales = model.privateStart().orElseThrow().begin(RandomStream.ofSeed(1));
        double[] mean = model.startMean(scales, RandomStream.ofSeed(2));
        double[] variance = new double[mean.length];
        Arrays.fill(variance, 1e-18);
        return model.posterior(mean, variance, scales);
    }

    @Test
    void posteriorsComeBackFromTheirText() {
        for (NeuralNetwork model : List.of(NUMBER, CLASSES)) {
            Posterior posterior = posterior(model);
            Posterior again = PosteriorJson.read(PosteriorJson.write(posterior));
            assertThat(again).isInstanceOf(NetworkPosterior.class);
            assertThat(again.parameterNames()).isEqualTo(posterior.parameterNames());
            assertThat(again.mean()).containsExactly(posterior.mean());
            assertThat(again.standardDeviation()).containsExactly(posterior.standardDeviation());
        }
        assertThatThrownBy(() -> CLASSES.predictor(posterior(NUMBER))).hasMessageContaining("another shape");
    }

    /** With weights that are all but certain, targets drawn by the model scatter around its prediction by its noise. */
    @Test
    void drawsAgreeWithPredictions() {
        DenseBlock block = DenseBlock.of(1, 3, RECORD, new double[] {0});
        Posterior number = posterior(NUMBER);
        Prediction.Numeric predicted =
                (Prediction.Numeric) NUMBER.predictor(number).predict(block, 0);
        Prediction.Probability probability =
                (Prediction.Probability) CLASSES.predictor(posterior(CLASSES)).predict(block, 0);
        RandomStream random = RandomStream.ofSeed(8);
        double[] parameters = number.mean();
        double[] classParameters = posterior(CLASSES).mean();
        int draws = 20_000;
        double sum = 0;
        double squares = 0;
        double positive = 0;
        for (int i = 0; i < draws; i++) {
            double target = NUMBER.drawTarget(parameters, block, 0, random) - predicted.mean();
            sum += target;
            squares += target * target;
            positive += CLASSES.drawTarget(classParameters, block, 0, random);
        }
        double deviation = predicted.standardDeviation();
        assertThat(sum / draws).isCloseTo(0, within(6 * deviation / Math.sqrt(draws)));
        assertThat(Math.sqrt(squares / draws)).isCloseTo(deviation, within(6 * deviation / Math.sqrt(2.0 * draws)));
        assertThat(positive / draws).isCloseTo(probability.probability(), within(6 * 0.5 / Math.sqrt(draws)));
    }
}
