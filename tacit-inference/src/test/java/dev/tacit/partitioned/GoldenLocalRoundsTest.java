package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.diagnostics.ClassificationScores;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.Golden;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.LocalBound;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whole rounds of a party against an independent computation: its bound, its climb, its factor, and predictions. */
class GoldenLocalRoundsTest {
    private static final Map<?, ?> VECTORS = Golden.read("/dev/tacit/partitioned/local-rounds.json");
    private static final int D = 4;
    private static final LogisticRegression MODEL = new LogisticRegression(Runs.names(D), 10, 1);
    private static final double[] UNITS = {1, 1, 1, 1};

    private static Map<?, ?> in(String vector) {
        return Golden.object(Golden.object(VECTORS, vector), "inputs");
    }

    private static Map<?, ?> out(String vector) {
        return Golden.object(Golden.object(VECTORS, vector), "outputs");
    }

    private static double[] part(double[] numbers, int number, int size) {
        return Arrays.copyOfRange(numbers, number * size, (number + 1) * size);
    }

    private static double[] scales(Map<?, ?> in) {
        return Arrays.stream(Golden.numbers(in, "log_scale")).map(Math::exp).toArray();
    }

    private static DenseBlock rows(Map<?, ?> in) {
        double[] labels = Golden.numbers(in, "y");
        return DenseBlock.of(labels.length, D, Golden.numbers(in, "X"), labels);
    }

    private static DenseBlock row(Map<?, ?> in, int row) {
        return DenseBlock.of(1, D, part(Golden.numbers(in, "X"), row, D), new double[] {Golden.numbers(in, "y")[row]});
    }

    private static NaturalGaussian gaussian(double[] means, double[] scales) {
        double[] precision =
                Arrays.stream(scales).map(scale -> 1 / (scale * scale)).toArray();
        double[] weighted = new double[D];
        Arrays.setAll(weighted, j -> means[j] * precision[j]);
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }

    private static NaturalGaussian natural(Map<?, ?> map, String name) {
        double[] parameters = Arrays.copyOf(Golden.numbers(map, name + "_np1"), 2 * D);
        System.arraycopy(Golden.numbers(map, name + "_np2"), 0, parameters, D, D);
        return NaturalGaussian.of(GaussianFamily.MEAN_FIELD, D, parameters);
    }

    private static void assertClose(NaturalGaussian found, NaturalGaussian expected) {
        assertThat(found.naturalParameters()).containsExactly(expected.naturalParameters(), within(1e-10));
    }

    /** The bound's value: mean log-likelihood over the draws, minus the divergence to the cavity. */
    @Test
    void localBoundOfAllRecords() {
        Map<?, ?> in = in("local_elbo_full_batch_shared_noise");
        Map<?, ?> out = out("local_elbo_full_batch_shared_noise");
        double[] means = Golden.numbers(in, "loc");
        double[] scales = scales(in);
        double[] draws = Golden.numbers(in, "eps_SD");
        DenseBlock rows = rows(in);
        DifferentiableModel.Likelihood likelihood = MODEL.likelihood();
        int count = draws.length / D;
        double sum = 0;
        for (int k = 0; k < count; k++) {
            double[] point = part(draws, k, D);
            for (int j = 0; j < D; j++) {
                point[j] = means[j] + scales[j] * point[j];
            }
            for (int row = 0; row < rows.rows(); row++) {
                sum += likelihood.logDensity(rows, row, point, new double[D]) / count;
            }
        }
        assertThat(sum).isCloseTo(Golden.number(out, "expected_loglik_sum"), within(1e-10));
        double divergence = KullbackLeibler.divergence(
                posterior(means, scales), posterior(Golden.numbers(in, "cav_loc"), Golden.numbers(in, "cav_scale")));
        assertThat(sum - divergence).isCloseTo(Golden.number(out, "elbo"), within(1e-10));
        assertThat((divergence - sum) / rows.rows()).isCloseTo(Golden.number(out, "ref_loss_scaled"), within(1e-10));
    }

