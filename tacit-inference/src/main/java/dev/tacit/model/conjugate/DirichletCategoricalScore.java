package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.RecordSimulator;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.ScoreTrace;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How often each of K categories occurs, by its score.
 *
 * <pre>
 *   x ~ Categorical(p),   p = softmax(Hᵀφ),   p ~ Dirichlet(priorConcentration, …),   H the K − 1 Helmert contrasts, H Hᵀ = I
 *   score H (e_x − p), centred and of norm 1:     ψ = H e_x / ρ,   ρ = √(1 − 1/K)
 *   m = H p* / ρ,     Cov ψ = M / ρ²,     M = H (diag p* − p* p*ᵀ) Hᵀ = ρ ∂m/∂φ*
 * </pre>
 *
 * Egozcue et al. 2003 for the coordinates. The score takes K values, the corners of a simplex whose middle does not depend
 * on where it is taken: every release says the same, and nothing is clipped. The posterior is the Gaussian at the mode,
 * from the mean R̄ of the releases, with covariance (Jᵀ (noise²/T I + N M/ρ²)⁻¹ J + K priorConcentration M)⁻¹, J = N M/ρ.
 * The category of a row is its largest number; a row without a positive number contributes nothing.
 *
 * @param categories their names
 * @param priorConcentration of each category
 * @param publicSize N, the declared number of units
 */
