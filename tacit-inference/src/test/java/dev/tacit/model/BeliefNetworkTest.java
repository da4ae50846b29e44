package dev.tacit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualVariationalBayes;
import dev.tacit.model.belief.BeliefGradients;
import dev.tacit.model.belief.HiddenUnits;
import dev.tacit.model.belief.NetworkWeights;
import dev.tacit.model.belief.PolyaGammaBelief;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.posterior.json.PosteriorJson;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BeliefNetworkTest {
    private static final int COLUMNS = 12;
    private static final int HIDDEN = 3;
    private static final RandomStream RANDOM = RandomStream.ofSeed(20_240_611);

    private static SigmoidBeliefNetwork network(int columns, int hidden, int sweeps) {
        return new SigmoidBeliefNetwork(Runs.names(columns), hidden, sweeps, 0.5, 0);
    }

    private static double[] parameters(int columns, int hidden, double scale, RandomStream random) {
        double[] parameters = new double[NetworkWeights.size(columns, hidden)];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = scale * random.normal();
        }
        return parameters;
    }

    /** Records drawn from a network. */
    private static DenseBlock drawn(int rows, int columns, int hidden, double[] parameters, RandomStream random) {
        NetworkWeights weights = NetworkWeights.points(columns, hidden, parameters);
        double[] values = new double[rows * columns];
        for (int row = 0; row < rows; row++) {
            double[] margins = weights.biases().clone();
            for (int k = 0; k < hidden; k++) {
                double z = random.uniform() < SpecialFunctions.sigmoid(weights.hiddenBiases()[k]) ? 0.5 : -0.5;
                for (int j = 0; j < columns; j++) {
                    margins[j] += z * weights.weights()[k * columns + j];
                }
            }
            for (int j = 0; j < columns; j++) {
                values[row * columns + j] = random.uniform() < SpecialFunctions.sigmoid(margins[j]) ? 1 : 0;
            }
        }
        return DenseBlock.of(rows, columns, values, new double[rows]);
    }

    /** log Σ_z P(z) P(y | z) and the probabilities of hidden units, by listing all z. */
    private static double[] enumerated(int columns, int hidden, double[] parameters, double[] record) {
        NetworkWeights weights = NetworkWeights.points(columns, hidden, parameters);
        double[] result = new double[hidden + 1];
        for (int states = 0; states < 1 << hidden; states++) {
            double[] margins = weights.biases().clone();
            double logarithm = 0;
            for (int k = 0; k < hidden; k++) {
                boolean on = (states >> k & 1) == 1;
                double bias = weights.hiddenBiases()[k];
                logarithm += SpecialFunctions.logSigmoid(on ? bias : -bias);
                for (int j = 0; j < columns; j++) {
                    margins[j] += (on ? 0.5 : -0.5) * weights.weights()[k * columns + j];
                }
            }
            for (int j = 0; j < columns; j++) {
                logarithm += SpecialFunctions.logSigmoid(record[j] > 0.5 ? margins[j] : -margins[j]);
            }
            double probability = Math.exp(logarithm);
            result[hidden] += probability;
            for (int k = 0; k < hidden; k++) {
                result[k] += (states >> k & 1) == 1 ? probability : 0;
            }
        }
        for (int k = 0; k < hidden; k++) {
            result[k] /= result[hidden];
        }
        result[hidden] = Math.log(result[hidden]);
        return result;
    }

    /** Two hidden units, three columns, every record: a lower bound that is tight for weak weights. */
    @Test
    void boundIsBelowTheLikelihoodAndTightForWeakWeights() {
        double[] strong = parameters(3, 2, 1.5, RANDOM.fork(1));
        double[] weak = strong.clone();
        for (int i = 0; i < 6; i++) {
            weak[i] *= 0.05;
        }
        for (int record = 0; record < 8; record++) {
            double[] row = {record & 1, record >> 1 & 1, record >> 2};
            DenseBlock block = DenseBlock.of(1, 3, row, null);
            for (double[] parameters : List.of(strong, weak)) {
                HiddenUnits units = new HiddenUnits(NetworkWeights.points(3, 2, parameters), 0.5);
                units.infer(block, 0, 50);
                double[] exact = enumerated(3, 2, parameters, row);
                assertThat(units.bound()).isLessThanOrEqualTo(exact[2]);
                if (parameters == weak) {
                    assertThat(units.bound()).isCloseTo(exact[2], within(1e-3));
                    assertThat(units.probabilities()[0]).isCloseTo(exact[0], within(2e-4));
                    assertThat(units.probabilities()[1]).isCloseTo(exact[1], within(2e-4));
                }
            }
        }
    }

    @Test
    void noSweepLowersTheBound() {
        for (int trial = 0; trial < 50; trial++) {
            RandomStream random = RANDOM.fork(100 + trial);
            double[] parameters = parameters(COLUMNS, HIDDEN, 2, random);
            DenseBlock block = drawn(1, COLUMNS, HIDDEN, parameters, random);
            double[] margin = new double[COLUMNS];
            Arrays.fill(margin, random.uniform());
            HiddenUnits units = new HiddenUnits(new NetworkWeights(COLUMNS, HIDDEN, parameters, margin), 0.5);
            double before = Double.NEGATIVE_INFINITY;
            for (int sweeps = 0; sweeps < 12; sweeps++) {
                units.infer(block, 0, sweeps);
                assertThat(units.bound()).isGreaterThanOrEqualTo(before - 1e-12);
                before = units.bound();
            }
        }
    }

    private static double[] sum(ContributionSum query, RecordBlock block, double l2Bound) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        return Runs.dataset((DenseBlock) block)
                .openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                .release(query, l2Bound)
                .value();
    }

    /** The gradient at fixed hidden units, where the best ξ has none of its own. */
    @Test
    void gradientIsThatOfTheBound() {
        RandomStream random = RANDOM.fork(2);
        double[] parameters = parameters(COLUMNS, HIDDEN, 1, random);
        DenseBlock block = drawn(1, COLUMNS, HIDDEN, parameters, random);
        BeliefGradients model = new BeliefGradients(network(COLUMNS, HIDDEN, 4), 100, 1e3, 2, 0.3, 1);
        double[] gradient = sum(model.boundGradient(parameters), block, 1e3);
        HiddenUnits units = new HiddenUnits(NetworkWeights.points(COLUMNS, HIDDEN, parameters), 0.5);
        units.infer(block, 0, 4);
        double[] fixed = units.probabilities().clone();
        double step = 1e-5;
        for (int i = 0; i < parameters.length; i++) {
            double[] bounds = new double[2];
            for (int side = 0; side < 2; side++) {
                double[] moved = parameters.clone();
                moved[i] += side == 0 ? -step : step;
                HiddenUnits there = new HiddenUnits(NetworkWeights.points(COLUMNS, HIDDEN, moved), 0.5);
                there.load(block, 0, null);
                System.arraycopy(fixed, 0, there.probabilities, 0, HIDDEN);
                there.refresh();
                bounds[side] = there.bound();
            }
            double weight = i >= (HIDDEN + 1) * COLUMNS ? 2 : 1;
            assertThat(gradient[i])
                    .as("parameter " + i)
                    .isCloseTo(weight * (bounds[1] - bounds[0]) / (2 * step), within(1e-8));
        }
    }

    private static double bound(NetworkWeights weights, DenseBlock block, int sweeps) {
        HiddenUnits units = new HiddenUnits(weights, 0.5);
        double sum = 0;
        for (int row = 0; row < block.rows(); row++) {
            units.infer(block, row, sweeps);
            sum += units.bound();
        }
        return sum;
    }

    private static <M, S extends Record> List<S> states(InferenceKernel<M, S> kernel, M model, DenseBlock block) {
        PrivateDataset data = Runs.dataset(block);
        ReleasePlan plan = kernel.plan(model, block.rows());
        PrivateSession session = data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1));
        List<S> states = new ArrayList<>(List.of(kernel.init(model, block.rows(), RANDOM.fork(8))));
        for (long step = 0; step < plan.releases(); step++) {
            states.add(kernel.step(states.get(states.size() - 1), model, session, RANDOM.fork(9))
                    .state());
        }
        return states;
    }

    private static DenseBlock clusters(int rows) {
        return drawn(rows, COLUMNS, HIDDEN, parameters(COLUMNS, HIDDEN, 2.5, RANDOM.fork(3)), RANDOM.fork(4));
    }

    /** Full batches, no noise, no clip, small steps: bound plus log prior climbs. */
    @Test
    void gradientStepsClimb() {
        DenseBlock block = clusters(400);
        BeliefGradients model = new BeliefGradients(network(COLUMNS, HIDDEN, 60), 400, 1e3, 2, 0.3, 1);
        ResidualVariationalBayes kernel = new ResidualVariationalBayes(
                new ResidualVariationalBayes.Settings(40, new SamplingScheme.FullPass(), 0.3, 0));
        double before = Double.NEGATIVE_INFINITY;
        double first = Double.NaN;
        for (ResidualVariationalBayes.State state : states(kernel, model, block)) {
            double prior = 0;
            for (int i = 0; i < (HIDDEN + 1) * COLUMNS; i++) {
                prior -= state.parameters()[i] * state.parameters()[i] / 2;
            }
            double now = bound(NetworkWeights.points(COLUMNS, HIDDEN, state.parameters()), block, 60) + prior;
            assertThat(now).isGreaterThanOrEqualTo(before - 1e-9);
            first = Double.isNaN(first) ? now : first;
            before = now;
        }
        assertThat(before).isGreaterThan(first + 100);
    }

    /** −KL of q(W, c) from its prior, plus the log prior of b. */
    private static double priorPart(BeliefNetworkPosterior q) {
        double sum = 0;
        double[] mean = q.mean();
        double[] variance = q.variance();
        for (int i = 0; i < mean.length; i++) {
            boolean point = i >= (HIDDEN + 1) * COLUMNS;
            double spread = point ? 0 : variance[i] - 1 - Math.log(variance[i]);
            sum -= (mean[i] * mean[i] + spread) / 2;
        }
        return sum;
    }

    @Test
    void closedFormStepsNeverLowerTheBound() {
        DenseBlock block = clusters(400);
        PolyaGammaBelief model = new PolyaGammaBelief(network(COLUMNS, HIDDEN, 200), 400, 1, 2, 1, 0.5, false);
        PrivateVariationalBayes<BeliefNetworkPosterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(25, new SamplingScheme.FullPass(), new StepSchedule.Last()));
        double before = Double.NEGATIVE_INFINITY;
        double first = Double.NaN;
        List<PrivateVariationalBayes.State> states = states(kernel, model, block);
        for (PrivateVariationalBayes.State state : states.subList(1, states.size())) {
            BeliefNetworkPosterior q = kernel.posterior(state, model);
            double now = bound(model.weights(q), block, 200) + priorPart(q);
            assertThat(now).isGreaterThanOrEqualTo(before - 1e-6);
            first = Double.isNaN(first) ? now : first;
            before = now;
        }
        assertThat(before).isGreaterThan(first + 50);
    }

    /** No record reaches the bound that its statistics are said to have, and one comes close. */
    @Test
    void statisticsStayBelowTheirLargestNorm() {
        PolyaGammaBelief model = new PolyaGammaBelief(network(COLUMNS, HIDDEN, 3), 400, 1, 2, 1, 0.5, false);
        DenseBlock block = clusters(50);
        double[] parameters = parameters(COLUMNS, HIDDEN, 3, RANDOM.fork(6));
        double[] variance = new double[parameters.length];
        Arrays.fill(variance, 1e-6);
        ContributionSum query =
                model.expectedStatistics(new BeliefNetworkPosterior(Runs.names(COLUMNS), HIDDEN, parameters, variance));
        double largest = 0;
        for (int row = 0; row < block.rows(); row++) {
            double squares = 0;
            for (double number : sum(query, block.part(row, row + 1), 1e3)) {
                squares += number * number;
            }
            largest = Math.max(largest, Math.sqrt(squares));
        }
        assertThat(largest).isBetween(0.5 * model.statisticsL2Bound(), model.statisticsL2Bound());
    }

    /** Learned without noise, a network explains records that it has not seen better than any constant. */
    @Test
    void bothMethodsBeatTheConstant() {
        DenseBlock block = clusters(2000);
        List<RecordBlock> test =
                List.of(drawn(500, COLUMNS, HIDDEN, parameters(COLUMNS, HIDDEN, 2.5, RANDOM.fork(3)), RANDOM.fork(5)));
        BeliefGradients gradients = new BeliefGradients(network(COLUMNS, HIDDEN, 3), 2000, 1e3, 2, 0.3, 1);
        ResidualVariationalBayes residual = new ResidualVariationalBayes(
                new ResidualVariationalBayes.Settings(60, new SamplingScheme.PoissonSampling(0.5), 0.5, 1));
        PolyaGammaBelief closed = new PolyaGammaBelief(network(COLUMNS, HIDDEN, 3), 2000, 1, 2, 1, 0.5, true);
        PrivateVariationalBayes<BeliefNetworkPosterior> bayes = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(20, new SamplingScheme.FullPass(), new StepSchedule.Last()));
        List<ResidualVariationalBayes.State> one = states(residual, gradients, block);
        List<PrivateVariationalBayes.State> two = states(bayes, closed, block);
        for (var posterior : List.of(
                residual.posterior(one.get(one.size() - 1), gradients),
                bayes.posterior(two.get(two.size() - 1), closed))) {
            Map<String, Double> scores = gradients.network().scores(posterior, test);
            assertThat(scores.get("reconstructionAccuracy"))
                    .isGreaterThan(scores.get("constantReconstructionAccuracy") + 0.03);
            assertThat(scores.get("heldOutAccuracy")).isGreaterThan(scores.get("constantHeldOutAccuracy") + 0.01);
            assertThat(scores.get("heldOutNats")).isLessThan(scores.get("constantHeldOutNats") - 0.01);
        }
    }

    @Test
    void posteriorsComeBackBitByBit() {
        double[] mean = parameters(4, 2, 1, RANDOM.fork(7));
        double[] variance = new double[mean.length];
        Arrays.fill(variance, 0.1);
        BeliefNetworkPosterior posterior = new BeliefNetworkPosterior(Runs.names(4), 2, mean, variance);
        BeliefNetworkPosterior read = (BeliefNetworkPosterior) PosteriorJson.read(PosteriorJson.write(posterior));
        assertThat(read.mean()).containsExactly(mean);
        assertThat(read.variance()).containsExactly(variance);
        assertThat(read.parameterNames()).startsWith("weight.1.x0").endsWith("hidden.2");
        assertThatThrownBy(() -> network(5, 2, 1).inference(read)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void picturesAreRecognisedByTheNamesOfColumns() {
        List<String> pixels = new ArrayList<>();
        for (int i = 0; i < 784; i++) {
            pixels.add("pixel" + i);
        }
        assertThat(SigmoidBeliefNetwork.squareWidth(pixels)).isEqualTo(28);
        assertThat(SigmoidBeliefNetwork.squareWidth(pixels.subList(0, 783))).isZero();
        assertThat(SigmoidBeliefNetwork.squareWidth(pixels.subList(1, 17))).isZero();
        pixels.set(5, "label");
        assertThat(SigmoidBeliefNetwork.squareWidth(pixels)).isZero();
    }
}