    private static DiagonalGaussianPosterior posterior(double[] means, double[] scales) {
        return new DiagonalGaussianPosterior(
                MODEL.parameterNames(),
                means,
                Arrays.stream(scales).map(scale -> scale * scale).toArray());
    }

    /** The published clip holds the divergence, ours does not: the clipped and noised sums are made here, the climb is ours. */
    @Test
    void climbAndDampedFactor() {
        Map<?, ?> in = in("dpsgd_local_update_and_damped_factor");
        Map<?, ?> out = out("dpsgd_local_update_and_damped_factor");
        NaturalGaussian q = gaussian(Golden.numbers(in, "q_loc"), Golden.numbers(in, "q_scale"));
        NaturalGaussian factor = natural(in, "t");
        LocalBound bound = new LocalBound(q, q.over(factor), UNITS, Golden.number(in, "lr"));
        double[] batches = Golden.numbers(in, "batches");
        int batchSize = 3;
        for (int step = 0; step < batches.length / batchSize; step++) {
            bound.climb(meanGradient(in, bound, step, batchSize), Golden.number(in, "n_local"));
        }
        assertThat(bound.means()).containsExactly(Golden.numbers(out, "loc_new"), within(1e-10));
        assertThat(Arrays.stream(bound.scales()).map(Math::log).toArray())
                .containsExactly(Golden.numbers(out, "log_scale_new"), within(1e-10));
        assertClose(bound.natural(), natural(out, "q_new"));

        NaturalGaussian change = bound.natural().over(q);
        double damping = Golden.number(in, "damping");
        assertClose(factor.times(change, damping), natural(out, "t_new"));
        JoinedLink party = Links.answering(
                "party",
                message -> new Message.FactorChange(
                        "party", message.round(), DoubleVector.of(change.naturalParameters()), 0, 0));
        NaturalGaussian server = new Coordinator(
                        q,
                        new Coordinator.Settings(1, new Schedule.Sequential(), damping, Repair.floor()),
                        Optional.empty())
                .run(List.of(party), Coordinator.Listener.NONE)
                .global();
        assertClose(server, natural(out, "server_q"));
    }

    /** What {@link LocalBound#climb} must be given so that it climbs along the published noisy gradient. */
    private static double[] meanGradient(Map<?, ?> in, LocalBound bound, int step, int batchSize) {
        double n = Golden.number(in, "n_local");
        double[] divergence = bound.divergenceGradient();
        double[] scales = bound.scales();
        double[] sum = new double[2 * D];
        double clip = Golden.number(in, "C");
        double[] draws = Golden.numbers(in, "eps");
        int perRecord = draws.length / Golden.numbers(in, "batches").length;
        for (int i = 0; i < batchSize; i++) {
            int place = step * batchSize + i;
            int record = (int) Golden.numbers(in, "batches")[place];
            double[] own = part(draws, place, perRecord);
            double[] gradient = QueriesTest.sum(
                    row(in, record), new MeanFieldGradient(MODEL, bound.means(), scales, scales, own, 1));
            double squares = 0;
            for (int c = 0; c < 2 * D; c++) {
                gradient[c] += divergence[c] / n;
                squares += gradient[c] * gradient[c];
            }
            for (int c = 0; c < 2 * D; c++) {
                sum[c] += gradient[c] / Math.max(1, Math.sqrt(squares) / clip);
            }
        }
        double noise = clip * Golden.number(in, "sigma");
        for (int j = 0; j < D; j++) {
            sum[2 * j] -= noise * Golden.numbers(in, "z_loc")[step * D + j];
            sum[2 * j + 1] -= noise * Golden.numbers(in, "z_log_scale")[step * D + j];
        }
        double[] mean = new double[2 * D];
        Arrays.setAll(mean, c -> sum[c] / batchSize - divergence[c] / n);
        return mean;
    }

