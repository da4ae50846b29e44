package dev.tacit.model.conjugate;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.RecordSimulator;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How often each category of a column occurs.
 *
 * <pre>
 *   x_n ~ Categorical(θ),   θ ~ Dirichlet(priorConcentration, …, priorConcentration)
 *   statistic of one record: e_{x_n} − 1/K, of L2 norm √(1 − 1/K);     counts = N/K + Σ_n (e_{x_n} − 1/K)
 *   θ | x ~ Dirichlet(priorConcentration + counts)
 * </pre>
 *
 * Bernardo, Smith 1994, Section 5.2. The category of a row is its largest number, the first of them; a row without a
 * positive number contributes nothing. N is the declared number of units. Noisy counts are replaced by the nearest
 * counts that are not negative and sum to N, and the concentrations are scaled down so that the variances grow, in sum,
 * by those of the noise: the intervals include the noise of the release, by matching moments.
 *
 * @param categories their names
 * @param priorConcentration of each category
 * @param publicSize declared number of units
 */
public record DirichletCategorical(List<String> categories, double priorConcentration, long publicSize)
        implements ConjugateExponentialModel<DirichletPosterior>, DescriptiveModel, RecordSimulator, Serializable {
    public static final String NAME = "dirichlet-categorical";

    public DirichletCategorical {
        categories = List.copyOf(categories);
        if (categories.size() < 2) {
            throw new IllegalArgumentException("a category column has at least two categories");
        }
        ConjugatePair.requirePositive(priorConcentration, "priorConcentration");
        ConjugatePair.requireSize(publicSize);
    }

    @Override
    public int statisticsDimension() {
        return categories.size();
    }

    @Override
    public double statisticsL2Bound() {
        return Math.sqrt(1 - 1.0 / categories.size());
    }

    @Override
    public DirichletPosterior start(double[] hyperParameters, RandomStream random) {
        double[] prior = new double[categories.size()];
        Arrays.fill(prior, priorConcentration);
        return new DirichletPosterior(categories, prior);
    }

    @Override
    public double[] hyperParameters() {
        return new double[0];
    }

    @Override
    public double[] hyperParameters(DirichletPosterior posterior, double[] before) {
        return before;
    }

    @Override
    public ContributionSum expectedStatistics(DirichletPosterior posterior) {
        int size = categories.size();
        return new ContributionSum() {
            @Override
            public int dimension() {
                return size;
            }

            @Override
            public Worker worker() {
                return new CategoryWorker();
            }
        };
    }

    /** Adds one row's category, with its own memory for the row. */
    private final class CategoryWorker implements ContributionSum.Worker {
        private double[] cells = {};

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (cells.length != block.columns()) {
                cells = new double[block.columns()];
            }
            int category = category(block, row, cells, categories.size());
            if (category >= 0) {
                double centre = -1.0 / categories.size();
                for (int i = 0; i < categories.size(); i++) {
                    contribution.add(i, i == category ? 1 + centre : centre);
                }
            }
        }
    }

    /** The category of a row, −1 if it has none. */
    static int category(RecordBlock block, int row, double[] cells, int categories) {
        Arrays.fill(cells, 0);
        Rows.addTo(block, row, 1, cells, 0);
        int best = -1;
        double most = 0;
        for (int i = 0; i < categories; i++) {
            if (cells[i] > most) {
                most = cells[i];
                best = i;
            }
        }
        return best;
    }

    @Override
    public DirichletPosterior posterior(double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        int size = categories.size();
        double[] concentration = new double[size];
        for (int i = 0; i < size; i++) {
            concentration[i] = publicSize / (double) size + statistics[i];
        }
        projectToSimplex(concentration, (double) publicSize);
        double total = size * priorConcentration + publicSize;
        double spread = 1;
        for (int i = 0; i < size; i++) {
            concentration[i] = (priorConcentration + concentration[i]) / total;
            spread -= concentration[i] * concentration[i];
        }
        double noise = noiseStandardDeviation / total;
        double variance = spread / (total + 1) + (size - 1) * noise * noise;
        double matched = ConjugatePair.matchedTotal(spread, variance, total);
        for (int i = 0; i < size; i++) {
            concentration[i] *= matched;
        }
        return new DirichletPosterior(categories, concentration);
    }

    /** The nearest point in L2 whose numbers are not negative and have this sum: Duchi et al. 2008, Figure 1. */
    public static void projectToSimplex(double[] point, double sum) {
        double[] sorted = point.clone();
        Arrays.sort(sorted);
        double running = 0;
        double threshold = 0;
        for (int count = 1; count <= sorted.length; count++) {
            running += sorted[sorted.length - count];
            double candidate = (running - sum) / count;
            if (sorted[sorted.length - count] > candidate) {
                threshold = candidate;
            }
        }
        for (int i = 0; i < point.length; i++) {
            point[i] = Math.max(0, point[i] - threshold);
        }
    }

    @Override
    public List<String> descriptionNames() {
        return List.of("probability");
    }

    @Override
    public Describer describer(Posterior posterior) {
        double[] mean = posterior.mean();
        double[][] cells = new double[1][0];
        return (block, row, description) -> {
            if (cells[0].length != block.columns()) {
                cells[0] = new double[block.columns()];
            }
            int category = category(block, row, cells[0], categories.size());
            description[0] = category < 0 ? 0 : mean[category];
        };
    }

    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        Describer describer = describer(posterior);
        double[] probability = new double[1];
        double sum = 0;
        long rows = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                describer.describe(block, row, probability);
                if (probability[0] > 0) {
                    sum += Math.log(probability[0]);
                    rows++;
                }
            }
        }
        return Map.of("logLikelihood", rows == 0 ? 0 : sum / rows);
    }

    @Override
    public RecordBlock drawRecords(double[] parameters, int rows, RandomStream random) {
        return records(parameters, rows, random);
    }

    /** One-hot rows with these probabilities. */
    static RecordBlock records(double[] probabilities, int rows, RandomStream random) {
        int size = probabilities.length;
        double[] cells = new double[rows * size];
        for (int row = 0; row < rows; row++) {
            double left = random.uniform();
            int category = 0;
            while (category < size - 1 && left >= probabilities[category]) {
                left -= probabilities[category++];
            }
            cells[row * size + category] = 1;
        }
        return DenseBlock.of(rows, size, cells, new double[rows]);
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return List.of();
    }
}
