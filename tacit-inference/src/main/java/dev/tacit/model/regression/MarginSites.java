package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.RowBounded;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.NoisySpectrum;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
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
 * what rows of norm R and no direction would have, N R²/D · curvature I. The ridge is for steps; the {@link #field} is without it, and its
 * curvature is that of margins as large as released numbers say, E u² = mᵀ S m / N.
 *
 * <p>Constants: what a model has of its own, then svec Σ x xᵀ as released, then the standard deviation of its noise.
 */
public abstract class MarginSites implements TiltedMomentModel, RowBounded, Serializable {
    private static final long serialVersionUID = 1;
    private static final double RIDGE = 0.35;
    private static final GaussHermite MARGINS = GaussHermite.of(24);

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
            List<String> parameterNames, double rowNormBound, double priorPrecision, long publicSize, double startShare)
            implements Serializable {
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

    @Override
    public double rowNormBound() {
        return design.rowNormBound();
    }

    /** b on average over records, for the length of steps. */
    abstract double typicalCurvature(double[] own);

    /** b on average over records with this margin. */
    abstract double curvatureAt(double[] own, double margin);

    /** What the clip of slopes leaves of F, and of G. */
    Kept kept(double[] own, double slopeBound) {
        return new Kept(1, 1);
    }

    record Kept(double curvature, double scoreVariance) {}

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
        return joined(ownConstants(), SymmetricMatrix.toVector(columns(), matrix), 0);
    }

    private static double[] joined(double[] own, double[] squares, double noise) {
        double[] constants = Arrays.copyOf(own, own.length + squares.length + 1);
        System.arraycopy(squares, 0, constants, own.length, squares.length);
        constants[constants.length - 1] = noise;
        return constants;
    }

    /**
     * For rows that are Gaussian, u = xᵀm:  E b x xᵀ = E b(u) S + (E b(u) u²/E u² − E b(u)) S m mᵀ S / mᵀSm,  S = Σ x xᵀ with noise taken
     * out of its spectrum ({@link NoisySpectrum}).
     */
    @Override
    public final Optional<Field> field(double[] mean, double[] constants, double scoreBound) {
        int n = columns();
        SymmetricEigen eigen = squares(constants);
        double[] values = NoisySpectrum.cleaned(eigen.values(), edge(constants));
        double[] squares = eigen.weighted(values);
        double[] direction = shape().multiply(squares, mean);
        double squaredMargins = 0;
        for (int i = 0; i < n; i++) {
            squaredMargins += mean[i] * direction[i];
        }
        double deviation = Math.sqrt(Math.max(0, squaredMargins) / design.publicSize);
        double across = 0;
        double along = 0;
        for (int i = 0; i < MARGINS.size(); i++) {
            double z = MARGINS.node(i);
            double curvature = MARGINS.weight(i) * curvatureAt(constants, deviation * z);
            across += curvature;
            along += curvature * z * z;
        }
        double correction = squaredMargins > 0 ? (along - across) / squaredMargins : 0;
        Kept kept = kept(constants, slopeBound(values, scoreBound));
        double[] scoreVariance = new double[squares.length];
        for (int i = 0; i < squares.length; i++) {
            double information = across * squares[i] + correction * direction[i / n] * direction[i % n];
            scoreVariance[i] = kept.scoreVariance * information;
            squares[i] = kept.curvature * information;
        }
        return Optional.of(new Field(squares, scoreVariance));
    }

    /** Where the clip of gradients a x clips a, for a record of the usual length. */
    private double slopeBound(double[] eigenvalues, double scoreBound) {
        double trace = Arrays.stream(eigenvalues).sum();
        double norm = Math.min(design.rowNormBound, Math.sqrt(trace / design.publicSize));
        return scoreBound / (meanWeights()[0] * Math.max(norm, Double.MIN_NORMAL));
    }

    @Override
    public final double[] fixedPrecision(double[] constants) {
        SymmetricEigen eigen = squares(constants);
        double[] values = eigen.values();
        double ridge = RIDGE * edge(constants);
        for (int i = 0; i < values.length; i++) {
            values[i] = typicalCurvature(constants) * (Math.max(0, values[i]) + ridge);
        }
        SymmetricMatrix.raiseNegligible(values);
        return eigen.weighted(values);
    }

    /** Σ x xᵀ as it was released. */
    private SymmetricEigen squares(double[] constants) {
        return LinearAlgebra.java()
                .eigen(columns(), SymmetricMatrix.fromVector(columns(), constants, ownConstants().length));
    }

    /** The largest eigenvalue of its noise. */
    private double edge(double[] constants) {
        return constants[constants.length - 1] * Math.sqrt(2.0 * columns());
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
        public ContributionSum query(double[] constants, int release) {
            return ContributionSum.of(dimension(), (block, row, contribution) -> contribution.addSquare(0, 1));
        }

        @Override
        public double[] constants(double[] before, int release, NoisySum released) {
            return joined(ownConstants(), released.value(), released.noiseStandardDeviation());
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
            Rows.addTo(block, index, 1, row, 0);
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