    /** Probabilities are averaged before their logarithm is taken. */
    @Test
    void predictionsByDraws() {
        Map<?, ?> in = in("mc_predictive");
        Map<?, ?> out = out("mc_predictive");
        double[] draws = Golden.numbers(in, "thetas");
        DenseBlock rows = rows(in);
        double[] labels = Golden.numbers(in, "y");
        DifferentiableModel.Likelihood likelihood = MODEL.likelihood();
        double[] probabilities = new double[labels.length];
        for (int row = 0; row < labels.length; row++) {
            double mean = 0;
            for (int k = 0; k < draws.length / D; k++) {
                mean += Math.exp(likelihood.logDensity(rows, row, part(draws, k, D), new double[D]));
            }
            mean /= (double) draws.length / D;
            probabilities[row] = labels[row] == 1 ? mean : 1 - mean;
        }
        assertThat(probabilities).containsExactly(Golden.numbers(out, "prob"), within(1e-10));
        ClassificationScores scores = ClassificationScores.of(probabilities, labels);
        assertThat(scores.logLikelihood()).isCloseTo(Golden.number(out, "mean_loglik"), within(1e-10));
        assertThat(scores.accuracy()).isCloseTo(Golden.number(out, "accuracy"), within(1e-12));
    }

    /**
     * A record's gradient needs of its draws only their parts along x ⊙ s and one vector across: draws with those parts,
     * and the rest chosen to add up to the vector, give the published gradient.
     */
    @Test
    void gradientByDrawsAlongAndAcross() {
        Map<?, ?> in = in("exact_conditional_noise_gradient");
        Map<?, ?> out = out("exact_conditional_noise_gradient");
        double[] means = Golden.numbers(in, "loc");
        double[] scales = scales(in);
        double[] divergence = new LocalBound(
                        gaussian(means, scales),
                        gaussian(Golden.numbers(in, "cav_loc"), Golden.numbers(in, "cav_scale")),
                        UNITS,
                        0.01)
                .divergenceGradient();
        double n = Golden.number(in, "n_local");
        double[] labels = Golden.numbers(in, "y");
        int count = Golden.numbers(in, "c_BS").length / labels.length;
        for (int record = 0; record < labels.length; record++) {
            double[] x = part(Golden.numbers(in, "X"), record, D);
            double[] along = part(Golden.numbers(in, "c_BS"), record, count);
            double[] across = part(Golden.numbers(in, "G_BD"), record, D);
            double[] logits = part(Golden.numbers(out, "logits"), record, count);
            double[] draws = draws(x, scales, along, across, logits, labels[record]);
            for (int k = 0; k < count; k++) {
                double logit = 0;
                for (int j = 0; j < D; j++) {
                    logit += x[j] * (means[j] + scales[j] * draws[k * D + j]);
                }
                assertThat(logit).isCloseTo(logits[k], within(1e-10));
            }
            double[] gradient =
                    QueriesTest.sum(row(in, record), new MeanFieldGradient(MODEL, means, scales, scales, draws, 1));
            for (int j = 0; j < D; j++) {
                assertThat(-gradient[2 * j] - divergence[2 * j] / n)
                        .isCloseTo(Golden.numbers(out, "grad_loc")[record * D + j], within(1e-10));
                assertThat(-gradient[2 * j + 1] - divergence[2 * j + 1] / n)
                        .isCloseTo(Golden.numbers(out, "grad_log_scale")[record * D + j], within(1e-10));
            }
        }
    }

    /** along_k u + r_k (across − u uᵀacross) / ‖r‖ with u the direction of x ⊙ s: their sum weighted by r has length ‖r‖ across. */
    private static double[] draws(
            double[] x, double[] scales, double[] along, double[] across, double[] logits, double label) {
        double length = 0;
        double inner = 0;
        for (int j = 0; j < D; j++) {
            length = Math.hypot(length, x[j] * scales[j]);
            inner += x[j] * scales[j] * across[j];
        }
        double[] residuals =
                Arrays.stream(logits).map(z -> label - 1 / (1 + Math.exp(-z))).toArray();
        double norm = Math.sqrt(Arrays.stream(residuals).map(r -> r * r).sum());
        double[] draws = new double[along.length * D];
        for (int k = 0; k < along.length; k++) {
            for (int j = 0; j < D; j++) {
                double u = x[j] * scales[j] / length;
                draws[k * D + j] = along[k] * u + residuals[k] / norm * (across[j] - u * inner / length);
            }
        }
        return draws;
    }
}
