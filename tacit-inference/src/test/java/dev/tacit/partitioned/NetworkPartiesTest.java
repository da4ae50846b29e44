package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.partitioned.update.VirtualNetworkSites;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A Bayesian neural network across parties. */
class NetworkPartiesTest {
    private static final int COLUMNS = 4;
    private static final NeuralNetworkDensity NETWORK = network(COLUMNS, 3);
    private static final int D = NETWORK.dimension();
    private static final double[] MEANS = normals(D, 7);
    private static final double SCALE = 0.1;

    private static double[] normals(int count, long seed) {
        double[] normals = new double[count];
        RandomStream.ofSeed(seed).fillNormal(normals);
        return normals;
    }

    private static NeuralNetworkDensity network(int columns, int units) {
        return new NeuralNetworkDensity(
                Runs.names(columns),
                units,
                new NeuralNetworkDensity.Head.Binary(),
                NeuralNetworkDensity.Activation.RELU,
                1,
                1);
    }

    private static NaturalGaussian around(double[] means, double scale) {
        double precision = 1 / (scale * scale);
        double[] precisions = new double[means.length];
        Arrays.fill(precisions, precision);
        return NaturalGaussian.independent(
                GaussianFamily.MEAN_FIELD,
                Arrays.stream(means).map(mean -> mean * precision).toArray(),
                precisions);
    }

    /** Two rounds of virtual clients, the second at other means; also asked whether records are alone in it. */
    static ContributionSum twoRounds() {
        return new VirtualNetworkSites(
                NETWORK,
                List.of(
                        VirtualNetworkSites.Seen.of(around(NETWORK.start(), SCALE), normals(2 * D, 8)),
                        VirtualNetworkSites.Seen.of(around(MEANS, SCALE), normals(2 * D, 9))),
                0.3,
                0.8,
                2);
    }

    private static DenseBlock record(double... values) {
        return DenseBlock.of(1, COLUMNS, values, new double[] {1});
    }

    private static double logDensity(DenseBlock block, double[] point) {
        return NETWORK.likelihood().logDensity(block, 0, point, new double[D]);
    }

    /** By differences. */
    private static double[] gradient(DenseBlock block, double[] point) {
        double step = 1e-6;
        double[] gradient = new double[D];
        for (int j = 0; j < D; j++) {
            double[] up = point.clone();
            double[] down = point.clone();
            up[j] += step;
            down[j] -= step;
            gradient[j] = (logDensity(block, up) - logDensity(block, down)) / (2 * step);
        }
        return gradient;
    }

    /** Of a record in (μ, log s), over two fixed draws: what DP optimisation releases. */
    @Test
    void gradientsOfTheBoundAreDifferencesOfTheBound() {
        DenseBlock block = record(0.4, 0, -1.1, 0.6);
        double[] draws = normals(2 * D, 3);
        double[] scales = new double[D];
        Arrays.fill(scales, SCALE);
        double[] released = QueriesTest.sum(block, new MeanFieldGradient(NETWORK, MEANS, scales, scales, draws, 1));
        double step = 1e-6;
        for (int j = 0; j < D; j++) {
            double mean = (bound(block, draws, j, step, 0) - bound(block, draws, j, -step, 0)) / (2 * step);
            double scale = (bound(block, draws, j, 0, step) - bound(block, draws, j, 0, -step)) / (2 * step);
            assertThat(released[2 * j]).isCloseTo(mean, within(1e-6));
            assertThat(released[2 * j + 1]).isCloseTo(scale, within(1e-6));
        }
    }

    private static double bound(DenseBlock block, double[] draws, int moved, double meanStep, double logScaleStep) {
        double sum = 0;
        for (int k = 0; k < 2; k++) {
            double[] point = MEANS.clone();
            for (int j = 0; j < D; j++) {
                point[j] += SCALE * draws[k * D + j];
            }
            point[moved] += meanStep + SCALE * Math.expm1(logScaleStep) * draws[k * D + moved];
            sum += logDensity(block, point) / 2;
        }
        return sum;
    }

