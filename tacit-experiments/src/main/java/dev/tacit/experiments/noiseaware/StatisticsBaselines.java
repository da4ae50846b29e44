package dev.tacit.experiments.noiseaware;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.inference.noiseaware.NoiseLaw;
import dev.tacit.inference.noiseaware.NoisyStatisticsGibbs;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.NoisyBetaBernoulli;
import dev.tacit.model.conjugate.NoisyDirichletCategorical;
import dev.tacit.model.conjugate.NoisyGammaExponential;
import dev.tacit.model.regression.NoisyLinearRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.SamplesPosterior;
import dev.tacit.query.Rows;
import java.util.Arrays;
import java.util.List;

/**
 * Noisy sufficient statistics as Bernstein and Sheldon 2018 and 2019 released them, and as they can be released.
 *
 * <p>As published, on simulated records only: pure epsilon by Laplace noise; one noise number for all counts; bounds that are
 * quantiles of the model which made the records, with noise for their distance; ranges of the data; fourth moments without
 * noise and not divided by N. Repaired: {@link NoisyStatisticsGibbs} behind the door.
 */
final class StatisticsBaselines {
    /** ‖x‖² + y² of a record that the prior of the regression foretells is below this in all but 1 % of cases. */
    private static final double REGRESSION_BOUND = 30;

    private static final NoisyStatisticsGibbs.Settings REGRESSION_CHAIN =
            new NoisyStatisticsGibbs.Settings(2_000, 5_000);

    private static final double TAIL = 0.025;

    private StatisticsBaselines() {}

    /** The chain's length as published. */
    static NoisyStatisticsGibbs.Settings chain(CoverageTask task) {
        return task instanceof CoverageTask.Regression ? REGRESSION_CHAIN : NoisyStatisticsGibbs.Settings.standard();
    }

