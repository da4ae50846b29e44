package dev.tacit.testkit.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.inference.vi.PointGradient;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

/**
 * What gradient-based inference relies on in a {@link DifferentiableModel}.
 *
 * <pre>
 *   names        as many as parameters, all different; a finite start of which each caller has a copy
 *   gradients    of prior and likelihood are those of their values, by differences in five points; the likelihood's is added
 *   kernels      sums over dense and sparse rows by the model's own kernels are those of its gradients, record by record
 *   norms        one record, clipped by the door at half its length, is its gradient, shortened to that length
 *   records      of extreme content throw nothing and leave a finite sum; no record changes what another adds
 * </pre>
 *
 * Rows must lie where the density is smooth: differences across a kink are not a gradient.
 */
public final class DifferentiableModelConformance {
    private static final double STEP = 1e-4;
    private static final double[] POISONS = {
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, -1e200, 1e-200, 0
    };
    private static final int DRAWS = 7;

    /** A session without noise clips, too, but at so many bounds. */
    private static final double BOUNDS = 1024;

    private final DifferentiableModel model;
    private final double[][] rows;
    private final double[] labels;
    private final double[][] points;

    private DifferentiableModelConformance(DifferentiableModel model, double[][] rows, double[] labels) {
        this.model = model;
        this.rows = rows;
        this.labels = labels;
        RandomStream random = RandomStream.ofSeed(20261115);
        this.points = new double[5][];
        for (int i = 0; i < points.length; i++) {
            points[i] = model.start();
            for (int j = 0; j < points[i].length; j++) {
                points[i][j] += 0.4 * random.normal();
            }
        }
    }

    /**
     * Fails, and says why, if the model breaks one of the rules.
     *
     * @param rows example rows, at least two, some of their numbers 0
     * @param labels one label a row, NaN where there is none
     */
    public static void require(DifferentiableModel model, double[][] rows, double[] labels) {
        DifferentiableModelConformance suite = new DifferentiableModelConformance(model, rows, labels);
        suite.requireNamesAndStart();
        suite.requirePriorGradient();
        suite.requireLikelihoodGradients();
        suite.requireKernelsAgree();
        suite.requireNorms();
        suite.requireHarmlessRecords();
    }

    private void requireNamesAndStart() {
        List<String> names = model.parameterNames();
        assertThat(names).as("parameter names").hasSize(model.dimension());
        assertThat(new HashSet<>(names)).as("different names").hasSize(names.size());
        double[] start = model.start();
        assertThat(start).as("start").hasSize(model.dimension());
        for (double number : start) {
            assertThat(number).as("a number of the start").isFinite();
        }
        double[] before = start.clone();
        Arrays.fill(start, 17);
        assertThat(model.start())
                .as("a start that a caller wrote to does not change the next")
                .containsExactly(before);
        assertThat(model.reportedNames())
                .as("names of the parameters that people read")
                .hasSize(model.space().map(space -> space.dimension()).orElse(model.dimension()));
    }

    private interface Density {
        double value(double[] point);
    }

