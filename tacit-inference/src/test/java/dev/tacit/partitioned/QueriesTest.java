package dev.tacit.partitioned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Runs;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.regression.KnownNoiseRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.update.SiteStatistics;
import dev.tacit.partitioned.update.VirtualSites;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What one record contributes: the same whatever stands beside it and however it is stored, and the gradient it claims to be. */
class QueriesTest {
    private static final int COLUMNS = 4;
    private static final double[] MEANS = {0.3, -0.7, 1.1, 0.2};
    private static final double[] VARIANCES = {0.4, 0.1, 0.9, 0.2};
    private static final LogisticRegression LOGISTIC = new LogisticRegression(Runs.names(COLUMNS), 1, 0.5);

    private static NaturalGaussian q(double[] means, double[] variances) {
        double[] precision = new double[COLUMNS];
        double[] weighted = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            precision[j] = 1 / variances[j];
            weighted[j] = means[j] / variances[j];
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }

    static Stream<ContributionSum> queries() {
        DiagonalGaussianPosterior posterior =
                new DiagonalGaussianPosterior(LOGISTIC.parameterNames(), MEANS, VARIANCES);
        List<VirtualSites.Seen> seen = List.of(
                VirtualSites.Seen.of(NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, COLUMNS, 0.5), 1.4),
                VirtualSites.Seen.of(q(MEANS, VARIANCES), 1.4));
        return Stream.of(
                MarginExpectationGradient.of(LOGISTIC, MEANS, VARIANCES, 1.4, VARIANCES),
                new SiteStatistics(LOGISTIC, GaussianFamily.MEAN_FIELD, posterior, 2),
                new SiteStatistics(LOGISTIC, GaussianFamily.FULL_COVARIANCE, posterior, 2),
                new VirtualSites(LOGISTIC, seen, 1.4, 0.3, 0.5, 2),
                NetworkPartiesTest.twoRounds());
    }

    private static DenseBlock rows() {
        DenseBlock block = Runs.logistic(9, MEANS, RandomStream.ofSeed(3));
        double[] values = block.values().clone();
        for (int i = 0; i < values.length; i += 3) {
            values[i] = 0;
        }
        double[] labels = IntStream.range(0, 9).mapToDouble(block::label).toArray();
        return DenseBlock.of(9, COLUMNS, values, labels);
    }

    private static SparseBlock sparse(DenseBlock dense) {
        int[] starts = new int[dense.rows() + 1];
        int[] columns = IntStream.range(0, dense.rows() * COLUMNS)
                .filter(i -> dense.values()[i] != 0)
                .map(i -> i % COLUMNS)
                .toArray();
        double[] values = IntStream.range(0, dense.rows() * COLUMNS)
                .mapToDouble(i -> dense.values()[i])
                .filter(value -> value != 0)
                .toArray();
        double[] labels =
                IntStream.range(0, dense.rows()).mapToDouble(dense::label).toArray();
        for (int row = 0; row < dense.rows(); row++) {
            starts[row + 1] = starts[row];
            for (int j = 0; j < COLUMNS; j++) {
                starts[row + 1] += dense.values()[row * COLUMNS + j] != 0 ? 1 : 0;
            }
        }
        return SparseBlock.of(dense.rows(), COLUMNS, starts, columns, values, labels);
    }

    static double[] sum(RecordBlock block, ContributionSum query) {
        PrivateDataset data = LocalSummation.dataset(RecordsInMemory.of(block, true), Parties.RECORD, 9, 1);
        return data.openNotPrivate(
                        RunRequest.of("test", ReleasePlan.of("sum", 1, query.dimension(), new FullPass())),
                        ReplayNoise.ofSeed(1))
                .release(query, 1)
                .value();
    }

    @ParameterizedTest
    @MethodSource("queries")
    void aRecordContributesTheSameAloneAndAmongOthers(ContributionSum query) {
        DenseBlock rows = rows();
        double[] whole = sum(rows, query);
        double[] parts = new double[whole.length];
        for (int row = 0; row < rows.rows(); row++) {
            double[] one = sum(rows.part(row, row + 1), query);
            for (int i = 0; i < parts.length; i++) {
                parts[i] += one[i];
            }
        }
        assertThat(parts).isEqualTo(whole);
        assertThat(sum(sparse(rows), query)).containsExactly(whole, within(1e-10));
    }

    /** For linear regression the bound is known in closed form. */
    @Test
    void gradientsAreThoseOfTheBound() {
        KnownNoiseRegression model = new KnownNoiseRegression(Runs.names(COLUMNS), 1, 1, 2, 10);
        DenseBlock rows = rows();
        double[] gradient = sum(rows, MarginExpectationGradient.of(model, MEANS, VARIANCES, 1.4, VARIANCES));
        double step = 1e-5;
        for (int j = 0; j < COLUMNS; j++) {
            double[] up = MEANS.clone();
            double[] down = MEANS.clone();
            up[j] += step;
            down[j] -= step;
            double slope = (bound(model, rows, up, VARIANCES) - bound(model, rows, down, VARIANCES)) / (2 * step);
            assertThat(gradient[2 * j]).isCloseTo(1.4 * slope, within(1e-6));
            double[] wide = VARIANCES.clone();
            double[] narrow = VARIANCES.clone();
            wide[j] *= Math.exp(2 * step);
            narrow[j] *= Math.exp(-2 * step);
            double scaleSlope = (bound(model, rows, MEANS, wide) - bound(model, rows, MEANS, narrow)) / (2 * step);
            assertThat(gradient[2 * j + 1]).isCloseTo(scaleSlope, within(1e-6));
        }
    }

    private static double bound(KnownNoiseRegression model, DenseBlock rows, double[] means, double[] variances) {
        double sum = 0;
        for (int row = 0; row < rows.rows(); row++) {
            double variance = 0;
            for (int j = 0; j < COLUMNS; j++) {
                double x = rows.values()[row * COLUMNS + j];
                variance += x * x * variances[j];
            }
            sum += model.logLikelihood(rows.label(row), Rows.dot(rows, row, means, 0))
                    - 0.5 * model.noisePrecision() * variance;
        }
        return sum;
    }

    /** The averages of logistic regression are those of its margin, up to six standard errors of the draws. */
    @Test
    void averagesOverTheMargin() {
        RandomStream random = RandomStream.ofSeed(12);
        GaussianMarginModel model = LOGISTIC;
        int draws = 200_000;
        double residual = 0;
        double curvature = 0;
        for (int i = 0; i < draws; i++) {
            double z = 0.8 + Math.sqrt(0.5) * random.normal();
            residual += model.residual(1, z) / draws;
            double p = 1 - model.residual(1, z);
            curvature += p * (1 - p) / draws;
        }
        assertThat(model.averageResidual(1, 0.8, 0.5)).isCloseTo(residual, within(2e-3));
        assertThat(model.averageCurvature(1, 0.8, 0.5)).isCloseTo(curvature, within(1e-3));
    }
}
