package dev.tacit.experiments.noiseaware;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.Rows;

/**
 * The models of Alrawajfeh, Jälkö, Honkela 2025 for {@link PublishedAlgorithm}: gradients of one record's share of the
 * negative bound.
 *
 * <pre>
 *   D_k = −∂ log p(x | θ_k)/∂θ,   h_k = ∂(log prior + log |Jacobian|)/∂θ,   θ_k = μ + softplus(u) z_k
 *   ∂μ = mean_k (D_k − h_k/N),     ∂u = sigmoid(u) mean_k ((D_k − h_k/N) z_k) − sigmoid(u)/softplus(u)/N
 * </pre>
 */
abstract class PublishedRecords implements PublishedAlgorithm.Records {
    private final int parameters;
    private final double size;

    /** What does not depend on the record: prior and entropy. */
    private final double[] shared;

    double[] slopes;
    double[] draws;
    final double[] points;

    private PublishedRecords(int parameters, double size) {
        this.parameters = parameters;
        this.size = size;
        this.shared = new double[2 * parameters];
        this.points = new double[PublishedAlgorithm.DRAWS * parameters];
    }

    @Override
    public int parameters() {
        return parameters;
    }

    @Override
    public void prepare(double[] means, double[] scales, double[] newSlopes, double[] newDraws) {
        slopes = newSlopes;
        draws = newDraws;
        int n = parameters;
        int count = newDraws.length / n;
        double[] point = new double[n];
        double[] prior = new double[n];
        java.util.Arrays.fill(shared, 0);
        for (int k = 0; k < count; k++) {
            for (int j = 0; j < n; j++) {
                point[j] = means[j] + scales[j] * newDraws[k * n + j];
                points[k * n + j] = point[j];
            }
            prior(point, prior);
            for (int j = 0; j < n; j++) {
                shared[j] -= prior[j] / (count * size);
                shared[n + j] -= newSlopes[j] * prior[j] * newDraws[k * n + j] / (count * size);
            }
        }
        for (int j = 0; j < n; j++) {
            shared[n + j] -= newSlopes[j] / (scales[j] * size);
        }
        prepareLikelihood();
    }

    @Override
    public void gradient(int kind, double[] gradient) {
        System.arraycopy(shared, 0, gradient, 0, gradient.length);
        addLikelihood(kind, gradient);
    }

    /** h. */
    abstract void prior(double[] point, double[] gradient);

    abstract void prepareLikelihood();

    /** Adds mean D and sigmoid(u) mean D z. */
    abstract void addLikelihood(int kind, double[] gradient);

    /** Logit of a probability under Beta(10, 10). */
    static final class Coin extends PublishedRecords {
        private final int[] counts = new int[2];
        private double mean;
        private double product;
        private double drawMean;

        Coin(DenseBlock block) {
            super(1, block.rows());
            for (int row = 0; row < block.rows(); row++) {
                counts[block.label(row) > 0.5 ? 1 : 0]++;
            }
        }

        @Override
        public int kinds() {
            return 2;
        }

        @Override
        public int count(int kind) {
            return counts[kind];
        }

        @Override
        void prior(double[] point, double[] gradient) {
            gradient[0] = 10 - 20 * SpecialFunctions.sigmoid(point[0]);
        }

        @Override
        void prepareLikelihood() {
            mean = 0;
            product = 0;
            drawMean = 0;
            for (int k = 0; k < draws.length; k++) {
                double probability = SpecialFunctions.sigmoid(points[k]);
                mean += probability / draws.length;
                product += probability * draws[k] / draws.length;
                drawMean += draws[k] / draws.length;
            }
        }

        @Override
        void addLikelihood(int kind, double[] gradient) {
            gradient[0] += mean - kind;
            gradient[1] += slopes[0] * (product - kind * drawMean);
        }
    }

    /** Log-ratios of three probabilities to the last under Dirichlet(5, 5, 5). */
    static final class Die extends PublishedRecords {
        private final int[] counts = new int[3];
        private final double[] means = new double[2];
        private final double[] products = new double[2];
        private final double[] drawMeans = new double[2];

        Die(DenseBlock block) {
            super(2, block.rows());
            for (int row = 0; row < block.rows(); row++) {
                counts[(int) block.label(row)]++;
            }
        }

        @Override
        public int kinds() {
            return 3;
        }

        @Override
        public int count(int kind) {
            return counts[kind];
        }

        private static void probabilities(double[] points, int at, double[] result) {
            double first = Math.exp(points[at]);
            double second = Math.exp(points[at + 1]);
            result[0] = first / (1 + first + second);
            result[1] = second / (1 + first + second);
        }

        @Override
        void prior(double[] point, double[] gradient) {
            probabilities(point, 0, gradient);
            gradient[0] = 5 - 15 * gradient[0];
            gradient[1] = 5 - 15 * gradient[1];
        }

        @Override
        void prepareLikelihood() {
            int count = draws.length / 2;
            double[] p = new double[2];
            for (int j = 0; j < 2; j++) {
                means[j] = 0;
                products[j] = 0;
                drawMeans[j] = 0;
            }
            for (int k = 0; k < count; k++) {
                probabilities(points, 2 * k, p);
                for (int j = 0; j < 2; j++) {
                    means[j] += p[j] / count;
                    products[j] += p[j] * draws[2 * k + j] / count;
                    drawMeans[j] += draws[2 * k + j] / count;
                }
            }
        }

