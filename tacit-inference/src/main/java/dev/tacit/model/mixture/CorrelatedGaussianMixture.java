package dev.tacit.model.mixture;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.NormalInverseWishartPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mixture of Gaussians with unknown weights, means and full covariances.
 *
 * <pre>
 *   l_n ~ Categorical(π),   x_n | l_n = k ~ N(μ_k, Σ_k)
 *   π ~ Dirichlet(1),   Σ_k ~ InverseWishart(d + 3, 0.1 I),   μ_k | Σ_k ~ N(0, Σ_k/0.1)
 *   r_nk ∝ exp(⟨log π_k⟩ + ½ ⟨log det Σ_k⁻¹⟩ − ½ (d/κ_k + ν_k (x_n − m_k)ᵀ Ψ_k⁻¹ (x_n − m_k)))
 *   statistics of one record:  r_nk,   r_nk x_n,   r_nk svec(x_n x_nᵀ)          L2 norm at most √(1 + R² + R⁴)
 * </pre>
 *
 * Bishop 2006, Section 10.2. Alone, each variance has the prior that it has in {@link GaussianMixture}. All statistics are
 * one vector, clipped jointly; the norm of svec(x xᵀ) is ‖x‖². With one component and without noise q is the exact
 * posterior. The start does not look at data: means are drawn at random, weights are equal, covariances are I/4.
 *
 * <p>With noise of standard deviation s on each sum (post-processing): counts are repaired by {@link MixtureWeights}; means
 * shrink as if s more records lay at 0, and stay within [−1, 1]; eigenvalues of the scatter around the mean below the edge of
 * its noise, s √(2d + 4d‖m‖² + ‖m‖⁴), are raised to it, up to the variance of the start, and none exceeds ν R². The mass κ is
 * lowered until every mean has at least its own variance and that of the noise, which is cautious for columns with little
 * noise; intervals of covariances do not count noise.
 *
 * @param columns names of the columns
 * @param components how many, 1 included
 * @param rowNormBound public bound R on the L2 norm of a record
 * @param publicSize declared number of units
 */