    /** Differences of fourth order. */
    private static void requireGradient(String what, Density density, double[] point, double[] gradient) {
        double scale = 1;
        for (double number : gradient) {
            scale = Math.max(scale, Math.abs(number));
        }
        for (int j = 0; j < point.length; j++) {
            double[] moved = point.clone();
            double[] values = new double[4];
            double[] steps = {-2, -1, 1, 2};
            for (int i = 0; i < 4; i++) {
                moved[j] = point[j] + steps[i] * STEP;
                values[i] = density.value(moved);
            }
            double difference = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * STEP);
            assertThat(gradient[j])
                    .as("%s: gradient of parameter %d (%s)", what, j, "by differences")
                    .isCloseTo(difference, within(1e-6 * scale));
        }
    }

    private void requirePriorGradient() {
        for (double[] point : points) {
            double[] gradient = new double[point.length];
            Arrays.fill(gradient, 3); // is overwritten
            model.logPrior(point, gradient);
            requireGradient("prior", moved -> model.logPrior(moved, new double[moved.length]), point, gradient);
        }
    }

    private void requireLikelihoodGradients() {
        RecordBlock block = dense();
        DifferentiableModel.Likelihood likelihood = model.likelihood();
        for (double[] point : points) {
            for (int row = 0; row < rows.length; row++) {
                int at = row;
                double[] gradient = new double[point.length];
                likelihood.logDensity(block, row, point, gradient);
                requireGradient(
                        "record " + row,
                        moved -> likelihood.logDensity(block, at, moved, new double[moved.length]),
                        point,
                        gradient);
                double[] twice = gradient.clone();
                likelihood.logDensity(block, row, point, twice);
                for (int j = 0; j < twice.length; j++) {
                    assertThat(twice[j])
                            .as("record %d: the gradient is added to what is there", row)
                            .isCloseTo(2 * gradient[j], within(1e-12 * Math.max(1, Math.abs(gradient[j]))));
                }
            }
        }
    }

    /** The same model without its kernels. */
    private DifferentiableModel plain() {
        return new DifferentiableModel() {
            @Override
            public List<String> parameterNames() {
                return model.parameterNames();
            }

            @Override
            public int dimension() {
                return model.dimension();
            }

            @Override
            public double logPrior(double[] parameters, double[] gradient) {
                return model.logPrior(parameters, gradient);
            }

            @Override
            public double[] start() {
                return model.start();
            }

            @Override
            public Likelihood likelihood() {
                return model.likelihood();
            }
        };
    }

    private double[] scales() {
        double[] scales = new double[model.dimension()];
        for (int j = 0; j < scales.length; j++) {
            scales[j] = 0.1 + 0.05 * (j % 3);
        }
        return scales;
    }

    private ContributionSum meanField(DifferentiableModel of, double[] point) {
        int d = model.dimension();
        double[] slopes = new double[d];
        Arrays.fill(slopes, 0.7);
        double[] draws = new double[DRAWS * d];
        RandomStream.ofSeed(3).fillNormal(draws);
        return MeanFieldGradient.of(of, point, scales(), slopes, draws, 1.3);
    }

    private void requireKernelsAgree() {
        for (double[] point : points) {
            requireSameSums("mean-field gradients", meanField(model, point), meanField(plain(), point));
            requireSameSums("gradients at a point", new PointGradient(model, point), new PointGradient(plain(), point));
        }
    }

    private void requireSameSums(String what, ContributionSum kernel, ContributionSum reference) {
        for (int row = 0; row < rows.length; row++) {
            RecordBlock one = dense().part(row, row + 1);
            double[] expected = materialised(reference, one);
            double bound = Math.max(1e-6, 2 * norm(expected));
            double[] fromDense = sum(kernel, one, bound);
            double[] fromSparse = sum(kernel, sparse().part(row, row + 1), bound);
            for (int i = 0; i < expected.length; i++) {
                assertThat(fromDense[i])
                        .as("%s: record %d, dense, number %d", what, row, i)
                        .isCloseTo(expected[i], within(1e-6 * bound));
                assertThat(fromSparse[i])
                        .as("%s: record %d, sparse, number %d", what, row, i)
                        .isCloseTo(expected[i], within(1e-6 * bound));
            }
        }
    }

    /** All kernels that a model has. */
    private List<ContributionSum> kernels(double[] point) {
        return model instanceof GaussianMarginModel margin
                ? List.of(
                        meanField(model, point),
                        new PointGradient(model, point),
                        MarginExpectationGradient.ofLinks(margin, point, scales(), scales(), 1.3))
                : List.of(meanField(model, point), new PointGradient(model, point));
    }

    private void requireNorms() {
        for (double[] point : points) {
            for (ContributionSum query : kernels(point)) {
                requireNorms(query);
            }
        }
    }

    private void requireNorms(ContributionSum query) {
        for (int row = 0; row < rows.length; row++) {
            for (RecordBlock block : List.of(dense(), sparse())) {
                RecordBlock one = block.part(row, row + 1);
                double[] whole = materialised(query, one);
                double bound = norm(whole) / 2;
                if (!(bound > 1e-9)) {
                    continue;
                }
                double[] clipped = sum(query, one, bound / BOUNDS);
                assertThat(norm(clipped))
                        .as("length of record %d after the clip", row)
                        .isCloseTo(bound, within(1e-5 * bound));
                for (int i = 0; i < whole.length; i++) {
                    assertThat(clipped[i])
                            .as("record %d, number %d after the clip", row, i)
                            .isCloseTo(whole[i] / 2, within(1e-5 * bound));
                }
            }
        }
    }

    private void requireHarmlessRecords() {
        for (ContributionSum query : kernels(points[0])) {
            RecordSumConformance.requireRowsStandAlone(query, rows, labels);
            for (double poison : POISONS) {
                for (double label : POISONS) {
                    double[] bad = new double[rows[0].length];
                    Arrays.fill(bad, poison);
                    double[] total = sum(query, DenseBlock.of(1, bad.length, bad, new double[] {label}), 1 / BOUNDS);
                    for (double number : total) {
                        assertThat(number)
                                .as("what a row of %s with label %s adds", poison, label)
                                .isFinite();
                    }
                    assertThat(norm(total)).as("its length").isLessThanOrEqualTo(1 + 1e-6);
                }
            }
        }
    }

    private DenseBlock dense() {
        int columns = rows[0].length;
        double[] values = new double[rows.length * columns];
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(rows[row], 0, values, row * columns, columns);
        }
        return DenseBlock.of(rows.length, columns, values, labels);
    }

    private SparseBlock sparse() {
        int columns = rows[0].length;
        int[] starts = new int[rows.length + 1];
        int[] indices = new int[rows.length * columns];
        double[] values = new double[rows.length * columns];
        int next = 0;
        for (int row = 0; row < rows.length; row++) {
            for (int j = 0; j < columns; j++) {
                if (rows[row][j] != 0) {
                    indices[next] = j;
                    values[next++] = rows[row][j];
                }
            }
            starts[row + 1] = next;
        }
        return SparseBlock.of(rows.length, columns, starts, indices, values, labels);
    }

    private static double norm(double[] vector) {
        double squares = 0;
        for (double number : vector) {
            squares += number * number;
        }
        return Math.sqrt(squares);
    }

    /** With a bound that is far above the length, found in two steps because the grid follows the bound. */
    private static double[] materialised(ContributionSum query, RecordBlock block) {
        double[] rough = sum(query, block, 1e9);
        return sum(query, block, Math.max(1e-9, 4 * norm(rough)));
    }

    private static double[] sum(ContributionSum query, RecordBlock block, double l2Bound) {
        ReleasePlan plan = ReleasePlan.of("sum", 1, query.dimension(), new SamplingScheme.FullPass());
        RecordsInMemory records = new RecordsInMemory(block.columns(), true, List.of(block), null);
        return LocalSummation.dataset(records, PrivacyUnit.record(Neighbours.ADD_REMOVE), block.rows(), 1)
                .openNotPrivate(RunRequest.of("conformance", plan), ReplayNoise.ofSeed(1))
                .release(query, l2Bound)
                .value();
    }
}
