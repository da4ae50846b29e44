package dev.tacit.model;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.GaussianPosterior;
import dev.tacit.posterior.Posterior;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Generalised linear models for expectation propagation: a record touches the weights through its margin alone, so the integral over
 * all weights is one over a single number.
 *
 * <pre>
 *   u = xᵀθ ~ N(xᵀm, xᵀVx),     log Z = log E p(y | u),     g = a x,   H = b x xᵀ,     a = ∂ log Z/∂E u,   b = −∂² log Z/∂(E u)²
 *   fixed precision   L = curvature · max(Σ x xᵀ + noise, 0) + RIDGE · edge I          edge: largest eigenvalue of the noise
 * </pre>
 *
 * Σ x xᵀ is bought with {@code startShare} of the budget, in one full pass; its clip at R² loses nothing. Without a private start L is
 * what rows of norm R and no direction would have, N R²/D · curvature I. Where noise hides how much records say about a direction, the
 * ridge makes L too large and the reported variance too small.
 *
 * <p>Constants: what a model has of its own, then svec L.
 */
abstract class MarginSites implements TiltedMomentModel {
    private static final double RIDGE = 0.35;

    /**
     * What all of these models need to know.
     *
     * @param parameterNames one for each column
     * @param rowNormBound R, the public bound on the L2 norm of a record
     * @param priorPrecision of each weight
     * @param publicSize declared number of units
     * @param startShare share of the budget for Σ x xᵀ; 0 for none
     */
    record Design(
            List<String> parameterNames,
            double rowNormBound,
            double priorPrecision,
            long publicSize,
            double startShare) {
        Design {
            parameterNames = List.copyOf(parameterNames);
            GaussianPrior.require(parameterNames, rowNormBound, priorPrecision);
            ConjugatePair.requireSize(publicSize);
            if (!(startShare >= 0 && startShare < 1)) {
                throw new IllegalArgumentException("startShare is a number from 0, below 1");
            }
        }
    }

    /** log Z of a record and its derivatives along the margin. */
    static final class Tilt {
        double logPartition;
        double slope;
        double curvature;
    }

    final Design design;

    MarginSites(Design design) {
        this.design = design;
    }

    /** b on average over records, for the length of steps. */
    abstract double typicalCurvature(double[] own);

    /** Numbers of the model itself, before L. */
    abstract double[] ownConstants();

    /** Fills in log Z, a and b. */
    abstract void tilt(double[] own, double label, double mean, double variance, Tilt tilt);

    final int columns() {
        return design.parameterNames.size();
    }

    @Override
    public final GaussianBlocks shape() {
        return new GaussianBlocks(1, columns());
    }

    @Override
    public final double[] priorMean() {
        return new double[columns()];
    }

    @Override
    public final double[] priorPrecision() {
        return SymmetricMatrix.scaledIdentity(columns(), design.priorPrecision);
    }

    @Override
    public final double[] startMean(double[] constants, RandomStream random) {
        return new double[columns()];
    }

    @Override
    public final double[] constants() {
        double[] matrix = SymmetricMatrix.scaledIdentity(
                columns(), design.publicSize * design.rowNormBound * design.rowNormBound / columns());
        return joined(ownConstants(), SymmetricMatrix.toVector(columns(), matrix));
    }

    private static double[] joined(double[] own, double[] squares) {
        double[] constants = Arrays.copyOf(own, own.length + squares.length);
        System.arraycopy(squares, 0, constants, own.length, squares.length);
        return constants;
    }

    @Override
    public final double[] fixedPrecision(double[] constants) {
        double[] matrix = SymmetricMatrix.fromVector(columns(), constants, ownConstants().length);
        double curvature = typicalCurvature(constants);
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] *= curvature;
        }
        return matrix;
    }

    @Override
    public Optional<PrivateStart> privateStart() {
        return design.startShare > 0 ? Optional.of(new SquaresStart()) : Optional.empty();
    }

    @Override
    public Posterior posterior(double[] mean, double[] covariance, double[] constants) {
        return new GaussianPosterior(design.parameterNames, mean, covariance);
    }

    /** One release of Σ x xᵀ. */
    private final class SquaresStart implements PrivateStart {
        @Override
        public String label() {
            return "second-order statistics";
        }

        @Override
        public int releases() {
            return 1;
        }

        @Override
        public int dimension() {
            return Contribution.squareSize(columns());
        }

        @Override
        public double l2Bound() {
            return design.rowNormBound * design.rowNormBound;
        }

        @Override
        public double budgetShare() {
            return design.startShare;
        }

        @Override
        public double[] begin(RandomStream random) {
            return MarginSites.this.constants();
        }

        @Override
        public RecordSum query(double[] constants, int release) {
            return RecordSum.of(dimension(), (block, row, contribution) -> contribution.addSquare(0, 1));
        }

        @Override
        public double[] constants(double[] before, int release, NoisySum released) {
            int n = columns();
            SymmetricEigen eigen = LinearAlgebra.java().eigen(n, SymmetricMatrix.fromVector(n, released.value(), 0));
            double edge = released.noiseStandardDeviation() * Math.sqrt(2.0 * n);
            double[] values = eigen.values();
            for (int i = 0; i < n; i++) {
                values[i] = Math.max(0, values[i]) + RIDGE * edge;
            }
            SymmetricMatrix.raiseNegligible(values);
            return joined(ownConstants(), SymmetricMatrix.toVector(n, eigen.weighted(values)));
        }
    }

    @Override
    public final TiltedMoments tiltedMoments(double[] constants) {
        return new Margins(constants);
    }

    private final class Margins implements TiltedMoments {
        private final double[] own;
        private final double[] row = new double[columns()];
        private final Tilt tilt = new Tilt();
        private double[] mean = {};
        private double[] covariance = {};

        Margins(double[] constants) {
            this.own = constants;
        }

        @Override
        public void cavity(double[] cavityMean, double[] cavityCovariance) {
            mean = cavityMean;
            covariance = cavityCovariance;
        }

        private void tilt(RecordBlock block, int index) {
            Arrays.fill(row, 0);
            block.addTo(index, 1, row, 0);
            double margin = 0;
            for (int i = 0; i < row.length; i++) {
                margin += row[i] * mean[i];
            }
            double variance = Math.max(0, SymmetricMatrix.quadraticForm(row.length, covariance, row));
            MarginSites.this.tilt(own, block.label(index), margin, variance, tilt);
        }

        @Override
        public double gradient(RecordBlock block, int index, double[] gradient) {
            tilt(block, index);
            for (int i = 0; i < row.length; i++) {
                gradient[i] = tilt.slope * row[i];
            }
            return tilt.logPartition;
        }

        @Override
        public double derivatives(RecordBlock block, int index, double[] gradient, double[] curvature) {
            gradient(block, index, gradient);
            for (int i = 0; i < row.length; i++) {
                double factor = tilt.curvature * row[i];
                for (int j = 0; j < row.length; j++) {
                    curvature[i * row.length + j] = factor * row[j];
                }
            }
            return tilt.logPartition;
        }

        @Override
        public void extras(double[] statistics) {
            MarginSites.this.extras(tilt, statistics);
        }
    }

    /** Extras of the record that a tilt belongs to. */
    void extras(Tilt tilt, double[] statistics) {}
}
