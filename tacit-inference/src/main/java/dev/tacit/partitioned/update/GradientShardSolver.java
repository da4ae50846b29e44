package dev.tacit.partitioned.update;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.shard.ShardSum;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a shard contributes for a model that is known by its gradient: the change of natural parameters that its records alone
 * ask for, by natural gradients with squares for the curvature.
 *
 * <pre>
 *   steps times   g_n = ∇ log p(x_n | θ),   θ = μ + s ⊙ z_k
 *                 h ← h + step (cavity h + temper Σ_n (g_n + g_n² μ) − h),     λ ← λ + step (cavity λ + temper Σ_n g_n² − λ)
 *   contribution  h − start h   and   precisionWeight (λ − start λ)
 * </pre>
 *
 * Khan et al. 2018, the method VOGN. The draws z are public and the same for all shards. Independent Gaussians. The code of
 * Heikkilä et al. 2023 climbs by Adam, which moves weights that no record of a shard touches as far as all others.
 */
final class GradientShardSolver implements ShardSum {
    private static final long serialVersionUID = 1;

    private final DifferentiableModel model;
    private final NaturalGaussian start;
    private final NaturalGaussian cavity;
    private final double temper;
    private final LocalAveraging.GradientSettings settings;

    /** Step after step. */
    private final double[] draws;

    private GradientShardSolver(
            DifferentiableModel model,
            NaturalGaussian start,
            NaturalGaussian cavity,
            double temper,
            LocalAveraging.GradientSettings settings,
            double[] draws) {
        this.model = model;
        this.start = start;
        this.cavity = cavity;
        this.temper = temper;
        this.settings = settings;
        this.draws = draws;
    }

    /** Shards of a party. */
    static ShardProblem problem(DifferentiableModel model, LocalAveraging.GradientSettings settings) {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(settings, "settings");
        return new ShardProblem() {
            @Override
            public int dimension() {
                return model.dimension();
            }

            @Override
            public double unit() {
                return 1;
            }

            @Override
            public ShardSum query(
                    NaturalGaussian global,
                    NaturalGaussian cavity,
                    NaturalGaussian prior,
                    int shards,
                    RandomStream random) {
                double[] draws = new double[settings.solver().steps() * model.dimension()];
                random.fillNormal(draws);
                return new GradientShardSolver(model, global, cavity, shards, settings, draws);
            }

            @Override
            public NaturalGaussian factor(NaturalGaussian like, double[] sum) {
                double[] parameters = sum.clone();
                for (int i = like.dimension(); i < parameters.length; i++) {
                    parameters[i] /= -2 * settings.precisionWeight();
                }
                return NaturalGaussian.of(like.family(), like.dimension(), parameters);
            }
        };
    }

    @Override
    public int dimension() {
        return 2 * start.dimension();
    }

    @Override
    public Worker worker() {
        return new ShardWorker();
    }

    private final class ShardWorker implements Worker {
        private final DifferentiableModel.Likelihood likelihood = model.likelihood();
        private final int d = start.dimension();
        private final double[] startMean = start.weightedMean();
        private final double[] startPrecision = start.precisionDiagonal();
        private final double[] cavityMean = cavity.weightedMean();
        private final double[] cavityPrecision = cavity.precisionDiagonal();
        private final double[] weightedMean = new double[d];
        private final double[] precision = new double[d];
        private final double[] point = new double[d];
        private final double[] gradient = new double[d];
        private final double[] sums = new double[d];
        private final double[] squares = new double[d];

        @Override
        public void contribute(RecordBlock shard, double[] contribution) {
            System.arraycopy(startMean, 0, weightedMean, 0, d);
            System.arraycopy(startPrecision, 0, precision, 0, d);
            for (int k = 0; k < settings.solver().steps(); k++) {
                addUp(shard, k);
                double step = settings.solver().step();
                for (int j = 0; j < d; j++) {
                    double mean = weightedMean[j] / precision[j];
                    double site = cavityMean[j] + temper * (sums[j] + squares[j] * mean);
                    weightedMean[j] += step * (site - weightedMean[j]);
                    precision[j] += step * (cavityPrecision[j] + temper * squares[j] - precision[j]);
                }
            }
            for (int j = 0; j < d; j++) {
                contribution[j] = weightedMean[j] - startMean[j];
                contribution[d + j] = settings.precisionWeight() * (precision[j] - startPrecision[j]);
            }
        }

        /** Σ g_n and Σ g_n² at the point of a step. */
        private void addUp(RecordBlock shard, int step) {
            for (int j = 0; j < d; j++) {
                point[j] = weightedMean[j] / precision[j] + draws[step * d + j] / Math.sqrt(precision[j]);
            }
            Arrays.fill(sums, 0);
            Arrays.fill(squares, 0);
            for (int row = 0; row < shard.rows(); row++) {
                Arrays.fill(gradient, 0);
                likelihood.logDensity(shard, row, point, gradient);
                for (int j = 0; j < d; j++) {
                    sums[j] += gradient[j];
                    squares[j] += gradient[j] * gradient[j];
                }
            }
        }
    }
}
