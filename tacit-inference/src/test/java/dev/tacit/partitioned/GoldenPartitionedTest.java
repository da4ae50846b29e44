package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.regression.KnownNoiseRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.Golden;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.NaturalGradients;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against numbers of an independent computation in double precision. */
class GoldenPartitionedTest {
    private static final Map<?, ?> VECTORS = Golden.read("/dev/tacit/partitioned/partitioned.json");

    private static double[] input(String vector, String name) {
        return Golden.numbers(Golden.object(Golden.object(VECTORS, vector), "inputs"), name);
    }

    private static double[] output(String vector, String name) {
        return Golden.numbers(Golden.object(Golden.object(VECTORS, vector), "outputs"), name);
    }

    private static NaturalGaussian natural(double[] first, double[] second) {
        double[] parameters = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, parameters, first.length, second.length);
        return NaturalGaussian.of(GaussianFamily.MEAN_FIELD, first.length, parameters);
    }

    private static void assertClose(NaturalGaussian found, double[] first, double[] second) {
        assertThat(found.naturalParameters())
                .containsExactly(natural(first, second).naturalParameters(), within(1e-12));
    }

    @Test
    void cavity() {
        NaturalGaussian cavity = natural(input("cavity", "q_np1"), input("cavity", "q_np2"))
                .over(natural(input("cavity", "t_np1"), input("cavity", "t_np2")));
        assertClose(cavity, output("cavity", "cav_np1"), output("cavity", "cav_np2"));
    }

    @Test
    void gradientOfTheDivergenceToTheCavity() {
        double[] loc = input("kl_q_cavity", "loc");
        double[] logScale = input("kl_q_cavity", "log_scale");
        double[] cavityLoc = input("kl_q_cavity", "cav_loc");
        double[] cavityScale = input("kl_q_cavity", "cav_scale");
        LocalBound bound = new LocalBound(
                moments(loc, Arrays.stream(logScale).map(Math::exp).toArray()),
                moments(cavityLoc, cavityScale),
                new double[] {1, 1, 1, 1},
                0.01);
        double[] gradient = bound.divergenceGradient();
        for (int j = 0; j < loc.length; j++) {
            assertThat(gradient[2 * j]).isCloseTo(-output("kl_q_cavity", "grad_loc")[j], within(1e-10));
            assertThat(gradient[2 * j + 1]).isCloseTo(-output("kl_q_cavity", "grad_log_scale")[j], within(1e-10));
        }
    }

    /** One record by draws of θ, as networks are climbed: what is released, and the divergence that is added to it. */
    @Test
    void gradientOfTheLocalBoundOfOneRecord() {
        String vector = "per_example_elbo_loss_grad";
        double[] loc = input(vector, "loc");
        double[] scale =
                Arrays.stream(input(vector, "log_scale")).map(Math::exp).toArray();
        double[] labels = input(vector, "y");
        int d = loc.length;
        double[] draws = input(vector, "eps_BSD");
        int perRecord = draws.length / labels.length;
        double[] divergence = new LocalBound(
                        moments(loc, scale),
                        moments(input(vector, "cav_loc"), input(vector, "cav_scale")),
                        new double[] {1, 1, 1, 1},
                        0.01)
                .divergenceGradient();
        LogisticRegression model = new LogisticRegression(Runs.names(d), 10, 1);
        for (int record = 0; record < labels.length; record++) {
            double[] row = Arrays.copyOfRange(input(vector, "X_with_bias_last"), record * d, (record + 1) * d);
            double[] own = Arrays.copyOfRange(draws, record * perRecord, (record + 1) * perRecord);
            double[] gradient = QueriesTest.sum(
                    DenseBlock.of(1, d, row, new double[] {labels[record]}),
                    new MeanFieldGradient(model, loc, scale, scale, own, 1));
            for (int j = 0; j < d; j++) {
                assertThat(-gradient[2 * j] - divergence[2 * j] / 50)
                        .isCloseTo(output(vector, "grad_loc")[record * d + j], within(1e-10));
                assertThat(-gradient[2 * j + 1] - divergence[2 * j + 1] / 50)
                        .isCloseTo(output(vector, "grad_log_scale")[record * d + j], within(1e-10));
            }
        }
    }

    private static NaturalGaussian moments(double[] loc, double[] scale) {
        double[] weighted = new double[loc.length];
        double[] precision = new double[loc.length];
        for (int j = 0; j < loc.length; j++) {
            precision[j] = 1 / (scale[j] * scale[j]);
            weighted[j] = loc[j] * precision[j];
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }

    @Test
    void adam() {
        double[] x = input("adam_3_steps", "x0");
        double[] gradients = input("adam_3_steps", "grads");
        double[] trace = output("adam_3_steps", "trace");
        double[] state = new double[2 * x.length];
        GradientStep.Adam step = new GradientStep.Adam(0.01);
        for (int t = 0; t < 3; t++) {
            for (int j = 0; j < x.length; j++) {
                x[j] -= step.step(gradients[t * x.length + j], state, j, t + 1);
                assertThat(x[j]).isCloseTo(trace[t * x.length + j], within(1e-12));
            }
        }
    }

    private static List<JoinedLink> prepared(double[] first, double[] second, int parties, double[] subtracted) {
        int d = first.length / parties;
        List<JoinedLink> links = new ArrayList<>();
        for (int party = 0; party < parties; party++) {
            double[] change = new double[2 * d];
            for (int j = 0; j < d; j++) {
                change[j] = first[party * d + j];
                change[d + j] = second[party * d + j] - subtracted[party];
            }
            links.add(Links.answering(
                    "party " + party,
                    message -> new Message.FactorChange("a party", message.round(), DoubleVector.of(change), 0, 0)));
        }
        return links;
    }

    private static NaturalGaussian once(NaturalGaussian start, List<JoinedLink> links) {
        return new Coordinator(start, Coordinator.Settings.once(), Optional.empty())
                .run(links, Coordinator.Listener.NONE)
                .global();
    }

    @Test
    void synchronousSum() {
        String vector = "synchronous_server_sum";
        NaturalGaussian found = once(
                natural(input(vector, "q_np1"), input(vector, "q_np2")),
                prepared(input(vector, "delta_np1"), input(vector, "delta_np2"), 3, new double[3]));
        assertClose(found, output(vector, "np1"), output(vector, "np2"));
    }

    @Test
    void committees() {
        NaturalGaussian prior = natural(new double[4], new double[] {-0.5, -0.5, -0.5, -0.5});
        NaturalGaussian same = once(
                prior,
                prepared(input("bcm_same", "q_np1"), input("bcm_same", "q_np2"), 3, new double[] {-0.5, -0.5, -0.5}));
        assertClose(same, output("bcm_same", "np1"), output("bcm_same", "np2"));
        NaturalGaussian split =
                once(prior, prepared(input("bcm_split", "q_np1"), input("bcm_split", "q_np2"), 3, new double[] {
                    -0.05, -0.15, -0.3
                }));
        assertClose(split, output("bcm_split", "np1"), output("bcm_split", "np2"));
    }

    /** Where the published code turns the mean around, the precision is raised and the weighted mean stays. */
    @Test
    void improperDirectionsAreRaisedAndCounted() {
        String vector = "reference_abs_precision_roundtrip";
        NaturalGaussian improper = natural(input(vector, "np1"), input(vector, "np2"));
        NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 4, 0.5);
        assertThat(improper.improperDirections(prior)).isEqualTo(2);
        NaturalGaussian read = Repair.floor().read(improper, prior, 0, 0);
        assertThat(read.weightedMean()).containsExactly(input(vector, "np1"), within(0.0));
        assertThat(read.precisionDiagonal()).containsExactly(new double[] {0.6, 0.5, 0.5, 2.2}, within(1e-15));
        assertThat(output(vector, "np1_after")[1]).isCloseTo(1.2, within(1e-12));
    }

    private static List<FactorParty> means(
            LocalSteps update, NaturalGaussian prior, double damping, int rounds, int... sizes) {
        double[] x = input("conjugate_damped_pvi_rounds", "x");
        double[] ones = new double[x.length];
        Arrays.fill(ones, 1);
        return Parties.notPrivate(
                Parties.split(DenseBlock.of(x.length, 1, ones, x), sizes), update, prior, damping, rounds);
    }

    private static final KnownNoiseRegression MEAN = new KnownNoiseRegression(List.of("mean"), 1, 0.25, 2, 10);

    @Test
    void dampedRounds() {
        double[] expected = output("conjugate_damped_pvi_rounds", "q_by_round");
        for (Schedule schedule : List.of(new Schedule.Sequential(), new Schedule.Synchronous())) {
            NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 1, 0.25);
            LocalSteps update =
                    new NaturalGradients(MEAN, new NaturalGradients.Settings(GaussianFamily.MEAN_FIELD, 1, 1, 50, 1));
            List<double[]> found = new ArrayList<>();
            new Coordinator(
                            prior,
                            new Coordinator.Settings(expected.length / 2, schedule, 0.5, Repair.floor()),
                            Optional.empty())
                    .run(
                            means(update, prior, 0.5, expected.length / 2, 4, 4, 4),
                            (note, read, traffic) -> found.add(read.naturalParameters()));
            for (int round = 0; round < found.size(); round++) {
                assertThat(found.get(round))
                        .containsExactly(Arrays.copyOfRange(expected, 2 * round, 2 * round + 2), within(1e-8));
            }
        }
    }

    /** Also for shards of unequal size, where the published code's tempering gives 10.32 instead of 14.4. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void averagesOfShardsAreExact(int shards) {
        NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 1, 0.25);
        LocalSteps update = new LocalAveraging(
                MEAN,
                new LocalAveraging.Settings(GaussianFamily.MEAN_FIELD, shards, new ShardSolver.Settings(1, 1), 50));
        double[] found = new Coordinator(prior, Coordinator.Settings.once(), Optional.empty())
                .run(means(update, prior, 1, 1, 12), Coordinator.Listener.NONE)
                .read()
                .naturalParameters();
        assertThat(found)
                .containsExactly(output("conjugate_local_averaging_partition_invariance", "exact"), within(1e-8));
    }

    @Test
    void virtualClientsAreExactAfterOneRound() {
        NaturalGaussian prior = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 1, 0.25);
        LocalSteps update = new VirtualClients(MEAN, new VirtualClients.Settings(50, 1));
        for (int rounds = 1; rounds <= 2; rounds++) {
            double[] found = new Coordinator(
                            prior,
                            new Coordinator.Settings(rounds, new Schedule.Synchronous(), 1, Repair.floor()),
                            Optional.empty())
                    .run(means(update, prior, 1, rounds, 12), Coordinator.Listener.NONE)
                    .read()
                    .naturalParameters();
            assertThat(found).containsExactly(new double[] {14.4, -12.125}, within(1e-8));
        }
    }

    /** A shard moves by two bounds under both relations, a record by one if it comes or goes. */
    @Test
    void noiseOfShardsAndRecords() throws CalibrationException {
        LogisticRegression model = new LogisticRegression(List.of("a"), 1, 1);
        LocalSteps shards = new LocalAveraging(
                model, new LocalAveraging.Settings(GaussianFamily.MEAN_FIELD, 9, new ShardSolver.Settings(1, 1), 1));
        LocalSteps records = new VirtualClients(model, new VirtualClients.Settings(1, 1));
        Map<?, ?> expected = Golden.object(
                Golden.object(Golden.object(VECTORS, "gaussian_mechanism_sigma_substitution"), "outputs"), "eps1.0");
        for (int rounds : new int[] {1, 5, 15}) {
            double sigma = Golden.number(expected, "S" + rounds);
            assertThat(calibrated(shards, rounds, Neighbours.REPLACE_ONE)).isCloseTo(sigma, within(1e-6 * sigma));
            assertThat(calibrated(shards, rounds, Neighbours.ADD_REMOVE)).isCloseTo(sigma, within(1e-6 * sigma));
            assertThat(calibrated(records, rounds, Neighbours.REPLACE_ONE)).isCloseTo(sigma, within(1e-6 * sigma));
            assertThat(calibrated(records, rounds, Neighbours.ADD_REMOVE)).isCloseTo(sigma / 2, within(1e-6 * sigma));
        }
    }

    private static double calibrated(LocalSteps update, int rounds, Neighbours neighbours) throws CalibrationException {
        return NoiseCalibration.noiseMultiplier(
                noise -> update.event(rounds, new DiscreteGaussianMechanism(noise), neighbours),
                new PrivacyBudget(1, 1e-5),
                new ExactAccountant(),
                neighbours);
    }

    @Test
    void noiseShares() {
        double total = 16.683891868907946;
        Map<?, ?> expected = Golden.object(Golden.object(VECTORS, "noise_share"), "outputs");
        assertShare(new NoiseSharing(10, 0, 0), total, Golden.number(expected, "honest"));
        assertShare(new NoiseSharing(10, 3, 0), total, Golden.number(expected, "T3_colluders"));
        assertShare(new NoiseSharing(10, 3, 2), total, Golden.number(expected, "T3_and_2_dropouts"));
    }

    private static void assertShare(NoiseSharing sharing, double total, double share) {
        assertThat(sharing.share(total).noiseStandardDeviation(1)).isCloseTo(share, within(1.1e-6 * share));
    }
}
