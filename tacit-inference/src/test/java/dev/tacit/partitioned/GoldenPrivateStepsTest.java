package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Golden;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Single steps of private parties against an independent computation: gradients, clipped sums, and what they cost. */
class GoldenPrivateStepsTest {
    private static final Map<?, ?> VECTORS = Golden.read("/dev/tacit/partitioned/private-steps.json");
    private static final int D = 4;

    private static Map<?, ?> in(String vector) {
        return Golden.object(Golden.object(VECTORS, vector), "inputs");
    }

    private static Map<?, ?> out(String vector) {
        return Golden.object(Golden.object(VECTORS, vector), "outputs");
    }

    private static double[] part(double[] numbers, int from, int count) {
        return Arrays.copyOfRange(numbers, from, from + count);
    }

    private static double[] sum(DenseBlock rows, ContributionSum query) {
        PrivateDataset data = LocalSummation.dataset(RecordsInMemory.of(rows, true), Parties.RECORD, rows.rows(), 1);
        return data.openNotPrivate(
                        RunRequest.of("sum", ReleasePlan.of("sum", 1, query.dimension(), new FullPass())),
                        ReplayNoise.ofSeed(1))
                .release(query, 1)
                .value();
    }

    /** One record's loss is KL / n minus its mean log-likelihood over its own draws. */
    @Test
    void gradientsOfOneRecord() {
        Map<?, ?> in = in("per_example_elbo_loss_grad");
        Map<?, ?> out = out("per_example_elbo_loss_grad");
        double[] loc = Golden.numbers(in, "loc");
        double[] scale =
                Arrays.stream(Golden.numbers(in, "log_scale")).map(Math::exp).toArray();
        double[] labels = Golden.numbers(in, "y");
        double[] draws = Golden.numbers(in, "eps_BSD");
        int perRecord = draws.length / labels.length;
        LogisticRegression model = new LogisticRegression(List.of("a", "b", "c", "bias"), 5, 1);
        double[] divergence = new LocalBound(
                        gaussian(loc, scale),
                        gaussian(Golden.numbers(in, "cav_loc"), Golden.numbers(in, "cav_scale")),
                        new double[] {1, 1, 1, 1},
                        0.01)
                .divergenceGradient();
        for (int row = 0; row < labels.length; row++) {
            double[] found = sum(
                    DenseBlock.of(
                            1, D, part(Golden.numbers(in, "X_with_bias_last"), row * D, D), new double[] {labels[row]}),
                    new MeanFieldGradient(model, loc, scale, scale, part(draws, row * perRecord, perRecord), 1));
            for (int j = 0; j < D; j++) {
                double n = Golden.number(in, "n_local");
                assertThat(-found[2 * j] - divergence[2 * j] / n)
                        .isCloseTo(Golden.numbers(out, "grad_loc")[row * D + j], within(1e-8));
                assertThat(-found[2 * j + 1] - divergence[2 * j + 1] / n)
                        .isCloseTo(Golden.numbers(out, "grad_log_scale")[row * D + j], within(1e-8));
            }
        }
    }