public record DirichletCategoricalScore(List<String> categories, double priorConcentration, long publicSize)
        implements ScoreFieldModel, DescriptiveModel, RecordSimulator, Serializable {
    private static final int PROBABILITY_DRAWS = 2_000;
    private static final int MOST_STEPS = 200;

    public DirichletCategoricalScore {
        categories = List.copyOf(categories);
        if (categories.size() < 2) {
            throw new IllegalArgumentException("a category column has at least two categories");
        }
        ConjugatePair.requirePositive(priorConcentration, "priorConcentration");
        ConjugatePair.requireSize(publicSize);
    }

    /** The entry of contrast j for a category: the first j + 1 categories against the next. */
    private static double contrast(int j, int category) {
        double scale = 1 / Math.sqrt((j + 1.0) * (j + 2.0));
        return category <= j ? scale : category == j + 1 ? -(j + 1) * scale : 0;
    }

    private double norm() {
        return Math.sqrt(1 - 1.0 / categories.size());
    }

    /** softmax(Hᵀ point). */
    public double[] probabilities(double[] point) {
        double[] logits = new double[categories.size()];
        for (int x = 0; x < logits.length; x++) {
            for (int j = 0; j < point.length; j++) {
                logits[x] += contrast(j, x) * point[j];
            }
        }
        double[] probabilities = new double[logits.length];
        SpecialFunctions.softmax(logits, probabilities, logits.length);
        return probabilities;
    }

    /** H log p. */
    public double[] contrasts(double[] probabilities) {
        double[] point = new double[categories.size() - 1];
        for (int j = 0; j < point.length; j++) {
            for (int x = 0; x < probabilities.length; x++) {
                point[j] += contrast(j, x) * Math.log(probabilities[x]);
            }
        }
        return point;
    }

    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        for (int j = 1; j < categories.size(); j++) {
            names.add("contrast-" + categories.get(j));
        }
        return names;
    }

    @Override
    public double[] start() {
        return new double[categories.size() - 1];
    }

    @Override
    public double[] startPrecisions() {
        double[] precisions = new double[categories.size() - 1];
        Arrays.fill(precisions, 1 / SpecialFunctions.trigamma(priorConcentration));
        return precisions;
    }

    @Override
    public ContributionSum score(double[] point) {
        int dimension = categories.size() - 1;
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                return new ContrastWorker();
            }
        };
    }

    /** Adds the contrasts of one row's category, with its own memory for the row. */
    private final class ContrastWorker implements ContributionSum.Worker {
        private double[] cells = {};

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (cells.length != block.columns()) {
                cells = new double[block.columns()];
            }
            int category = DirichletCategorical.category(block, row, cells, categories.size());
            if (category >= 0) {
                for (int j = Math.max(0, category - 1); j < categories.size() - 1; j++) {
                    contribution.add(j, contrast(j, category) / norm());
                }
            }
        }
    }

    /** N m for probabilities p*. */
    private double[] expectedSum(double[] probabilities) {
        double[] mean = new double[categories.size() - 1];
        for (int j = 0; j < mean.length; j++) {
            for (int x = 0; x < probabilities.length; x++) {
                mean[j] += publicSize * contrast(j, x) * probabilities[x] / norm();
            }
        }
        return mean;
    }

    /** M, row after row. */
    private double[] spread(double[] probabilities) {
        int n = categories.size() - 1;
        double[] spread = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double product = 0;
                double left = 0;
                double right = 0;
                for (int x = 0; x < probabilities.length; x++) {
                    product += contrast(i, x) * contrast(j, x) * probabilities[x];
                    left += contrast(i, x) * probabilities[x];
                    right += contrast(j, x) * probabilities[x];
                }
                spread[i * n + j] = product - left * right;
            }
        }
        return spread;
    }

    @Override
    public void expect(double[] point, double[] precisions, double[] mean, double[] slopes) {
        double[] probabilities = probabilities(point);
        double[] sum = expectedSum(probabilities);
        double[] spread = spread(probabilities);
        for (int j = 0; j < sum.length; j++) {
            mean[j] = sum[j];
            slopes[j] = publicSize * spread[j * sum.length + j] / norm();
        }
    }

    @Override
    public Posterior posterior(ScoreTrace trace) {
        int n = categories.size() - 1;
        double[] average = new double[n];
        for (int t = 0; t < trace.steps(); t++) {
            for (int j = 0; j < n; j++) {
                average[j] += trace.sum(t, j) / trace.steps();
            }
        }
        double noise = trace.noiseStandardDeviation() / Math.sqrt(trace.steps());
        double[] point = start();
        for (int step = 0; ; step++) {
            double[] probabilities = probabilities(point);
            double[] covariance = covariance(probabilities, noise);
            double[] change = multiplied(covariance, gradient(probabilities, average, noise));
            double length = Math.sqrt(squaredLength(change));
            if (length < 1e-12 || step == MOST_STEPS) {
                return new GaussianPosterior(parameterNames(), point, covariance);
            }
            for (int j = 0; j < n; j++) {
                point[j] += change[j] * Math.min(1, 0.5 / length);
            }
        }
    }

    /** The mean of the probabilities under a posterior of the contrasts, over a fixed set of draws. */
    private DirichletPosterior shares(Posterior posterior) {
        RandomStream random = RandomStream.ofSeed(1);
        double[] point = new double[posterior.dimension()];
        double[] mean = new double[categories.size()];
        for (int i = 0; i < PROBABILITY_DRAWS; i++) {
            posterior.sample(random, point);
            double[] probabilities = probabilities(point);
            for (int x = 0; x < mean.length; x++) {
                mean[x] += probabilities[x] / PROBABILITY_DRAWS;
            }
        }
        return new DirichletPosterior(categories, mean);
    }

    private DirichletCategorical conjugate() {
        return new DirichletCategorical(categories, priorConcentration, publicSize);
    }

    @Override
    public List<String> descriptionNames() {
        return conjugate().descriptionNames();
    }

    @Override
    public Describer describer(Posterior posterior) {
        return conjugate().describer(shares(posterior));
    }

    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        return conjugate().scores(shares(posterior), records);
    }

    @Override
    public RecordBlock drawRecords(double[] parameters, int rows, RandomStream random) {
        return DirichletCategorical.records(probabilities(parameters), rows, random);
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return List.of();
    }

    /** (noise² I + N M/ρ²)⁻¹ J, which commutes with M. */
    private double[] weighting(double[] spread, double noise) {
        int n = categories.size() - 1;
        LinearAlgebra algebra = LinearAlgebra.best();
        double[] total = new double[n * n];
        double[] result = new double[n * n];
        for (int i = 0; i < n * n; i++) {
            total[i] = publicSize * spread[i] / (norm() * norm()) + (i % (n + 1) == 0 ? noise * noise : 0);
            result[i] = publicSize * spread[i] / norm();
        }
        if (!algebra.cholesky(n, total)) {
            throw new IllegalStateException("the covariance of a release is not positive definite");
        }
        algebra.solveCholesky(n, total, n, result);
        return result;
    }

    private double[] gradient(double[] probabilities, double[] average, double noise) {
        int n = categories.size() - 1;
        double[] residual = expectedSum(probabilities);
        for (int j = 0; j < n; j++) {
            residual[j] = average[j] - residual[j];
        }
        double[] gradient = multiplied(weighting(spread(probabilities), noise), residual);
        for (int j = 0; j < n; j++) {
            for (int x = 0; x < probabilities.length; x++) {
                gradient[j] -= priorConcentration * probabilities.length * contrast(j, x) * probabilities[x];
            }
        }
        return gradient;
    }

    private double[] covariance(double[] probabilities, double noise) {
        int n = categories.size() - 1;
        double[] spread = spread(probabilities);
        double[] weighting = weighting(spread, noise);
        double[] precision = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                precision[i * n + j] = priorConcentration * (n + 1) * spread[i * n + j];
                for (int k = 0; k < n; k++) {
                    precision[i * n + j] += publicSize * spread[i * n + k] / norm() * weighting[k * n + j];
                }
            }
        }
        SymmetricMatrix.symmetrise(n, precision);
        LinearAlgebra algebra = LinearAlgebra.best();
        if (!algebra.cholesky(n, precision)) {
            throw new IllegalStateException("the precision of a posterior is not positive definite");
        }
        double[] covariance = new double[n * n];
        algebra.invertCholesky(n, precision, covariance);
        SymmetricMatrix.symmetrise(n, covariance);
        return covariance;
    }

    private static double[] multiplied(double[] matrix, double[] vector) {
        int n = vector.length;
        double[] result = new double[n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                result[i] += matrix[i * n + j] * vector[j];
            }
        }
        return result;
    }

    private static double squaredLength(double[] vector) {
        double sum = 0;
        for (double number : vector) {
            sum += number * number;
        }
        return sum;
    }
}
