package dev.tacit.model.mixture;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.NormalGammaPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A mixture of Gaussians with unknown weights, means and variances, independent along columns within a component.
 *
 * <pre>
 *   l_n ~ Categorical(π),   x_nj | l_n = k ~ N(μ_kj, 1/τ_kj)
 *   π ~ Dirichlet(1),   τ_kj ~ Gamma(a₀, b₀),   μ_kj | τ_kj ~ N(0, 1/(κ₀ τ_kj))
 *   r_nk ∝ exp(⟨log π_k⟩ + ½ Σ_j (⟨log τ_kj⟩ − ⟨τ_kj (x_nj − μ_kj)²⟩)),     Σ_k r_nk = 1
 *   statistics of one record:  r_nk,   r_nk x_nj,   r_nk x_nj²          L2 norm at most √(1 + R² + R⁴)
 * </pre>
 *
 * Bishop 2006, Section 10.2, with diagonal precisions. All statistics are one vector, clipped jointly. The start does not
 * look at data: means are drawn from the prior's unit scale, weights are equal.
 *
 * <p>With noise of standard deviation s on each sum (post-processing): counts are repaired by {@link MixtureWeights};
 * means shrink as if s more records lay
 * at 0, and stay within [−1, 1], as encoded columns do; a sum of squares around the mean below its own noise is raised to
 * it, up to the variance of the start. The variances of weights and means grow by those of the noise, to first order and
 * by matching moments; those of the precisions do not.
 *
 * @param columns names of the columns
 * @param components how many
 * @param rowNormBound public bound on the L2 norm of a record
 * @param publicSize declared number of units
 */
