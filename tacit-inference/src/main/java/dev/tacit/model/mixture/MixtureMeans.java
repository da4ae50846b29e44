package dev.tacit.model.mixture;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mixture of Gaussians whose means are unknown, and whose weights and variance are known; for expectation propagation.
 *
 * <pre>
 *   p(x | μ) = Σ_k w_k N(x; μ_k, s² I),     μ_k ~ N(prior mean_k, I / priorPrecision),     q = Π_k N(μ_k; m_k, V_k), V_k full
 *   A_k = V_k + s² I,   d_k = x − m_k,   r_k ∝ w_k N(d_k; 0, A_k),   Σ r_k = 1
 *   g_k = r_k A_k⁻¹ d_k,     H_k = r_k A_k⁻¹ − r_k (1 − r_k) A_k⁻¹ d_k d_kᵀ A_k⁻¹           log Z = log Σ_k w_k N(d_k; 0, A_k)
 * </pre>
 *
 * Li, Hernández-Lobato, Turner 2015, Section 5.3; Vinaroz, Park 2022, Section 5.1. The moments are exact. In the family with fixed
 * precision component k has N w_k / s² I, which is what its records will have added up to. Gradients are weighted by s²: a
 * contribution is then about as long as a record is far from its component.
 *
 * @param columns names of the columns
 * @param weights w_k, adding up to 1
 * @param variance s²
 * @param priorMean component after component
 * @param priorPrecisionOfMeans of each coordinate of a mean
 * @param publicSize declared number of units
 * @param privateStart releases that find where components lie; without one, q starts at the prior mean
 */
