package dev.tacit.model.network;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.PrivateStart;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.NoisySpectrum;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Centre and spread of every column, and how they go together, from one or two full passes that are paid for.
 *
 * <pre>
 *   u ∈ [−1, 1]: an encoded input, or the target by its declared bounds;     z: inputs by their centres and spreads
 *   release 0   Σ_n clip((u_j, u_j² − 0.3)_j / √(0.45 · columns), 1) + noise
 *               centre_j = mean of u_j,   spread_j² = mean of u_j² − centre_j²,  at least 0.1² and at least the noise in a mean
 *   release 1   Σ_n clip(svec(z zᵀ) / (1.5 · inputs), 1) + noise      only if inputs are whitened
 *               mean of z zᵀ = U diag(e) Uᵀ, noise taken out of e:    W = U diag(√(c / (e + 0.3))) Uᵀ,  tr W diag(e) W = tr diag(e)
 * </pre>
 *
 * The square is centred at 0.3, about that of a uniform column, to be short; a column has 0.45 of squared norm on average,
 * and z has length √inputs, so few records are clipped, in L2 and jointly; here as well as by the door, so that a run without noise is the
 * same algorithm. W leaves uncorrelated inputs as they are. Directions that noise hides are treated alike, by {@link NoisySpectrum}. The 0.3
 * keeps small directions small: in many tables they are errors of measurement. The start of {@link NeuralNetwork}.
 */
final class ColumnMoments implements PrivateStart, Serializable {
    private static final long serialVersionUID = 1;

    private static final double SQUARE_CENTRE = 0.3;
    private static final double SQUARED_NORM = 0.45;
    private static final double LEAST_SPREAD = 0.1;
    private static final double PRODUCT_NORM = 1.5;
    private static final double LEAST_VARIANCE = 0.3;

    private final NetworkInputs inputs;
    private final double budgetShare;

    ColumnMoments(NetworkInputs inputs, double budgetShare) {
        this.inputs = inputs;
        this.budgetShare = budgetShare;
    }

    private int columns() {
        return inputs.size() + (inputs.numericTarget() ? 1 : 0);
    }

    @Override
    public String label() {
        return inputs.whitened()
                ? "centre and spread of columns, then their correlations"
                : "centre and spread of columns";
    }

    @Override
    public int releases() {
        return inputs.whitened() ? 2 : 1;
    }

    /** That of the longer release; numbers that the shorter one does not use are noise alone. */
    @Override
    public int dimension() {
        int moments = 2 * columns();
        return inputs.whitened() ? Math.max(moments, SymmetricMatrix.vectorSize(inputs.size())) : moments;
    }

    @Override
    public double l2Bound() {
        return 1;
    }

    private double momentBound() {
        return Math.sqrt(SQUARED_NORM * columns());
    }

    private double productBound() {
        return PRODUCT_NORM * inputs.size();
    }

    @Override
    public double budgetShare() {
        return budgetShare;
    }

    @Override
    public double[] begin(RandomStream random) {
        return inputs.publicScales();
    }

    @Override
    public ContributionSum query(double[] constants, int release) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return ColumnMoments.this.dimension();
            }

            @Override
            public Worker worker() {
                return release == 0 ? new MomentWorker() : new ProductWorker(constants);
            }
        };
    }

    /** Adds numbers divided by a bound, shortened to length 1. */
    private static void addClipped(double[] numbers, double bound, Contribution contribution) {
        double squares = 0;
        for (double number : numbers) {
            squares += number * number;
        }
        double factor = 1 / Math.max(bound, Math.sqrt(squares));
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] *= factor;
        }
        contribution.addAll(0, numbers, 0, numbers.length);
    }

    private final class MomentWorker implements ContributionSum.Worker {
        private final double[] encoded = new double[inputs.size()];
        private final double[] moments = new double[2 * columns()];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            inputs.encoded(block, row, encoded);
            for (int j = 0; j < columns(); j++) {
                double u = j < encoded.length ? encoded[j] : inputs.boundedTarget(block.label(row));
                moments[2 * j] = u;
                moments[2 * j + 1] = u * u - SQUARE_CENTRE;
            }
            addClipped(moments, momentBound(), contribution);
        }
    }

    private final class ProductWorker implements ContributionSum.Worker {
        private final double[] scales;
        private final double[] standardised = new double[inputs.size()];
        private final double[] products = new double[inputs.size() * inputs.size()];
        private final double[] vector = new double[SymmetricMatrix.vectorSize(inputs.size())];

        ProductWorker(double[] scales) {
            this.scales = scales;
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            int n = standardised.length;
            inputs.standardised(block, row, scales, standardised);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    products[i * n + j] = standardised[i] * standardised[j];
                }
            }
            SymmetricMatrix.toVector(n, products, vector, 0);
            addClipped(vector, productBound(), contribution);
        }
    }

    @Override
    public double[] constants(double[] before, int release, NoisySum released) {
        return release == 0 ? scaled(before, released) : whitened(before, released);
    }

    private double[] scaled(double[] before, NoisySum released) {
        double[] scales = before.clone();
        double unit = momentBound() / released.expectedBatchSize();
        double noise = unit * released.noiseStandardDeviation();
        for (int j = 0; j < columns(); j++) {
            double centre = Math.max(-1, Math.min(1, unit * released.value()[2 * j]));
            double square = unit * released.value()[2 * j + 1] + SQUARE_CENTRE;
            double variance = Math.max(square - centre * centre, Math.max(LEAST_SPREAD * LEAST_SPREAD, noise));
            scales[2 * j] = centre;
            scales[2 * j + 1] = Math.min(1, Math.sqrt(variance));
        }
        return scales;
    }

    private double[] whitened(double[] before, NoisySum released) {
        int n = inputs.size();
        double unit = productBound() / released.expectedBatchSize();
        double[] products = Arrays.copyOf(released.value(), SymmetricMatrix.vectorSize(n));
        for (int i = 0; i < products.length; i++) {
            products[i] *= unit;
        }
        SymmetricEigen eigen = LinearAlgebra.java().eigen(n, SymmetricMatrix.fromVector(n, products, 0));
        double edge = unit * released.noiseStandardDeviation() * Math.sqrt(2.0 * n);
        double[] stretch = stretch(NoisySpectrum.cleaned(eigen.values(), edge));
        double[] scales = before.clone();
        System.arraycopy(eigen.weighted(stretch), 0, scales, inputs.whiteningPlace(), n * n);
        return scales;
    }

    /** The inputs' mean squared length is the same afterwards. */
    private static double[] stretch(double[] variances) {
        double before = 0;
        double after = Double.MIN_NORMAL;
        for (double variance : variances) {
            before += variance;
            after += variance / (variance + LEAST_VARIANCE);
        }
        double[] stretch = new double[variances.length];
        for (int i = 0; i < stretch.length; i++) {
            stretch[i] = Math.sqrt(before / after / (variances[i] + LEAST_VARIANCE));
        }
        return stretch;
    }
}