public record GaussianMixture(List<String> columns, int components, double rowNormBound, long publicSize)
        implements ConjugateExponentialModel<ProductPosterior>, DescriptiveModel, RowBounded, Serializable {
    public static final String NAME = "gaussian-mixture";

    static final double PRIOR_PRECISION = 0.1;
    static final double PRIOR_SHAPE = 2;
    static final double PRIOR_RATE = 0.05;
    private static final double START_SCALE = 0.5;
    private static final double START_VARIANCE = 0.25;

    /** Of numbers in [−1, 1]. */
    private static final double LARGEST_VARIANCE = 1;

    private static final String WEIGHTS = "weights";

    public GaussianMixture {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a mixture has at least one column");
        }
        if (components < 2) {
            throw new IllegalArgumentException("a mixture has at least two components");
        }
        ConjugatePair.requirePositive(rowNormBound, "the bound on the norm of a record");
        ConjugatePair.requireSize(publicSize);
    }

    private int width() {
        return columns.size();
    }

    @Override
    public int statisticsDimension() {
        return components * (1 + 2 * width());
    }

    @Override
    public double statisticsL2Bound() {
        double square = rowNormBound * rowNormBound;
        return Math.sqrt(1 + square + square * square);
    }

    @Override
    public ProductPosterior start(double[] hyperParameters, RandomStream random) {
        double[] counts = new double[components];
        Arrays.fill(counts, publicSize / (double) components);
        double[] means = new double[components * width()];
        double[] precisions = new double[means.length];
        double[] shapes = new double[means.length];
        double[] rates = new double[means.length];
        for (int i = 0; i < means.length; i++) {
            means[i] = START_SCALE * random.normal();
        }
        Arrays.fill(precisions, 1e6);
        Arrays.fill(shapes, PRIOR_SHAPE);
        Arrays.fill(rates, PRIOR_SHAPE * START_VARIANCE);
        return posterior(MixtureWeights.posterior(counts, publicSize, 0), means, precisions, shapes, rates);
    }

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(ProductPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public ContributionSum expectedStatistics(ProductPosterior posterior) {
        Responsibilities responsibilities = new Responsibilities(posterior);
        return new ContributionSum() {
            @Override
            public int dimension() {
                return statisticsDimension();
            }

            @Override
            public Worker worker() {
                return new StatisticsWorker(responsibilities);
            }
        };
    }

    /** Adds the statistics of one row, with its own scratch memory. */
    private final class StatisticsWorker implements ContributionSum.Worker {
        private final Responsibilities responsibilities;
        private final double[] shares = new double[components];
        private final double[] statistics = new double[statisticsDimension()];
        private double[] cells = {};

        StatisticsWorker(Responsibilities responsibilities) {
            this.responsibilities = responsibilities;
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            cells = cells(block, row, cells);
            responsibilities.of(cells, shares);
            int width = width();
            for (int k = 0; k < components; k++) {
                statistics[k] = shares[k];
                for (int j = 0; j < width; j++) {
                    double first = shares[k] * cells[j];
                    statistics[components + k * width + j] = first;
                    statistics[components * (1 + width) + k * width + j] = first * cells[j];
                }
            }
            contribution.addAll(0, statistics, 0, statistics.length);
        }
    }

    /** A row written out; an intercept, which is the last column, does not belong to the model. */
    static double[] cells(RecordBlock block, int row, double[] memory) {
        double[] cells = memory.length == block.columns() ? memory : new double[block.columns()];
        Arrays.fill(cells, 0);
        Rows.addTo(block, row, 1, cells, 0);
        return cells;
    }

    /** r_n under a posterior. */
    private final class Responsibilities implements Serializable {
        private static final long serialVersionUID = 1;

        private final double[] constants = new double[components];
        private final double[] means;
        private final double[] precisions;

        Responsibilities(ProductPosterior posterior) {
            double[] logWeights = ((DirichletPosterior) posterior.block(WEIGHTS)).meanLogarithm();
            int width = width();
            this.means = new double[components * width];
            this.precisions = new double[components * width];
            for (int k = 0; k < components; k++) {
                constants[k] = logWeights[k];
                for (int j = 0; j < width; j++) {
                    NormalGammaPosterior cell = (NormalGammaPosterior) posterior.block(block(k, j));
                    means[k * width + j] = cell.weightMean()[0];
                    precisions[k * width + j] = cell.noisePrecision().shape()
                            / cell.noisePrecision().rate();
                    constants[k] += 0.5
                            * (SpecialFunctions.digamma(cell.noisePrecision().shape())
                                    - Math.log(cell.noisePrecision().rate())
                                    - Math.log(2 * Math.PI)
                                    - 1 / cell.weightPrecision()[0]);
                }
            }
        }

        /** Writes the shares and returns the logarithm of their sum before they were normalised. */
        double of(double[] cells, double[] shares) {
            int width = width();
            for (int k = 0; k < components; k++) {
                double log = constants[k];
                for (int j = 0; j < width; j++) {
                    double distance = cells[j] - means[k * width + j];
                    log -= 0.5 * precisions[k * width + j] * distance * distance;
                }
                shares[k] = log;
            }
            double sum = SpecialFunctions.logSumExp(shares, components);
            SpecialFunctions.softmax(shares, shares, components);
            return sum;
        }
    }

    @Override
    public ProductPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        int width = width();
        double noise = noiseStandardDeviation;
        double[] counts = MixtureWeights.counts(statistics, components, publicSize, noise);
        double[] means = new double[components * width];
        double[] precisions = new double[means.length];
        double[] shapes = new double[means.length];
        double[] rates = new double[means.length];
        for (int k = 0; k < components; k++) {
            for (int j = 0; j < width; j++) {
                int cell = k * width + j;
                double first = statistics[components + cell];
                double second = statistics[components * (1 + width) + cell];
                double weight = PRIOR_PRECISION + counts[k] + noise;
                double mean = Math.max(-1, Math.min(1, first / weight));
                double squares = second - 2 * mean * first + mean * mean * counts[k];
                double floor = noise * Math.sqrt(1 + 4 * mean * mean + mean * mean * mean * mean);
                means[cell] = mean;
                shapes[cell] = PRIOR_SHAPE + counts[k] / 2;
                double raised = Math.max(Math.max(0, squares), Math.min(floor, counts[k] * START_VARIANCE));
                double rate = PRIOR_RATE + 0.5 * (raised + PRIOR_PRECISION * mean * mean);
                rates[cell] = Math.min(rate, shapes[cell] * LARGEST_VARIANCE);
                double variance =
                        rates[cell] / shapes[cell] / weight + noise * noise * (1 + mean * mean) / weight / weight;
                precisions[cell] = rates[cell] / shapes[cell] / variance;
            }
        }
        return posterior(MixtureWeights.posterior(counts, publicSize, noise), means, precisions, shapes, rates);
    }

    private ProductPosterior posterior(
            DirichletPosterior weights, double[] means, double[] precisions, double[] shapes, double[] rates) {
        int width = width();
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        blocks.put(WEIGHTS, weights);
        for (int k = 0; k < components; k++) {
            for (int j = 0; j < width; j++) {
                int cell = k * width + j;
                blocks.put(
                        block(k, j),
                        new NormalGammaPosterior(
                                List.of("mean"),
                                "precision",
                                new double[] {means[cell]},
                                new double[] {precisions[cell]},
                                shapes[cell],
                                rates[cell]));
            }
        }
        return new ProductPosterior(blocks);
    }

    private String block(int component, int column) {
        return "component-" + (component + 1) + "." + columns.get(column);
    }

    @Override
    public List<String> descriptionNames() {
        return MixtureWeights.names(components);
    }

    @Override
    public Describer describer(Posterior posterior) {
        Responsibilities responsibilities = new Responsibilities((ProductPosterior) posterior);
        double[][] memory = new double[1][0];
        return (block, row, description) -> {
            memory[0] = cells(block, row, memory[0]);
            responsibilities.of(memory[0], description);
        };
    }

    /** The mean over records of log Σ_k ⟨π_k⟩ Π_j Student(x_j), the predictive density. */
    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        ProductPosterior product = (ProductPosterior) posterior;
        double[] weights = product.block(WEIGHTS).mean();
        int width = width();
        double[] logs = new double[components];
        double[] memory = {};
        double sum = 0;
        long rows = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                memory = cells(block, row, memory);
                for (int k = 0; k < components; k++) {
                    logs[k] = Math.log(weights[k]);
                    for (int j = 0; j < width; j++) {
                        logs[k] += logStudent((NormalGammaPosterior) product.block(block(k, j)), memory[j]);
                    }
                }
                sum += SpecialFunctions.logSumExp(logs, components);
                rows++;
            }
        }
        return Map.of("logLikelihood", rows == 0 ? 0 : sum / rows);
    }

    private static double logStudent(NormalGammaPosterior cell, double x) {
        double degrees = 2 * cell.noisePrecision().shape();
        double square =
                cell.noisePrecision().rate() / cell.noisePrecision().shape() * (1 + 1 / cell.weightPrecision()[0]);
        double distance = x - cell.weightMean()[0];
        return SpecialFunctions.logGamma((degrees + 1) / 2)
                - SpecialFunctions.logGamma(degrees / 2)
                - 0.5 * Math.log(degrees * Math.PI * square)
                - (degrees + 1) / 2 * Math.log1p(distance * distance / (degrees * square));
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return List.of();
    }
}