    /** The first change is a record's site, shortened to the bound; the second is what is missing of the next site. */
    @Test
    void virtualClientsAnswerWithWhatIsMissingOfTheirSite() {
        DenseBlock block = record(0.4, 0, -1.1, 0.6);
        double damping = 0.3;
        double l2Bound = 0.8;
        double[] factor = new double[2 * D];
        List<VirtualNetworkSites.Seen> seen = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            double[] means = normals(D, 20 + round);
            double[] draws = normals(2 * D, 30 + round);
            seen.add(VirtualNetworkSites.Seen.of(around(means, SCALE), draws));
            double[] change = site(block, means, draws, 2);
            double norm = 0;
            for (int i = 0; i < change.length; i++) {
                change[i] -= factor[i];
                norm += change[i] * change[i];
            }
            double shortened = Math.min(1, l2Bound / Math.sqrt(norm));
            for (int i = 0; i < change.length; i++) {
                change[i] *= shortened;
                factor[i] += damping * change[i];
            }
            assertThat(QueriesTest.sum(block, new VirtualNetworkSites(NETWORK, seen, damping, l2Bound, 2)))
                    .containsExactly(change, within(1e-6));
        }
    }

    /** Pairs of h and weighted λ. */
    private static double[] site(DenseBlock block, double[] means, double[] draws, double precisionWeight) {
        double[] site = new double[2 * D];
        for (int k = 0; k < 2; k++) {
            double[] point = means.clone();
            for (int j = 0; j < D; j++) {
                point[j] += SCALE * draws[k * D + j];
            }
            double[] gradient = gradient(block, point);
            for (int j = 0; j < D; j++) {
                double square = gradient[j] * gradient[j];
                site[2 * j] += 0.5 * (gradient[j] + square * means[j]);
                site[2 * j + 1] += 0.5 * precisionWeight * square;
            }
        }
        return site;
    }

    private static List<FactorParty> parties(
            NeuralNetworkDensity network,
            DenseBlock rows,
            LocalSteps update,
            double damping,
            int rounds,
            int... sizes) {
        NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, network.dimension(), 1);
        List<FactorParty> parties = new ArrayList<>();
        for (PrivateDataset set : Parties.split(rows, sizes)) {
            FactorParty party = new FactorParty(
                    "party " + parties.size(),
                    PartyDoor.notPrivate(set, ReplayNoise.ofSeed(1)),
                    update,
                    FactorTerms.startingAt(around(network.start(), SCALE), sizes.length, prior, damping)
                            .drawing(0, parties.size()));
            party.join(rounds);
            parties.add(party);
        }
        return parties;
    }

    private static NaturalGaussian reached(
            NeuralNetworkDensity network,
            DenseBlock rows,
            LocalSteps update,
            double damping,
            int rounds,
            int... sizes) {
        NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, network.dimension(), 1);
        return new Coordinator(
                        prior,
                        around(network.start(), SCALE),
                        new Coordinator.Settings(rounds, new Schedule.Sequential(), damping, Repair.floor()),
                        Optional.empty())
                .run(parties(network, rows, update, damping, rounds, sizes), Coordinator.Listener.NONE)
                .read();
    }

    /** One step of averaged shards is the same step, however many shards there are. */
    @Test
    void theNumberOfShardsDoesNotMatterForOneStep() {
        DenseBlock rows = Runs.logistic(12, new double[] {0.3, -0.7, 1.1, 0.2}, RandomStream.ofSeed(3));
        double[] whole = averaged(rows, 1);
        assertThat(whole).isNotEqualTo(around(NETWORK.start(), SCALE).naturalParameters());
        assertThat(averaged(rows, 3)).containsExactly(whole, within(1e-7));
        assertThat(averaged(rows, 7)).containsExactly(whole, within(1e-7));
    }

    private static double[] averaged(DenseBlock rows, int shards) {
        LocalAveraging update = new LocalAveraging(
                NETWORK, new LocalAveraging.GradientSettings(shards, new ShardSolver.Settings(1, 0.2), 1000, 1));
        return reached(NETWORK, rows, update, 0.5, 1, rows.rows()).naturalParameters();
    }

    private enum Way {
        DP_OPTIMISATION,
        VIRTUAL_CLIENTS,
        LOCAL_AVERAGING
    }

    /** Points of two of four quarters of the plane: a line gets about half of them right. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void aNetworkLearnsAcrossPartiesWhatNoRegressionCan(Way way) {
        NeuralNetworkDensity network = network(2, 12);
        RandomStream random = RandomStream.ofSeed(4);
        int count = 300;
        double[] values = new double[2 * count];
        double[] labels = new double[count];
        for (int row = 0; row < count; row++) {
            values[2 * row] = 2 * random.normal();
            values[2 * row + 1] = 2 * random.normal();
            labels[row] = values[2 * row] * values[2 * row + 1] > 0 ? 1 : 0;
        }
        DenseBlock rows = DenseBlock.of(count, 2, values, labels);
        NaturalGaussian fitted = switch (way) {
            case DP_OPTIMISATION ->
                reached(
                        network,
                        rows,
                        new DpOptimisation(network, new DpOptimisation.Settings(20, new FullPass(), 1000, 0.05, 2)),
                        0.5,
                        20,
                        150,
                        100,
                        50);
            case VIRTUAL_CLIENTS ->
                reached(
                        network,
                        rows,
                        new VirtualClients(network, new VirtualClients.Settings(1000, 1), 1),
                        0.2,
                        40,
                        150,
                        100,
                        50);
            case LOCAL_AVERAGING ->
                reached(
                        network,
                        rows,
                        new LocalAveraging(
                                network,
                                new LocalAveraging.GradientSettings(10, new ShardSolver.Settings(2, 0.2), 100_000, 1)),
                        0.5,
                        40,
                        150,
                        100,
                        50);
        };
        assertThat(accuracy(network, rows, fitted)).isGreaterThan(0.8);
    }

    private static double accuracy(NeuralNetworkDensity network, DenseBlock rows, NaturalGaussian fitted) {
        double[] precision = fitted.precisionDiagonal();
        double[] means = fitted.weightedMean();
        for (int j = 0; j < means.length; j++) {
            means[j] /= precision[j];
            precision[j] = 1 / precision[j];
        }
        Predictor predictor =
                network.predictor(new DiagonalGaussianPosterior(network.parameterNames(), means, precision));
        int right = 0;
        for (int row = 0; row < rows.rows(); row++) {
            double probability = ((Prediction.Probability) predictor.predict(rows, row)).probability();
            right += probability > 0.5 == rows.label(row) > 0.5 ? 1 : 0;
        }
        return (double) right / rows.rows();
    }
}