public record MixtureMeans(
        List<String> columns,
        double[] weights,
        double variance,
        double[] priorMean,
        double priorPrecisionOfMeans,
        long publicSize,
        Optional<PrivateStart> privateStart)
        implements TiltedMomentModel, DescriptiveModel, Serializable {
    public static final String NAME = "mixture";

    private static final double CHI_RANGE = 9;
    private static final int CHI_STEPS = 2000;

    public MixtureMeans {
        columns = List.copyOf(columns);
        weights = weights.clone();
        priorMean = priorMean.clone();
        if (columns.isEmpty() || weights.length < 2 || priorMean.length != weights.length * columns.size()) {
            throw new IllegalArgumentException("a mixture has a column, two components, and a prior mean for each");
        }
        if (Math.abs(Arrays.stream(weights).sum() - 1) > 1e-9
                || Arrays.stream(weights).anyMatch(weight -> !(weight > 0))) {
            throw new IllegalArgumentException("the weights of a mixture are positive and add up to 1");
        }
        ConjugatePair.requirePositive(variance, "the variance within a component");
        ConjugatePair.requirePositive(priorPrecisionOfMeans, "the prior precision of a mean");
        ConjugatePair.requireSize(publicSize);
    }

    /** Components of equal weight. */
    public static double[] equalWeights(int components) {
        double[] weights = new double[components];
        Arrays.fill(weights, 1.0 / components);
        return weights;
    }

    private int components() {
        return weights.length;
    }

    @Override
    public double[] weights() {
        return weights.clone();
    }

    @Override
    public double[] priorMean() {
        return priorMean.clone();
    }

    @Override
    public GaussianBlocks shape() {
        return new GaussianBlocks(components(), columns.size());
    }

    @Override
    public double[] priorPrecision() {
        return shape().scaledIdentity(priorPrecisionOfMeans);
    }

    @Override
    public double[] startMean(double[] constants, RandomStream random) {
        return constants.length == 0 ? priorMean() : constants.clone();
    }

    @Override
    public double[] fixedPrecision(double[] constants) {
        double[] precision = shape().scaledIdentity(publicSize / variance);
        int size = columns.size() * columns.size();
        for (int i = 0; i < precision.length; i++) {
            precision[i] *= weights[i / size];
        }
        return precision;
    }

    @Override
    public double[] meanWeights() {
        double[] factors = new double[shape().size()];
        Arrays.fill(factors, variance);
        return factors;
    }

    /**
     * As if components did not overlap. A record is r s χ away from its component, r ~ uniform directions and χ of D degrees of freedom, and
     * what the clip at c s leaves of F is E 1{χ &lt; c} + 1{χ &gt; c} (1 − 1/D) c/χ, of G it is E min(χ², c²)/D.
     */
    @Override
    public Optional<Field> field(double[] mean, double[] constants, double scoreBound) {
        double c = scoreBound / Math.sqrt(variance);
        int width = columns.size();
        double step = (Math.sqrt(width) + CHI_RANGE) / CHI_STEPS;
        double mass = 0;
        double slopes = 0;
        double squares = 0;
        for (int k = 1; k < CHI_STEPS; k++) {
            double chi = k * step;
            double density = Math.exp((width - 1) * Math.log(chi) - 0.5 * chi * chi);
            mass += density;
            slopes += density * (chi < c ? 1 : (1 - 1.0 / width) * c / chi);
            squares += density * Math.min(chi * chi, c * c) / width;
        }
        double[] curvature = fixedPrecision(constants);
        double[] scoreVariance = new double[curvature.length];
        for (int i = 0; i < curvature.length; i++) {
            scoreVariance[i] = squares / mass * curvature[i];
            curvature[i] *= slopes / mass;
        }
        return Optional.of(new Field(curvature, scoreVariance));
    }

    @Override
    public TiltedMoments tiltedMoments(double[] constants) {
        return new Components();
    }

    /**
     * What one record contributes to expectation maximisation: its responsibilities r_k at the given means, then r_k (x − m_k) of all
     * components, shortened jointly to a bound.
     */
    public ContributionSum expectedShifts(double[] means, double shiftBound) {
        int components = components();
        int size = shape().size();
        return new ContributionSum() {
            @Override
            public int dimension() {
                return components + size;
            }

            @Override
            public Worker worker() {
                Components moments = new Components();
                moments.cavity(means, new double[shape().matrixSize()]);
                double[] statistics = new double[components + size];
                return (block, row, contribution) -> {
                    moments.respond(block, row);
                    System.arraycopy(moments.shares, 0, statistics, 0, components);
                    double squares = 0;
                    for (int i = 0; i < size; i++) {
                        double shift = variance * moments.shares[i / columns.size()] * moments.solved[i];
                        statistics[components + i] = shift;
                        squares += shift * shift;
                    }
                    double scale = squares > shiftBound * shiftBound ? shiftBound / Math.sqrt(squares) : 1;
                    for (int i = 0; i < size; i++) {
                        statistics[components + i] *= scale;
                    }
                    contribution.addAll(0, statistics, 0, statistics.length);
                };
            }
        };
    }

    @Override
    public Posterior posterior(double[] mean, double[] covariance, double[] constants) {
        int width = columns.size();
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        for (int k = 0; k < components(); k++) {
            blocks.put(
                    name(k),
                    new GaussianPosterior(
                            columns,
                            Arrays.copyOfRange(mean, k * width, (k + 1) * width),
                            shape().block(covariance, k)));
        }
        return new ProductPosterior(blocks);
    }

    private static String name(int component) {
        return "component-" + (component + 1);
    }

    /** A row written out without an intercept, which is the last column and does not belong to the model. */
    static final class Row {
        private final int width;
        private double[] numbers;

        Row(int width) {
            this.width = width;
            this.numbers = new double[width];
        }

        /** Valid until the next call. */
        double[] of(RecordBlock block, int row) {
            if (numbers.length < Math.max(width, block.columns())) {
                numbers = new double[Math.max(width, block.columns())];
            }
            Arrays.fill(numbers, 0);
            Rows.addTo(block, row, 1, numbers, 0);
            return numbers;
        }
    }

    /** What a record says about the components, for one thread. */
    private final class Components implements TiltedMoments {
        private final int width = columns.size();
        private final Row rows = new Row(width);
        private final GaussianBlocks shape = shape();
        private final double[] constants = new double[components()];
        private final double[] shares = new double[components()];
        private final double[] solved = new double[shape.size()];
        private double[] mean = {};
        private double[] inverse = {};

        @Override
        public void cavity(double[] cavityMean, double[] cavityCovariance) {
            mean = cavityMean;
            double[] sum = shape.scaledIdentity(variance);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += cavityCovariance[i];
            }
            inverse = shape.inverse(sum);
            for (int k = 0; k < shares.length; k++) {
                double logDeterminant = SymmetricMatrix.logDeterminant(width, shape.block(sum, k));
                constants[k] = Math.log(weights[k]) - 0.5 * (logDeterminant + width * Math.log(2 * Math.PI));
            }
        }

        /** Responsibilities and A⁻¹d; returns log Z. */
        private double respond(RecordBlock block, int row) {
            double[] numbers = rows.of(block, row);
            for (int k = 0; k < shares.length; k++) {
                int start = k * width;
                double square = 0;
                for (int i = 0; i < width; i++) {
                    int line = (start + i) * width;
                    double sum = 0;
                    for (int j = 0; j < width; j++) {
                        sum += inverse[line + j] * (numbers[j] - mean[start + j]);
                    }
                    solved[start + i] = sum;
                    square += sum * (numbers[i] - mean[start + i]);
                }
                shares[k] = constants[k] - 0.5 * square;
            }
            double logPartition = SpecialFunctions.logSumExp(shares, shares.length);
            SpecialFunctions.softmax(shares, shares, shares.length);
            return logPartition;
        }

        @Override
        public double gradient(RecordBlock block, int row, double[] gradient) {
            double logPartition = respond(block, row);
            for (int i = 0; i < solved.length; i++) {
                gradient[i] = shares[i / width] * solved[i];
            }
            return logPartition;
        }

        @Override
        public double derivatives(RecordBlock block, int row, double[] gradient, double[] curvature) {
            double logPartition = gradient(block, row, gradient);
            for (int k = 0; k < shares.length; k++) {
                double share = shares[k];
                double spread = share * (1 - share);
                int start = k * width;
                for (int i = 0; i < width; i++) {
                    int line = (start + i) * width;
                    double factor = spread * solved[start + i];
                    for (int j = 0; j < width; j++) {
                        curvature[line + j] = share * inverse[line + j] - factor * solved[start + j];
                    }
                }
            }
            return logPartition;
        }
    }

    @Override
    public List<String> descriptionNames() {
        List<String> names = new ArrayList<>();
        for (int k = 0; k < components(); k++) {
            names.add(name(k));
        }
        return names;
    }

    private Components predictive(Posterior posterior) {
        ProductPosterior product = (ProductPosterior) posterior;
        double[] covariance = new double[shape().matrixSize()];
        for (int k = 0; k < components(); k++) {
            double[] block = ((GaussianPosterior) product.block(name(k))).covariance();
            System.arraycopy(block, 0, covariance, shape().matrixOffset(k), block.length);
        }
        Components components = new Components();
        components.cavity(product.mean(), covariance);
        return components;
    }

    @Override
    public Describer describer(Posterior posterior) {
        Components components = predictive(posterior);
        return (block, row, description) -> {
            components.respond(block, row);
            System.arraycopy(components.shares, 0, description, 0, components());
        };
    }

    /** The mean over records of the logarithm of the predictive density. */
    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        Components components = predictive(posterior);
        double sum = 0;
        long rows = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                sum += components.respond(block, row);
                rows++;
            }
        }
        return Map.of("logLikelihood", rows == 0 ? 0 : sum / rows);
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return List.of();
    }

    /** How a model travels with a query, which has no use for the start. */
    private Object writeReplace() {
        return new Travelling(columns, weights, variance, priorMean, priorPrecisionOfMeans, publicSize);
    }

    private record Travelling(
            List<String> columns,
            double[] weights,
            double variance,
            double[] priorMean,
            double priorPrecisionOfMeans,
            long publicSize)
            implements Serializable {
        private Object readResolve() {
            return new MixtureMeans(
                    columns, weights, variance, priorMean, priorPrecisionOfMeans, publicSize, Optional.empty());
        }
    }
}
