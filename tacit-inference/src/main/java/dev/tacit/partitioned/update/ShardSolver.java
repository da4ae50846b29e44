package dev.tacit.partitioned.update;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.regression.LinearMargin;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.shard.ShardSum;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a shard contributes: the change of natural parameters that its records alone ask for, by natural gradients.
 *
 * <pre>
 *   q ← q + step (cavity · Π_{n of the shard} site_n(q)^temper − q),   steps times;     contribution: q − start
 * </pre>
 *
 * Weighted means and precisions, in units of the prior's standard deviation. One step of size 1 is exact for linear regression.
 */
public final class ShardSolver implements ShardSum {
    private static final long serialVersionUID = 1;

    /**
     * Public settings.
     *
     * @param steps how often the shard is gone through
     * @param step share of the way to the new sites, up to 1
     */
    public record Settings(int steps, double step) implements Serializable {
        public Settings {
            if (steps < 1) {
                throw new IllegalArgumentException("steps is a number from 1");
            }
            if (!(step > 0 && step <= 1)) {
                throw new IllegalArgumentException("step is a number above 0 and up to 1");
            }
        }
    }

    private final GaussianMarginModel model;
    private final NaturalGaussian start;
    private final NaturalGaussian cavity;
    private final NaturalGaussian prior;
    private final double unit;
    private final double temper;
    private final Settings settings;

    /** @param temper how many times the shard's likelihood counts */
    public ShardSolver(
            GaussianMarginModel model,
            NaturalGaussian start,
            NaturalGaussian cavity,
            NaturalGaussian prior,
            double unit,
            double temper,
            Settings settings) {
        this.model = model;
        this.start = start;
        this.cavity = cavity;
        this.prior = prior;
        this.unit = unit;
        this.temper = temper;
        this.settings = settings;
    }

    /** Shards of a party that take natural gradients, in units of the prior's standard deviation. */
    public static ShardProblem problem(GaussianMarginModel model, Settings settings) {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(settings, "settings");
        double unit = 1 / Math.sqrt(model.priorPrecision());
        return new ShardProblem() {
            @Override
            public int dimension() {
                return model.dimension();
            }

            @Override
            public double unit() {
                return unit;
            }

            @Override
            public ShardSum query(
                    NaturalGaussian global,
                    NaturalGaussian cavity,
                    NaturalGaussian prior,
                    int shards,
                    RandomStream random) {
                return new ShardSolver(model, global, cavity, prior, unit, shards, settings);
            }

            @Override
            public NaturalGaussian factor(NaturalGaussian like, double[] sum) {
                return inOwnUnits(like, sum, unit);
            }
        };
    }

    @Override
    public int dimension() {
        return start.family().size(start.dimension());
    }

    @Override
    public Worker worker() {
        return (shard, contribution) -> {
            NaturalGaussian q = start;
            for (int k = 0; k < settings.steps; k++) {
                Posterior at = q.withPrecisionOf(prior)
                        .normalise(model.parameterNames())
                        .orElseThrow("a raised approximation is proper");
                q = q.power(1 - settings.step).times(cavity.times(sites(shard, at), temper), settings.step);
            }
            double[] change = q.over(start).naturalParameters();
            int d = start.dimension();
            for (int i = 0; i < change.length; i++) {
                contribution[i] = change[i] * (i < d ? unit : -2 * unit * unit);
            }
        };
    }

    private NaturalGaussian sites(RecordBlock shard, Posterior at) {
        int d = start.dimension();
        boolean independent = start.family() == GaussianFamily.MEAN_FIELD;
        LinearMargin margin = LinearMargin.of(at, d);
        double[] means = at.mean();
        double[] first = new double[d];
        double[] diagonal = new double[d];
        double[] full = new double[independent ? 0 : d * d];
        double[] rowValues = new double[d];
        for (int row = 0; row < shard.rows(); row++) {
            double a = margin.mean(shard, row);
            double v = margin.variance(shard, row);
            double residual = model.averageResidual(shard.label(row), a, v);
            double curvature = model.averageCurvature(shard.label(row), a, v);
            Arrays.fill(rowValues, 0);
            Rows.addTo(shard, row, 1, rowValues, 0);
            for (int j = 0; j < d; j++) {
                double x = rowValues[j];
                if (x == 0) {
                    continue;
                }
                if (independent) {
                    first[j] += residual * x + curvature * x * x * means[j];
                    diagonal[j] += curvature * x * x;
                } else {
                    first[j] += (residual + curvature * a) * x;
                    for (int i = 0; i < d; i++) {
                        full[j * d + i] += curvature * x * rowValues[i];
                    }
                }
            }
        }
        if (independent) {
            return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, first, diagonal);
        }
        double[] parameters = new double[start.family().size(d)];
        System.arraycopy(first, 0, parameters, 0, d);
        SymmetricMatrix.symmetrise(d, full);
        SymmetricMatrix.toVector(d, full, parameters, d);
        for (int i = d; i < parameters.length; i++) {
            parameters[i] *= -0.5;
        }
        return NaturalGaussian.of(GaussianFamily.FULL_COVARIANCE, d, parameters);
    }

    private static NaturalGaussian inOwnUnits(NaturalGaussian like, double[] sum, double unit) {
        double[] parameters = sum.clone();
        int d = like.dimension();
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] /= i < d ? unit : -2 * unit * unit;
        }
        return NaturalGaussian.of(like.family(), d, parameters);
    }
}
