package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bayesian linear regression with unknown noise from noisy second and fourth moments.
 *
 * <pre>
 *   y | x ~ N(xᵀw, v),   w | v ~ N(0, v / priorPrecision I),   v ~ InverseGamma(priorShape, priorRate)
 *   releases   z = Σ (svec x xᵀ, √2 k y x, k² y²) + noise,   k = targetWeight;     Σ svec(s sᵀ) + noise,   s = svec x xᵀ
 *   S | w, v   Gaussian: XX ~ N(N E₂, N (E₄ − E₂ E₂ᵀ)),   Xy = XX w + Σ x e,   yy = wᵀXX w + 2 wᵀΣ x e + Σ e²
 *              Σ x e ~ N(0, N v E₂),   Σ e² ~ N(N v, 2 N v²)
 *   S | w, v, z = S₀ + A (A + noise²)⁻¹ (z − S₀ − noise),   S₀ from S | w, v,   A its covariance
 *   w, v | S   normal-inverse-gamma
 * </pre>
 *
 * Bernstein, Sheldon 2019, Algorithm 1 and Section 3.3 ("Gibbs-SS-Noisy"). Clipped: both releases of one record, each in
 * L2, where ‖x‖² + k² y² exceeds {@code squaredNormBound} or ‖x‖⁴ its square. Differs from the paper: bounds are public (there,
 * ranges of the data); noise is Gaussian for one L2 bound, behind the door; each entry of a symmetric matrix is released
 * once; E₂ is taken from z, which is less noisy than its copy among the fourth moments; the fourth moments that the chain uses
 * are those that were released (the authors' code builds them and then uses the ones without noise, not divided by N). The
 * noise of E₂ and E₄ themselves is ignored, as in the paper, so intervals are too narrow where it matters. Without fourth
 * moments nothing is assumed of XX but that ‖XX‖ ≤ N squaredNormBound: z alone speaks of it, and takes the whole budget.
 *
 * @param columns names of the columns, an intercept among them if there is one
 * @param priorPrecision of a weight, over that of the noise
 * @param priorShape of v
 * @param priorRate of v
 * @param squaredNormBound of (x, targetWeight y)
 * @param targetWeight k
 * @param fourthMoments whether they are released, as published
 * @param publicSize N, the declared number of units
 */
public record NoisyLinearRegression(
        List<String> columns,
        double priorPrecision,
        double priorShape,
        double priorRate,
        double squaredNormBound,
        double targetWeight,
        boolean fourthMoments,
        long publicSize)
        implements NoisyStatisticsModel {
    private static final int MOST_TRIES = 10;
    private static final double LEAST_EIGENVALUE = 1e-3;

    public NoisyLinearRegression {
        columns = List.copyOf(columns);
        ConjugatePair.requirePositive(priorPrecision, "priorPrecision");
        ConjugatePair.requirePositive(priorShape, "priorShape");
        ConjugatePair.requirePositive(priorRate, "priorRate");
        ConjugatePair.requirePositive(squaredNormBound, "squaredNormBound");
        ConjugatePair.requirePositive(targetWeight, "targetWeight");
        ConjugatePair.requireSize(publicSize);
    }

    private int pairs() {
        return SymmetricMatrix.vectorSize(columns.size());
    }

    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>(columns);
        names.add("variance");
        return names;
    }

    @Override
    public List<Statistics> releases() {
        int d = columns.size();
        int pairs = pairs();
        ContributionSum second = ContributionSum.of(pairs + d + 1, (block, row, contribution) -> {
            double target = targetWeight * block.label(row);
            contribution.addSquare(0, 1);
            contribution.addRow(pairs, Math.sqrt(2) * target);
            contribution.add(pairs + d, target * target);
        });
        ContributionSum fourth = new ContributionSum() {
            @Override
            public int dimension() {
                return SymmetricMatrix.vectorSize(pairs);
            }

            @Override
            public Worker worker() {
                return new FourthMoments();
            }
        };
        Statistics first = new Statistics("second moments", second, squaredNormBound);
        return fourthMoments
                ? List.of(first, new Statistics("fourth moments", fourth, squaredNormBound * squaredNormBound))
                : List.of(first);
    }

    /** svec(s sᵀ) of one row, with its own memory. */
    private final class FourthMoments implements ContributionSum.Worker {
        private final double[] cells = new double[columns.size()];
        private final double[] square = new double[pairs()];
        private final double[] values = new double[SymmetricMatrix.vectorSize(pairs())];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            Arrays.fill(cells, 0);
            Rows.addTo(block, row, 1, cells, 0);
            outer(cells, square);
            outer(square, values);
            contribution.addAll(0, values, 0, values.length);
        }
    }

    private static void outer(double[] x, double[] vector) {
        int next = 0;
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < i; j++) {
                vector[next++] = Math.sqrt(2) * x[i] * x[j];
            }
            vector[next++] = x[i] * x[i];
        }
    }

    /** Factors of the released second moments over the plain ones. */
    public double[] statisticScales() {
        int d = columns.size();
        double[] scales = new double[pairs() + d + 1];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                scales[SymmetricMatrix.vectorIndex(i, j)] = i == j ? 1 : Math.sqrt(2);
            }
            scales[pairs() + i] = Math.sqrt(2) * targetWeight;
        }
        scales[pairs() + d] = targetWeight * targetWeight;
        return scales;
    }

    @Override
    public Chain chain(List<double[]> released, RandomStream random) {
        int d = columns.size();
        double[] second = SymmetricMatrix.fromVector(d, released.get(0), 0);
        for (int i = 0; i < second.length; i++) {
            second[i] /= publicSize;
        }
        if (!fourthMoments) {
            double vague = publicSize * squaredNormBound * squaredNormBound;
            return new Moments(released.get(0), second, SymmetricMatrix.scaledIdentity(pairs(), vague), random);
        }
        double[] fourth = fourthMoments(SymmetricMatrix.fromVector(pairs(), released.get(1), 0));
        for (int i = 0; i < fourth.length; i++) {
            fourth[i] /= publicSize;
        }
        return chain(released.get(0), second, fourth, random);
    }

    /**
     * The chain with given moments of the columns.
     *
     * @param noisy released second moments, in the units of the release
     * @param second E₂
     * @param fourth E₄, entry (i ≥ j, k ≥ l) in the row and column that {@link SymmetricMatrix#vectorIndex} says
     */
    public Chain chain(double[] noisy, double[] second, double[] fourth, RandomStream random) {
        int d = columns.size();
        int pairs = pairs();
        double[] spread = fourth.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                for (int k = 0; k < d; k++) {
                    for (int l = 0; l <= k; l++) {
                        int at = SymmetricMatrix.vectorIndex(i, j) * pairs + SymmetricMatrix.vectorIndex(k, l);
                        spread[at] -= second[i * d + j] * second[k * d + l];
                    }
                }
            }
        }
        return new Moments(noisy, second, spread, random);
    }

    /** The mean of x_i x_j x_k x_l over its three pairings, from Σ s sᵀ. */
    private double[] fourthMoments(double[] squares) {
        int d = columns.size();
        int pairs = pairs();
        double[] scales = statisticScales();
        double[] fourth = new double[pairs * pairs];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                for (int k = 0; k < d; k++) {
                    for (int l = 0; l <= k; l++) {
                        int row = SymmetricMatrix.vectorIndex(i, j);
                        int column = SymmetricMatrix.vectorIndex(k, l);
                        fourth[row * pairs + column] = (entry(squares, scales, row, column)
                                        + entry(
                                                squares,
                                                scales,
                                                SymmetricMatrix.vectorIndex(i, k),
                                                SymmetricMatrix.vectorIndex(j, l))
                                        + entry(
                                                squares,
                                                scales,
                                                SymmetricMatrix.vectorIndex(i, l),
                                                SymmetricMatrix.vectorIndex(j, k)))
                                / 3;
                    }
                }
            }
        }
        return fourth;
    }

    private double entry(double[] squares, double[] scales, int row, int column) {
        return squares[row * pairs() + column] / (scales[row] * scales[column]);
    }

    private final class Moments implements Chain {
        private final int d = columns.size();
        private final int pairs = pairs();
        private final int size = pairs + d + 1;
        private final LinearAlgebra algebra = LinearAlgebra.best();
        private final double[] noisy;
        private final double[] scales = statisticScales();
        private final double[] second;
        private final double[] secondRoot;
        /** Cov of the plain entries of x xᵀ, and its root. */
        private final double[] spread;

        private final double[] spreadRoot;
        private final double[] statistics = new double[size];
        private final double[] weights = new double[d];
        private double variance;

        Moments(double[] noisy, double[] second, double[] spread, RandomStream random) {
            this.noisy = noisy;
            this.second = SymmetricMatrix.withEigenvaluesAtLeast(LEAST_EIGENVALUE, d, second);
            this.secondRoot = root(d, this.second);
            this.spread = SymmetricMatrix.withEigenvaluesAtLeast(LEAST_EIGENVALUE, pairs, spread);
            this.spreadRoot = root(pairs, this.spread);
            this.variance = priorRate / random.gamma(priorShape);
            for (int i = 0; i < d; i++) {
                weights[i] = Math.sqrt(variance / priorPrecision) * random.normal();
            }
        }

        private double[] root(int n, double[] matrix) {
            double[] factor = matrix.clone();
            if (!algebra.cholesky(n, factor)) {
                throw new IllegalStateException("moments are not positive definite");
            }
            return factor;
        }

        @Override
        public void sweep(double[] noiseVariances, RandomStream random) {
            double[] covariance = covariance();
            double[] total = covariance.clone();
            for (int i = 0; i < size; i++) {
                total[i * size + i] += noiseVariances[i];
            }
            if (!algebra.cholesky(size, total)) {
                throw new IllegalStateException("the covariance of the statistics is not positive definite");
            }
            for (int attempt = 1; ; attempt++) {
                drawFromModel(random);
                double[] gap = new double[size];
                for (int i = 0; i < size; i++) {
                    gap[i] = noisy[i] - statistics[i] - Math.sqrt(noiseVariances[i]) * random.normal();
                }
                algebra.solveCholesky(size, total, 1, gap);
                algebra.multiplyVector(false, size, size, 1, covariance, gap, 1, statistics);
                if (drawParameters(attempt == MOST_TRIES, random)) {
                    return;
                }
            }
        }

        /** A in the units of the release: J Cov(x xᵀ) Jᵀ plus what the residuals add. */
        private double[] covariance() {
            double n = publicSize;
            double[] cross = new double[pairs * (d + 1)];
            for (int p = 0; p < pairs; p++) {
                for (int k = 0; k < d; k++) {
                    for (int l = 0; l < d; l++) {
                        cross[p * (d + 1) + k] += weights[l] * spread[p * pairs + SymmetricMatrix.vectorIndex(k, l)];
                    }
                    cross[p * (d + 1) + d] += weights[k] * cross[p * (d + 1) + k];
                }
            }
            double[] residual = new double[d];
            algebra.multiplyVector(false, d, d, 2 * variance, second, weights, 0, residual);
            double[] covariance = new double[size * size];
            for (int p = 0; p < pairs; p++) {
                System.arraycopy(spread, p * pairs, covariance, p * size, pairs);
                for (int k = 0; k <= d; k++) {
                    covariance[p * size + pairs + k] = cross[p * (d + 1) + k];
                    covariance[(pairs + k) * size + p] = cross[p * (d + 1) + k];
                }
            }
            double corner = 2 * variance * variance;
            for (int i = 0; i < d; i++) {
                double last = residual[i];
                for (int j = 0; j < d; j++) {
                    double sum = variance * second[i * d + j];
                    for (int k = 0; k < d; k++) {
                        sum += weights[k] * cross[SymmetricMatrix.vectorIndex(i, k) * (d + 1) + j];
                    }
                    covariance[(pairs + i) * size + pairs + j] = sum;
                    last += weights[j] * cross[SymmetricMatrix.vectorIndex(i, j) * (d + 1) + d];
                }
                covariance[(pairs + i) * size + pairs + d] = last;
                covariance[(pairs + d) * size + pairs + i] = last;
                corner += weights[i] * (last + residual[i]);
            }
            covariance[(pairs + d) * size + pairs + d] = corner;
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    covariance[i * size + j] *= n * scales[i] * scales[j];
                }
            }
            return covariance;
        }

        /** S₀, written to the statistics. */
        private void drawFromModel(RandomStream random) {
            double[] squares = normals(pairs, spreadRoot, Math.sqrt((double) publicSize), random);
            double[] errors = normals(d, secondRoot, Math.sqrt(publicSize * variance), random);
            double yy = publicSize * variance + variance * Math.sqrt(2.0 * publicSize) * random.normal();
            for (int i = 0; i < d; i++) {
                double xy = errors[i];
                for (int j = 0; j < d; j++) {
                    int p = SymmetricMatrix.vectorIndex(i, j);
                    double square = squares[p] + publicSize * second[i * d + j];
                    statistics[p] = scales[p] * square;
                    xy += square * weights[j];
                }
                statistics[pairs + i] = scales[pairs + i] * xy;
                yy += weights[i] * (xy + errors[i]);
            }
            statistics[pairs + d] = scales[pairs + d] * yy;
        }

        private double[] normals(int n, double[] factor, double scale, RandomStream random) {
            double[] standard = new double[n];
            random.fillNormal(standard);
            double[] result = new double[n];
            algebra.multiplyVector(false, n, n, scale, factor, standard, 0, result);
            return result;
        }

        /** w and v given S; false if S cannot be that of records, unless it has to do. */
        private boolean drawParameters(boolean must, RandomStream random) {
            double[] squares = SymmetricMatrix.fromVector(d, statistics, 0);
            double[] precision =
                    must ? SymmetricMatrix.withEigenvaluesAtLeast(LEAST_EIGENVALUE * publicSize, d, squares) : squares;
            double[] mean = new double[d];
            for (int i = 0; i < d; i++) {
                precision[i * d + i] += priorPrecision;
                mean[i] = statistics[pairs + i] / scales[pairs + i];
            }
            double[] products = mean.clone();
            if (!algebra.cholesky(d, precision)) {
                return false;
            }
            algebra.solveCholesky(d, precision, 1, mean);
            double rate = priorRate + 0.5 * statistics[pairs + d] / scales[pairs + d];
            for (int i = 0; i < d; i++) {
                rate -= 0.5 * mean[i] * products[i];
            }
            if (rate < priorRate && !must) {
                return false;
            }
            variance = Math.max(rate, priorRate) / random.gamma(priorShape + publicSize / 2.0);
            double[] normals = new double[d];
            random.fillNormal(normals);
            algebra.solveLowerTransposed(d, precision, normals);
            for (int i = 0; i < d; i++) {
                weights[i] = mean[i] + Math.sqrt(variance) * normals[i];
            }
            return true;
        }

        @Override
        public double[] statistics() {
            return statistics.clone();
        }

        @Override
        public double[] parameters() {
            double[] parameters = Arrays.copyOf(weights, d + 1);
            parameters[d] = variance;
            return parameters;
        }
    }
}