public record CorrelatedGaussianMixture(List<String> columns, int components, double rowNormBound, long publicSize)
        implements ConjugateExponentialModel<ProductPosterior>, DescriptiveModel, RowBounded, Serializable {
    static final double PRIOR_MASS = 0.1;
    static final double PRIOR_SCALE = 0.1;
    private static final double START_SCALE = 0.5;
    private static final double START_VARIANCE = 0.25;
    private static final double START_MASS = 1e6;
    private static final String WEIGHTS = "weights";

    public CorrelatedGaussianMixture {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a mixture has at least one column");
        }
        if (components < 1) {
            throw new IllegalArgumentException("a mixture has at least one component");
        }
        ConjugatePair.requirePositive(rowNormBound, "the bound on the norm of a record");
        ConjugatePair.requireSize(publicSize);
    }

    private int width() {
        return columns.size();
    }

    double priorDegrees() {
        return width() + 3;
    }

    // ---- statistics ------------------------------------------------------------------------------------------------

    /** Counts of all components, then all first moments, then all second moments. */
    @Override
    public int statisticsDimension() {
        return components * (1 + width() + SymmetricMatrix.vectorSize(width()));
    }

    private int firstMoment(int component) {
        return components + component * width();
    }

    private int secondMoment(int component) {
        return components * (1 + width()) + component * SymmetricMatrix.vectorSize(width());
    }

    @Override
    public double statisticsL2Bound() {
        double square = rowNormBound * rowNormBound;
        return Math.sqrt(1 + square + square * square);
    }

    @Override
    public ContributionSum expectedStatistics(ProductPosterior posterior) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return statisticsDimension();
            }

            @Override
            public Worker worker() {
                return new StatisticsWorker(posterior);
            }
        };
    }

    /** Adds the statistics of one row, with its own scratch memory. */
    private final class StatisticsWorker implements ContributionSum.Worker {
        private final Responsibilities responsibilities;
        private final double[] shares = new double[components];
        private final double[] square = new double[width() * width()];
        private final double[] vector = new double[SymmetricMatrix.vectorSize(width())];
        private final double[] statistics = new double[statisticsDimension()];
        private double[] cells = {};

        StatisticsWorker(ProductPosterior posterior) {
            this.responsibilities = new Responsibilities(posterior);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            cells = GaussianMixture.cells(block, row, cells);
            responsibilities.of(cells, shares);
            int width = width();
            for (int i = 0; i < width; i++) {
                for (int j = 0; j <= i; j++) {
                    square[i * width + j] = cells[i] * cells[j];
                }
            }
            SymmetricMatrix.toVector(width, square, vector, 0);
            for (int k = 0; k < components; k++) {
                statistics[k] = shares[k];
                for (int j = 0; j < width; j++) {
                    statistics[firstMoment(k) + j] = shares[k] * cells[j];
                }
                for (int j = 0; j < vector.length; j++) {
                    statistics[secondMoment(k) + j] = shares[k] * vector[j];
                }
            }
            contribution.addAll(0, statistics, 0, statistics.length);
        }
    }

    /** r_n under a posterior. For one thread. */
    private final class Responsibilities {
        private final double[] constants = new double[components];
        private final double[][] means = new double[components][];
        private final double[][] roots = new double[components][];
        private final double[] degrees = new double[components];
        private final double[] residual = new double[width()];

        Responsibilities(ProductPosterior posterior) {
            double[] logWeights =
                    components == 1 ? new double[1] : ((DirichletPosterior) posterior.block(WEIGHTS)).meanLogarithm();
            for (int k = 0; k < components; k++) {
                NormalInverseWishartPosterior component = component(posterior, k);
                means[k] = component.location();
                roots[k] = component.scaleRoot();
                degrees[k] = component.degrees();
                constants[k] = logWeights[k]
                        + 0.5
                                * (component.meanLogPrecision()
                                        - width() * (Math.log(2 * Math.PI) + 1 / component.mass()));
            }
        }

        /** Writes the shares and returns the logarithm of their sum before they were normalised. */
        double of(double[] cells, double[] shares) {
            for (int k = 0; k < components; k++) {
                shares[k] = constants[k] - 0.5 * degrees[k] * distance(cells, means[k], roots[k], residual);
            }
            double sum = SpecialFunctions.logSumExp(shares, components);
            SpecialFunctions.softmax(shares, shares, components);
            return sum;
        }
    }

    /** (x − m)ᵀ Ψ⁻¹ (x − m). */
    private static double distance(double[] x, double[] mean, double[] root, double[] residual) {
        for (int j = 0; j < residual.length; j++) {
            residual[j] = x[j] - mean[j];
        }
        LinearAlgebra.best().solveLower(residual.length, root, residual);
        double sum = 0;
        for (double value : residual) {
            sum += value * value;
        }
        return sum;
    }

    // ---- posterior -------------------------------------------------------------------------------------------------

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(ProductPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public ProductPosterior start(double[] hyperParameters, RandomStream random) {
        double[] counts = new double[components];
        Arrays.fill(counts, publicSize / (double) components);
        Map<String, Posterior> blocks = weights(counts, 0);
        double[] scale = SymmetricMatrix.scaledIdentity(width(), priorDegrees() * START_VARIANCE);
        for (int k = 0; k < components; k++) {
            double[] mean = new double[width()];
            for (int j = 0; j < mean.length; j++) {
                mean[j] = START_SCALE * random.normal();
            }
            blocks.put(name(k), new NormalInverseWishartPosterior(columns, mean, START_MASS, scale, priorDegrees()));
        }
        return new ProductPosterior(blocks);
    }

    @Override
    public ProductPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        double noise = noiseStandardDeviation;
        double[] counts = MixtureWeights.counts(statistics, components, publicSize, noise);
        Map<String, Posterior> blocks = weights(counts, noise);
        for (int k = 0; k < components; k++) {
            double[] first = Arrays.copyOfRange(statistics, firstMoment(k), firstMoment(k) + width());
            double[] second = SymmetricMatrix.fromVector(width(), statistics, secondMoment(k));
            blocks.put(name(k), component(counts[k], first, second, noise));
        }
        return new ProductPosterior(blocks);
    }

    /** The first block; a single component has no weight to learn. */
    private Map<String, Posterior> weights(double[] counts, double noise) {
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        if (components > 1) {
            blocks.put(WEIGHTS, MixtureWeights.posterior(counts, publicSize, noise));
        }
        return blocks;
    }

    private NormalInverseWishartPosterior component(double count, double[] first, double[] second, double noise) {
        int width = width();
        double mass = PRIOR_MASS + count + noise;
        double degrees = priorDegrees() + count;
        double[] mean = new double[width];
        double squaredLength = 0;
        for (int j = 0; j < width; j++) {
            mean[j] = Math.max(-1, Math.min(1, first[j] / mass));
            squaredLength += mean[j] * mean[j];
        }
        double[] scatter = second.clone();
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                scatter[i * width + j] += count * mean[i] * mean[j] - mean[i] * first[j] - first[i] * mean[j];
            }
        }
        double edge = noise * Math.sqrt(2 * width + 4 * width * squaredLength + squaredLength * squaredLength);
        double[] scale = repaired(scatter, Math.min(edge, count * START_VARIANCE), degrees, noise);
        for (int i = 0; i < width; i++) {
            scale[i * width + i] += PRIOR_SCALE;
            for (int j = 0; j < width; j++) {
                scale[i * width + j] += PRIOR_MASS * mean[i] * mean[j];
            }
        }
        SymmetricMatrix.symmetrise(width, scale);
        return new NormalInverseWishartPosterior(
                columns, mean, mass(mass, mean, scale, degrees, noise), scale, degrees);
    }

    /** Eigenvalues from the floor to what records of bounded length can have; rounding alone is no reason to touch it. */
    private double[] repaired(double[] scatter, double floor, double degrees, double noise) {
        int width = width();
        SymmetricMatrix.symmetrise(width, scatter);
        if (noise == 0) {
            return SymmetricMatrix.withEigenvaluesAtLeast(-0.5 * PRIOR_SCALE, width, scatter);
        }
        SymmetricEigen eigen = LinearAlgebra.best().eigen(width, scatter);
        double[] values = eigen.values();
        for (int i = 0; i < width; i++) {
            values[i] = Math.min(Math.max(values[i], floor), degrees * rowNormBound * rowNormBound);
        }
        return eigen.weighted(values);
    }

    /** κ so that Ψ_jj/(ν κ) is at least Ψ_jj/(ν mass) + s²(1 + m_j²)/mass² in every column. */
    private double mass(double mass, double[] mean, double[] scale, double degrees, double noise) {
        double least = mass;
        for (int j = 0; j < width(); j++) {
            double variance = scale[j * width() + j] / degrees;
            double ofNoise = noise * noise * (1 + mean[j] * mean[j]) / mass / mass;
            least = Math.min(least, variance / (variance / mass + ofNoise));
        }
        return least;
    }

    private static String name(int component) {
        return "component-" + (component + 1);
    }

    private static NormalInverseWishartPosterior component(ProductPosterior posterior, int component) {
        return (NormalInverseWishartPosterior) posterior.block(name(component));
    }

    // ---- what it is good for ---------------------------------------------------------------------------------------

    @Override
    public List<String> descriptionNames() {
        return MixtureWeights.names(components);
    }

    @Override
    public Describer describer(Posterior posterior) {
        Responsibilities responsibilities = new Responsibilities((ProductPosterior) posterior);
        double[][] memory = new double[1][0];
        return (block, row, description) -> {
            memory[0] = GaussianMixture.cells(block, row, memory[0]);
            responsibilities.of(memory[0], description);
        };
    }

    /** The mean over records of log Σ_k ⟨π_k⟩ Student(x), the predictive density. */
    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        ProductPosterior product = (ProductPosterior) posterior;
        double[] weights =
                components == 1 ? new double[] {1} : product.block(WEIGHTS).mean();
        double[] logs = new double[components];
        double[] residual = new double[width()];
        double[] memory = {};
        double sum = 0;
        long rows = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                memory = GaussianMixture.cells(block, row, memory);
                for (int k = 0; k < components; k++) {
                    logs[k] = Math.log(weights[k]) + logStudent(component(product, k), memory, residual);
                }
                sum += SpecialFunctions.logSumExp(logs, components);
                rows++;
            }
        }
        return Map.of("logLikelihood", rows == 0 ? 0 : sum / rows);
    }

    /** Student with f = ν − d + 1 degrees of freedom around m, with scale Ψ (κ + 1)/(κ f) (Bishop 2006, Equation 10.81). */
    private static double logStudent(NormalInverseWishartPosterior component, double[] x, double[] residual) {
        int width = residual.length;
        double free = component.degrees() - width + 1;
        double inflation = (component.mass() + 1) / component.mass();
        double[] root = component.scaleRoot();
        double distance = distance(x, component.location(), root, residual) / inflation;
        return SpecialFunctions.logGamma(0.5 * (free + width))
                - SpecialFunctions.logGamma(0.5 * free)
                - 0.5 * width * Math.log(Math.PI * inflation)
                - 0.5 * SymmetricMatrix.logDeterminantOfCholesky(width, root)
                - 0.5 * (free + width) * Math.log1p(distance);
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return List.of();
    }
}