    /** The model with public bounds. */
    static NoisyStatisticsModel repaired(CoverageTask task, boolean fourthMoments) {
        int n = CoverageTask.RECORDS;
        if (task instanceof CoverageTask.Coin) {
            return new NoisyBetaBernoulli(10, 10, n);
        }
        if (task instanceof CoverageTask.Die) {
            return new NoisyDirichletCategorical(List.of("a", "b", "c"), 5, n);
        }
        if (task instanceof CoverageTask.Waiting) {
            return NoisyGammaExponential.of(8, 2, TAIL, n);
        }
        List<String> columns = List.of("x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "intercept");
        return new NoisyLinearRegression(columns, 0.25, 20, 0.5, REGRESSION_BOUND, 1, fourthMoments, n);
    }

    /** Draws in the coordinates of the score models. */
    static SamplesPosterior inScoreCoordinates(CoverageTask task, SamplesPosterior posterior) {
        double[] draws = posterior.draws();
        int d = posterior.dimension();
        if (task instanceof CoverageTask.Die) {
            DirichletCategoricalScore score =
                    new DirichletCategoricalScore(posterior.parameterNames(), 5, CoverageTask.RECORDS);
            double[] contrasts = new double[posterior.count() * (d - 1)];
            for (int i = 0; i < posterior.count(); i++) {
                System.arraycopy(
                        score.contrasts(Arrays.copyOfRange(draws, i * d, (i + 1) * d)),
                        0,
                        contrasts,
                        i * (d - 1),
                        d - 1);
            }
            return new SamplesPosterior(score.parameterNames(), contrasts);
        }
        for (int i = d - 1; i < draws.length; i += d) {
            draws[i] = task instanceof CoverageTask.Coin ? SpecialFunctions.logit(draws[i]) : Math.log(draws[i]);
        }
        return new SamplesPosterior(posterior.parameterNames(), draws);
    }

    /** The posterior as published, from simulated records and the truth behind them. */
    static SamplesPosterior published(
            CoverageTask task, CoverageTask.Table table, double epsilon, RandomStream random) {
        if (task instanceof CoverageTask.Regression) {
            return publishedRegression(table, epsilon, random);
        }
        NoisyStatisticsModel model = repaired(task, false);
        RecordBlock block = table.records();
        double[] statistics = new double[task instanceof CoverageTask.Die ? 2 : 1];
        double sensitivity = 1;
        if (task instanceof CoverageTask.Waiting) {
            double rate = Math.exp(table.truth()[0]);
            double low = -Math.log1p(-TAIL) / rate;
            double high = -Math.log(TAIL) / rate;
            model = new NoisyGammaExponential(8, 2, low, high, CoverageTask.RECORDS);
            sensitivity = high - low;
            for (int row = 0; row < block.rows(); row++) {
                double time = block.label(row);
                statistics[0] += time > low && time < high ? time : 0;
            }
        } else {
            for (int row = 0; row < block.rows(); row++) {
                int label = (int) block.label(row);
                if (task instanceof CoverageTask.Coin) {
                    statistics[0] += label;
                } else if (label < 2) {
                    statistics[label]++;
                }
            }
        }
        double scale = sensitivity / epsilon;
        double one = laplace(scale, random);
        double[] scales = new double[statistics.length];
        for (int i = 0; i < statistics.length; i++) {
            statistics[i] += one;
            scales[i] = scale;
        }
        return NoisyStatisticsGibbs.sample(
                model.parameterNames(),
                statistics,
                model.chain(List.of(statistics), random),
                new NoiseLaw.Laplace(scales),
                chain(task),
                random);
    }

    private static SamplesPosterior publishedRegression(CoverageTask.Table table, double epsilon, RandomStream random) {
        NoisyLinearRegression model = (NoisyLinearRegression) repaired(new CoverageTask.Regression(), true);
        RecordBlock block = table.records();
        int d = block.columns();
        int pairs = SymmetricMatrix.vectorSize(d);
        double[] second = new double[d * d];
        double[] fourth = new double[pairs * pairs];
        double[] statistics = new double[pairs + d + 1];
        double[] row = new double[d];
        double[] products = new double[pairs];
        double[] low = new double[d + 1];
        double[] high = new double[d + 1];
        for (int n = 0; n < block.rows(); n++) {
            Arrays.fill(row, 0);
            Rows.addTo(block, n, 1, row, 0);
            for (int i = 0; i <= d; i++) {
                double value = i < d ? row[i] : block.label(n);
                low[i] = Math.min(low[i], value);
                high[i] = Math.max(high[i], value);
            }
            for (int i = 0; i < d; i++) {
                for (int j = 0; j <= i; j++) {
                    products[SymmetricMatrix.vectorIndex(i, j)] = row[i] * row[j];
                }
                statistics[pairs + i] += row[i] * block.label(n);
            }
            statistics[pairs + d] += block.label(n) * block.label(n);
            for (int p = 0; p < pairs; p++) {
                statistics[p] += products[p];
                for (int q = 0; q < pairs; q++) {
                    fourth[p * pairs + q] += products[p] * products[q];
                }
            }
        }
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                second[i * d + j] = statistics[SymmetricMatrix.vectorIndex(i, j)];
            }
        }
        double ranges = 0;
        for (int i = 0; i < d; i++) {
            ranges += high[i] - low[i];
        }
        double target = high[d] - low[d];
        double sensitivity = pairs * ranges * ranges + d * ranges + d * ranges * target + target * target;
        double scale = 2 * sensitivity / epsilon;
        double[] units = model.statisticScales();
        double[] scales = new double[units.length];
        for (int i = 0; i < units.length; i++) {
            statistics[i] = units[i] * (statistics[i] + laplace(scale, random));
            scales[i] = units[i] * scale;
        }
        return NoisyStatisticsGibbs.sample(
                model.parameterNames(),
                statistics,
                model.chain(statistics, second, fourth, random),
                new NoiseLaw.Laplace(scales),
                REGRESSION_CHAIN,
                random);
    }

    private static double laplace(double scale, RandomStream random) {
        return scale * random.exponential() * (random.uniform() < 0.5 ? -1 : 1);
    }
}