    private static NaturalGaussian gaussian(double[] loc, double[] scale) {
        double[] weighted = new double[D];
        double[] precision = new double[D];
        for (int j = 0; j < D; j++) {
            precision[j] = 1 / (scale[j] * scale[j]);
            weighted[j] = loc[j] * precision[j];
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }

    /** Changes of shards are clipped jointly, summed, and get one draw of noise; averaging divides by their number. */
    @ParameterizedTest
    @ValueSource(strings = {"local_averaging_clip_noise_average", "virtual_clients_clip_noise_sum"})
    void clippedSumsOfChanges(String vector) throws BudgetExhausted {
        Map<?, ?> in = in(vector);
        double[] first = Golden.numbers(in, "shard_delta_np1");
        double[] second = Golden.numbers(in, "shard_delta_np2");
        int shards = first.length / D;
        double[] rows = new double[2 * first.length];
        for (int shard = 0; shard < shards; shard++) {
            System.arraycopy(first, shard * D, rows, 2 * shard * D, D);
            System.arraycopy(second, shard * D, rows, (2 * shard + 1) * D, D);
        }
        double clip = Golden.number(in, "C");
        // The same noise with and without the records: what is clipped shows, and the prepared noise is added by hand.
        double[] clipped = released(DenseBlock.of(shards, 2 * D, rows, new double[shards]), clip);
        double[] noiseOnly = released(DenseBlock.of(0, 2 * D, new double[0], new double[0]), clip);
        for (int i = 0; i < clipped.length; i++) {
            clipped[i] -= noiseOnly[i];
        }
        double noise = clip * Golden.number(in, "sigma");
        boolean averaged = vector.startsWith("local");
        for (int j = 0; j < D; j++) {
            double weight = averaged ? 1.0 / shards : Golden.number(in, "damping");
            assertThat(weight * (clipped[j] + noise * Golden.numbers(in, "z_np1")[j]))
                    .isCloseTo(Golden.numbers(out(vector), "client_delta_np1")[j], within(1e-5));
            assertThat(weight * (clipped[D + j] + noise * Golden.numbers(in, "z_np2")[j]))
                    .isCloseTo(Golden.numbers(out(vector), "client_delta_np2")[j], within(1e-5));
        }
    }

    private static double[] released(DenseBlock rows, double clip) throws BudgetExhausted {
        return released(
                        rows,
                        4,
                        ContributionSum.of(2 * D, (block, row, contribution) -> contribution.addRow(0, 1)),
                        clip)
                .value();
    }

    private static NoisySum released(DenseBlock rows, long publicSize, ContributionSum query, double clip)
            throws BudgetExhausted {
        PrivateDataset data = LocalSummation.dataset(RecordsInMemory.of(rows, true), Parties.RECORD, publicSize, 1);
        ReleasePlan plan = ReleasePlan.of("changes", 1, 2 * D, new FullPass());
        return data.open(
                        RunRequest.of("changes", plan),
                        new DiscreteGaussianMechanism(1),
                        Runs.ledger(data, plan, 1),
                        ReplayNoise.ofSeed(1))
                .release(query, clip);
    }

    /** A record's gradient with its share of the divergence, so that the door clips both together. */
    private static ContributionSum withDivergence(
            List<ContributionSum> ofRecords, double[] divergence, double records) {
        return ContributionSum.of(2 * D, (block, row, contribution) -> {
            ContributionSum.Worker worker = ofRecords.get(row).worker();
            worker.prepare(block);
            worker.contribute(block, row, contribution);
            for (int i = 0; i < divergence.length; i++) {
                contribution.add(i, divergence[i] / records);
            }
        });
    }

    /**
     * The published step: gradients of single records, their share of the divergence in them, are clipped at C, summed, noised by
     * C sigma z and divided by the nominal size of the batch, of which one record is missing. No golden gradient reaches C, so a
     * quarter of it is compared with the formula. The door's grid rounds by less than 1e-6.
     */
    @ParameterizedTest
    @ValueSource(doubles = {1, 0.25})
    void clippedNoisyAverageOfGradients(double shareOfTheBound) throws BudgetExhausted {
        Map<?, ?> model = in("per_example_elbo_loss_grad");
        Map<?, ?> in = in("clip_sum_noise_avg");
        Map<?, ?> out = out("clip_sum_noise_avg");
        double[] loc = Golden.numbers(model, "loc");
        double[] scale =
                Arrays.stream(Golden.numbers(model, "log_scale")).map(Math::exp).toArray();
        double[] labels = Golden.numbers(model, "y");
        double[] draws = Golden.numbers(model, "eps_BSD");
        int perRecord = draws.length / labels.length;
        LogisticRegression regression = new LogisticRegression(List.of("a", "b", "c", "bias"), 5, 1);
        List<ContributionSum> gradients = new ArrayList<>();
        for (int row = 0; row < labels.length; row++) {
            gradients.add(
                    new MeanFieldGradient(regression, loc, scale, scale, part(draws, row * perRecord, perRecord), 1));
        }
        double[] divergence = new LocalBound(
                        gaussian(loc, scale),
                        gaussian(Golden.numbers(model, "cav_loc"), Golden.numbers(model, "cav_scale")),
                        new double[] {1, 1, 1, 1},
                        0.01)
                .divergenceGradient();
        ContributionSum query = withDivergence(gradients, divergence, Golden.number(model, "n_local"));
        double clip = shareOfTheBound * Golden.number(in, "C");
        long nominal = (long) Golden.number(in, "nominal_batch_size");
        DenseBlock rows = DenseBlock.of(labels.length, D, Golden.numbers(model, "X_with_bias_last"), labels);
        // The same noise with and without the records: what is clipped shows, and the prepared noise is added by hand.
        double[] noisy = released(rows, nominal, query, clip).scaledTo(1).value();
        double[] noiseOnly = released(DenseBlock.of(0, D, new double[0], new double[0]), nominal, query, clip)
                .scaledTo(1)
                .value();
        double[] means = new double[D];
        double[] scales = new double[D];
        double noise = clip * Golden.number(in, "sigma") / nominal;
        for (int j = 0; j < D; j++) {
            // The door adds up ascents, the published code descents.
            means[j] = noiseOnly[2 * j] - noisy[2 * j] + noise * Golden.numbers(in, "z_loc")[j];
            scales[j] = noiseOnly[2 * j + 1] - noisy[2 * j + 1] + noise * Golden.numbers(in, "z_log_scale")[j];
        }
        double[] weights = clipWeights(in, clip);
        if (shareOfTheBound == 1) {
            assertThat(weights).isEqualTo(Golden.numbers(out, "clip_weights"));
            assertThat(means).containsExactly(Golden.numbers(out, "noisy_grad_loc"), within(1e-6));
            assertThat(scales).containsExactly(Golden.numbers(out, "noisy_grad_log_scale"), within(1e-6));
        }
        assertThat(Arrays.stream(weights).min().orElseThrow() < 0.5).isEqualTo(shareOfTheBound < 1);
        assertThat(means).containsExactly(average(in, "loc", weights, noise), within(1e-6));
        assertThat(scales).containsExactly(average(in, "log_scale", weights, noise), within(1e-6));
    }

    /** min(1, C / norm) of each golden gradient, (mean, log scale) together. */
    private static double[] clipWeights(Map<?, ?> in, double clip) {
        double[] loc = Golden.numbers(in, "grad_loc");
        double[] scale = Golden.numbers(in, "grad_log_scale");
        double[] weights = new double[loc.length / D];
        for (int row = 0; row < weights.length; row++) {
            double squares = 0;
            for (int i = row * D; i < (row + 1) * D; i++) {
                squares += loc[i] * loc[i] + scale[i] * scale[i];
            }
            weights[row] = Math.min(1, clip / Math.sqrt(squares));
        }
        return weights;
    }

    private static double[] average(Map<?, ?> in, String name, double[] weights, double noise) {
        double[] gradients = Golden.numbers(in, "grad_" + name);
        double[] average = new double[D];
        for (int j = 0; j < D; j++) {
            average[j] = noise * Golden.numbers(in, "z_" + name)[j];
            for (int row = 0; row < weights.length; row++) {
                average[j] += weights[row] * gradients[row * D + j] / Golden.number(in, "nominal_batch_size");
            }
        }
        return average;
    }

    /** One sampled release: the larger of the two directions under add/remove, and the pairs of replaced records. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 0.1, 0.2, 0.5, 1.0})
    void deltaOfOneSampledRelease(double epsilon) {
        Map<?, ?> expected = Golden.object(out("hockey_stick_subsampled_pairs"), "eps" + epsilon);
        PrivacyEvent release = PrivacyEvent.gaussian(2.416);
        assertDelta(release.poissonSampled(0.1), epsilon, Neighbours.ADD_REMOVE, expected, "poisson_remove_1_0");
        assertDelta(release.poissonSampled(0.1), epsilon, Neighbours.REPLACE_ONE, expected, "fourier_sub_pair_1_-1");
        assertDelta(
                release.fixedSizeSampled(10, 100), epsilon, Neighbours.REPLACE_ONE, expected, "realisable_wor_sub_2_0");
    }

    private static void assertDelta(
            PrivacyEvent event, double epsilon, Neighbours neighbours, Map<?, ?> expected, String pair) {
        double delta = Golden.number(expected, pair);
        assertThat(new ExactAccountant().delta(event, epsilon, neighbours).upper())
                .isCloseTo(delta, within(1e-9 * delta + 1e-13));
    }

    /** Epsilons of whole runs, from a grid that rounds losses up: bands of 0.005, and 0.01 where that grid was coarse. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void epsilonOfSampledRuns(int row) {
        double[] rows = Golden.numbers(out("accountant_composition_eps_approx"), "rows");
        double[] numbers = part(rows, 9 * row, 9);
        PrivacyEvent release = PrivacyEvent.gaussian(numbers[1]);
        long times = (long) numbers[2];
        double band = row == 2 || row == 3 ? 0.01 : 0.005;
        PrivacyEvent poisson = release.poissonSampled(numbers[0]).times(times);
        ExactAccountant accountant = new ExactAccountant();
        assertThat(accountant.epsilon(poisson, 1e-5, Neighbours.ADD_REMOVE).upper())
                .isCloseTo(Math.max(numbers[7], numbers[8]), within(band));
        assertThat(accountant.epsilon(poisson, 1e-5, Neighbours.REPLACE_ONE).upper())
                .isCloseTo(numbers[3], within(band));
        long population = 1000;
        assertThat(accountant
                        .epsilon(
                                release.fixedSizeSampled(Math.round(numbers[0] * population), population)
                                        .times(times),
                                1e-5,
                                Neighbours.REPLACE_ONE)
                        .upper())
                .isCloseTo(numbers[6], within(band));
    }
}
