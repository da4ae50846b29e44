package dev.tacit.experiments.ep;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Likelihood;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Method;
import dev.tacit.experiments.backpropagation.ProbabilisticBackpropagation.Naturals;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.numerics.RandomStream;
import java.util.Arrays;

/**
 * The private network of DP-SEP as it was published, for comparison only: it reads records in the clear.
 *
 * <pre>
 *   as coded     prior and noise of the target: those that SEP learned on the same records, without privacy
 *                q at first: random means, variance of the target's noise; η and λ of each layer of both shortened to length 1
 *                steps of SEP, nothing clipped, noise drawn and not used
 *   connected    prior N(0, 1.2), noise variance 0.5;  q ← q − (q − prior)/N + clip(f_n, 1) + N(0, (2 σ/N)²),  precisions at least 1e-4
 * </pre>
 *
 * Vinaroz, Park 2022, Section 5.2. In the second form one record moves q by up to 2 where it is visited, so the noise multiplier is
 * σ/N in each of the epochs. Differs from the code, which clips four blocks and would so move q by up to 4.
 */
final class PublishedNetwork {
    private static final double L2_BOUND = 1;
    private static final double PUBLIC_NOISE_VARIANCE = 0.5;
    private static final double PRECISION_FLOOR = 1e-4;

    private final NetworkShape shape;
    private final int epochs;

    PublishedNetwork(NetworkShape shape, int epochs) {
        this.shape = shape;
        this.epochs = epochs;
    }

    /**
     * Without noise, as the published code runs.
     *
     * @param seed what SEP learned on the same rows
     */
    ProbabilisticBackpropagation asCoded(DenseBlock rows, ProbabilisticBackpropagation seed, RandomStream random) {
        double[] mean = plain(rows.rows(), random.fork("coded")).mean();
        double[] precision = new double[mean.length];
        Arrays.fill(precision, 1 / seed.noiseVariance());
        for (int i = 0; i < mean.length; i++) {
            mean[i] *= precision[i];
        }
        Naturals start = shortened(new Naturals(mean, precision));
        ProbabilisticBackpropagation learned = ProbabilisticBackpropagation.withFixedPrior(
                shape,
                rows.rows(),
                Double.POSITIVE_INFINITY,
                start,
                shortened(seed.prior()),
                seed.noiseShape(),
                seed.noiseRate());
        RandomStream order = random.fork("coded order");
        for (int epoch = 0; epoch < epochs; epoch++) {
            learned.epoch(rows, order);
        }
        return learned;
    }

    private ProbabilisticBackpropagation plain(int records, RandomStream random) {
        return new ProbabilisticBackpropagation(
                shape, Method.SEP, Likelihood.GAUSSIAN, records, Double.POSITIVE_INFINITY, random);
    }

    /** Both parameters of each layer, each to length 1. */
    private Naturals shortened(Naturals naturals) {
        double[] weightedMean = naturals.weightedMean().clone();
        double[] precision = naturals.precision().clone();
        for (int layer = 0; layer < shape.layers(); layer++) {
            shorten(weightedMean, shape.offset(layer), shape.offset(layer + 1));
            shorten(precision, shape.offset(layer), shape.offset(layer + 1));
        }
        return new Naturals(weightedMean, precision);
    }

    private static void shorten(double[] vector, int from, int to) {
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += vector[i] * vector[i];
        }
        double kept = Math.min(1, L2_BOUND / Math.sqrt(squares));
        for (int i = from; i < to; i++) {
            vector[i] *= kept;
        }
    }

    /** With clipped sites and the published noise, from a public prior. */
    ProbabilisticBackpropagation connected(DenseBlock rows, double noiseMultiplier, RandomStream random) {
        ProbabilisticBackpropagation first = plain(rows.rows(), random.fork("start"));
        Naturals prior = first.prior();
        double[] mean = first.mean();
        double[] weightedMean = new double[mean.length];
        for (int i = 0; i < mean.length; i++) {
            weightedMean[i] = mean[i] * prior.precision()[i];
        }
        double noiseShape = 2;
        ProbabilisticBackpropagation learned = ProbabilisticBackpropagation.withFixedPrior(
                shape,
                rows.rows(),
                L2_BOUND,
                new Naturals(weightedMean, prior.precision()),
                prior,
                noiseShape,
                PUBLIC_NOISE_VARIANCE * (noiseShape - 1));
        RandomStream order = random.fork("order");
        RandomStream noise = random.fork("noise");
        double deviation = 2 * L2_BOUND * noiseMultiplier / rows.rows();
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int row : order.permutation(rows.rows())) {
                learned.visit(rows, row);
                learned.perturb(deviation, PRECISION_FLOOR, noise);
            }
        }
        return learned;
    }
}