        @Override
        void addLikelihood(int kind, double[] gradient) {
            for (int j = 0; j < 2; j++) {
                int here = kind == j ? 1 : 0;
                gradient[j] += means[j] - here;
                gradient[2 + j] += slopes[j] * (products[j] - here * drawMeans[j]);
            }
        }
    }

    /** Inverse softplus of a rate under Gamma(8, rate 2). */
    static final class Waiting extends PublishedRecords {
        private final double[] times;
        private double constant;
        private double factor;
        private double constantProduct;
        private double factorProduct;

        Waiting(DenseBlock block) {
            super(1, block.rows());
            times = new double[block.rows()];
            for (int row = 0; row < times.length; row++) {
                times[row] = block.label(row);
            }
        }

        @Override
        public int kinds() {
            return times.length;
        }

        @Override
        public int count(int kind) {
            return 1;
        }

        @Override
        void prior(double[] point, double[] gradient) {
            double slope = SpecialFunctions.sigmoid(point[0]);
            gradient[0] = slope * (7 / SpecialFunctions.softplus(point[0]) - 2) + 1 - slope;
        }

        @Override
        void prepareLikelihood() {
            constant = 0;
            factor = 0;
            constantProduct = 0;
            factorProduct = 0;
            for (int k = 0; k < draws.length; k++) {
                double slope = SpecialFunctions.sigmoid(points[k]) / draws.length;
                double ratio = slope / SpecialFunctions.softplus(points[k]);
                constant -= ratio;
                factor += slope;
                constantProduct -= ratio * draws[k];
                factorProduct += slope * draws[k];
            }
        }

        @Override
        void addLikelihood(int kind, double[] gradient) {
            gradient[0] += constant + factor * times[kind];
            gradient[1] += slopes[0] * (constantProduct + factorProduct * times[kind]);
        }
    }

    /** Weights, and inverse softplus of the variance of residuals, under w | v ~ N(0, v/λ₀), v ~ InverseGamma(20, ½). */
    static final class Regression extends PublishedRecords {
        private final int columns;
        private final double priorPrecision;
        private final double[] cells;
        private final double[] targets;
        private final double[] inverses = new double[PublishedAlgorithm.DRAWS];
        private final double[] links = new double[PublishedAlgorithm.DRAWS];
        private final double[] products;

        Regression(DenseBlock block, double priorPrecision) {
            super(block.columns() + 1, block.rows());
            this.columns = block.columns();
            this.priorPrecision = priorPrecision;
            this.cells = new double[block.rows() * columns];
            this.targets = new double[block.rows()];
            this.products = new double[columns];
            for (int row = 0; row < targets.length; row++) {
                Rows.addTo(block, row, 1, cells, row * columns);
                targets[row] = block.label(row);
            }
        }

        @Override
        public int kinds() {
            return targets.length;
        }

        @Override
        public int count(int kind) {
            return 1;
        }

        @Override
        void prior(double[] point, double[] gradient) {
            double variance = SpecialFunctions.softplus(point[columns]);
            double slope = SpecialFunctions.sigmoid(point[columns]);
            double squares = 0;
            for (int j = 0; j < columns; j++) {
                gradient[j] = -priorPrecision * point[j] / variance;
                squares += point[j] * point[j];
            }
            gradient[columns] = slope
                            * (-21 / variance
                                    + 0.5 / (variance * variance)
                                    - columns / (2 * variance)
                                    + priorPrecision * squares / (2 * variance * variance))
                    + 1
                    - slope;
        }

        @Override
        void prepareLikelihood() {
            for (int k = 0; k < inverses.length; k++) {
                double link = points[k * (columns + 1) + columns];
                inverses[k] = 1 / SpecialFunctions.softplus(link);
                links[k] = SpecialFunctions.sigmoid(link);
            }
        }

        @Override
        void addLikelihood(int kind, double[] gradient) {
            int n = columns + 1;
            int at = kind * columns;
            double mean = 0;
            double variance = 0;
            double varianceProduct = 0;
            java.util.Arrays.fill(products, 0);
            for (int k = 0; k < inverses.length; k++) {
                double residual = -targets[kind];
                for (int j = 0; j < columns; j++) {
                    residual += points[k * n + j] * cells[at + j];
                }
                double scaled = residual * inverses[k] / inverses.length;
                mean += scaled;
                for (int j = 0; j < columns; j++) {
                    products[j] += scaled * draws[k * n + j];
                }
                double part = links[k] * 0.5 * inverses[k] * (1 - residual * residual * inverses[k]) / inverses.length;
                variance += part;
                varianceProduct += part * draws[k * n + columns];
            }
            for (int j = 0; j < columns; j++) {
                gradient[j] += mean * cells[at + j];
                gradient[n + j] += slopes[j] * products[j] * cells[at + j];
            }
            gradient[columns] += variance;
            gradient[n + columns] += slopes[columns] * varianceProduct;
        }
    }
}
