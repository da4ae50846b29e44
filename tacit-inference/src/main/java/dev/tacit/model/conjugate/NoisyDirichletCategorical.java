package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * How often each of K categories occurs, from noisy counts of the first K − 1.
 *
 * <pre>
 *   x ~ Categorical(p),   p ~ Dirichlet(priorConcentration, …),     S_k = number of records of category k,     z = S + noise
 *   S | p, z   N(N p, N (diag p − p pᵀ)) times N(z, noise²), on the simplex;     p | S ~ Dirichlet(priorConcentration + S)
 *   drawn as   S = S₀ + A (A + noise²)⁻¹ (z − S₀ − noise),   S₀ from the first factor,   A = N (diag p − p pᵀ)
 * </pre>
 *
 * Bernstein, Sheldon 2018, Section 3. Clipped: nothing, a record adds a vector of length 0 or 1. Differs from the paper:
 * the noise is Gaussian, drawn for each count by itself (the authors' code adds one number to all counts, which is not
 * private) and added behind the door; what leaves the simplex is drawn again, the last count included.
 *
 * @param categories their names
 * @param priorConcentration of each category
 * @param publicSize N, the declared number of units
 */
public record NoisyDirichletCategorical(List<String> categories, double priorConcentration, long publicSize)
        implements NoisyStatisticsModel {
    private static final int MOST_TRIES = 100;

    public NoisyDirichletCategorical {
        categories = List.copyOf(categories);
        if (categories.size() < 2) {
            throw new IllegalArgumentException("a category column has at least two categories");
        }
        ConjugatePair.requirePositive(priorConcentration, "priorConcentration");
        ConjugatePair.requireSize(publicSize);
    }

    @Override
    public List<String> parameterNames() {
        return categories;
    }

    @Override
    public List<Statistics> releases() {
        int counts = categories.size() - 1;
        return List.of(new Statistics(
                "counts",
                new ContributionSum() {
                    @Override
                    public int dimension() {
                        return counts;
                    }

                    @Override
                    public Worker worker() {
                        return new CountWorker();
                    }
                },
                1));
    }

    /** Adds one to the count of a row's category, with its own memory for the row. */
    private final class CountWorker implements ContributionSum.Worker {
        private double[] cells = {};

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (cells.length != block.columns()) {
                cells = new double[block.columns()];
            }
            int category = DirichletCategorical.category(block, row, cells, categories.size());
            if (category >= 0 && category < categories.size() - 1) {
                contribution.add(category, 1);
            }
        }
    }

    @Override
    public Chain chain(List<double[]> released, RandomStream random) {
        return new Counts(released.get(0), random);
    }

    private final class Counts implements Chain {
        private final double[] noisy;
        private final double[] counts;
        private final double[] probabilities;
        private final double[] normals;

        Counts(double[] noisy, RandomStream random) {
            this.noisy = noisy;
            this.counts = new double[noisy.length];
            this.probabilities = new double[noisy.length + 1];
            this.normals = new double[noisy.length + 1];
            drawProbabilities(new double[noisy.length], 0, random);
        }

        @Override
        public void sweep(double[] noiseVariances, RandomStream random) {
            double total = 0;
            for (int i = 0; i < MOST_TRIES; i++) {
                total = drawCounts(noiseVariances, random);
                if (total >= 0) {
                    break;
                }
            }
            if (total < 0) {
                total = moveInside();
            }
            drawProbabilities(counts, publicSize - total, random);
        }

        /** The sum of the counts; negative if they are no counts. */
        private double drawCounts(double[] noiseVariances, RandomStream random) {
            int n = counts.length;
            random.fillNormal(normals);
            double shared = 0;
            for (int k = 0; k <= n; k++) {
                shared += Math.sqrt(probabilities[k]) * normals[k];
            }
            double[] spread = new double[n * n];
            double[] total = new double[n * n];
            double[] gap = new double[n];
            for (int i = 0; i < n; i++) {
                double p = probabilities[i];
                counts[i] = publicSize * p + Math.sqrt((double) publicSize) * (Math.sqrt(p) * normals[i] - p * shared);
                gap[i] = noisy[i] - counts[i] - Math.sqrt(noiseVariances[i]) * random.normal();
                for (int j = 0; j < n; j++) {
                    spread[i * n + j] = publicSize * ((i == j ? p : 0) - p * probabilities[j]);
                    total[i * n + j] = spread[i * n + j] + (i == j ? noiseVariances[i] : 0);
                }
            }
            LinearAlgebra algebra = LinearAlgebra.best();
            if (!algebra.cholesky(n, total)) {
                return -1;
            }
            algebra.solveCholesky(n, total, 1, gap);
            algebra.multiplyVector(false, n, n, 1, spread, gap, 1, counts);
            double sum = 0;
            boolean inside = true;
            for (double count : counts) {
                sum += count;
                inside &= count >= 0;
            }
            return inside && sum <= publicSize ? sum : -1;
        }

        /** After many refusals: the counts without what makes them impossible. */
        private double moveInside() {
            double sum = 0;
            for (int i = 0; i < counts.length; i++) {
                counts[i] = Math.max(0, counts[i]);
                sum += counts[i];
            }
            if (sum > publicSize) {
                for (int i = 0; i < counts.length; i++) {
                    counts[i] *= publicSize / sum;
                }
                sum = (double) publicSize;
            }
            return sum;
        }

        private void drawProbabilities(double[] given, double last, RandomStream random) {
            double sum = 0;
            for (int k = 0; k < probabilities.length; k++) {
                double count = k < given.length ? given[k] : last;
                probabilities[k] = Math.max(1e-12, random.gamma(priorConcentration + count));
                sum += probabilities[k];
            }
            for (int k = 0; k < probabilities.length; k++) {
                probabilities[k] /= sum;
            }
        }

        @Override
        public double[] statistics() {
            return counts.clone();
        }

        @Override
        public double[] parameters() {
            return probabilities.clone();
        }
    }
}
