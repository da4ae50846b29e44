package dev.tacit.model.belief;

import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;

/**
 * A sigmoid belief network made conjugate by Pólya-Gamma variables: closed-form updates from second-order statistics.
 *
 * <pre>
 *   u = (z − ½, 1), statistics of one record:  1,   ⟨z⟩ − ½,   (y_j − ½) ⟨u⟩ᵀ,   ⟨ξ_j⟩ ⟨u uᵀ⟩ for every column j
 *   q(w_j, c_j) = Π N:   P_j = prior + Σ_n ⟨ξ_nj⟩⟨u uᵀ⟩,   mean P_j⁻¹ Σ_n (y_nj − ½)⟨u_n⟩,   variance 1 / diag P_j
 *   b_k:  sum of (⟨z_k⟩ − ½) = N (sigmoid(b_k) − ½) + b_k                              by b ← sum / (N ⟨ξ(b)⟩ + 1)
 * </pre>
 *
 * Gan, Henao, Carlson, Carin 2015; Park, Foulds, Chaudhuri, Welling 2020, Section 6. Of the paper's seven statistics, the
 * Pólya-Gamma variables of b follow from released numbers and the sums of ξ z from those of ξ z zᵀ; neither needs noise.
 * With centred units ⟨(z − ½)²⟩ = ¼, so diagonals of ξ u uᵀ are not released either. Weights and biases of a column are
 * solved for together. Released as one vector: the count, hidden units times {@code hiddenWeight}, first-order
 * statistics, second-order ones times {@code squareWeight} with √2 off the diagonal, clipped jointly in L2 at
 * {@code clipShare} of the largest norm. J (K+1)(K+2)/2 numbers make this a method for few hidden units.
 *
 * <p>With noise, negative eigenvalues of each second-order sum are set to 0 and {@code ridge} times the edge of the
 * noise's spectrum, sd √(2(K+1)), is added.
 *
 * @param network shape and inference
 * @param publicSize declared number of records
 * @param clipShare of the largest norm that a record can have
 * @param hiddenWeight weight of the hidden units' sums
 * @param squareWeight weight of second-order statistics
 * @param ridge multiple of the noise's edge
 * @param shrinking whether weights have the {@link ThreeParameterBetaNormal} prior; otherwise N(0, 1)
 */
public record PolyaGammaBelief(
        SigmoidBeliefNetwork network,
        long publicSize,
        double clipShare,
        double hiddenWeight,
        double squareWeight,
        double ridge,
        boolean shrinking)
        implements ConjugateExponentialModel<BeliefNetworkPosterior>, Serializable {
    private static final double SQRT2 = Math.sqrt(2);
    private static final double START_VARIANCE = 0.01;
    private static final int BIAS_ROUNDS = 200;
    private static final double LARGEST_HIDDEN_BIAS = 6;

    public PolyaGammaBelief {
        Objects.requireNonNull(network, "network");
        if (!(clipShare > 0 && clipShare <= 1)) {
            throw new IllegalArgumentException("clipShare is a number above 0, up to 1");
        }
        if (!(hiddenWeight > 0) || !(squareWeight > 0) || Double.isInfinite(hiddenWeight + squareWeight)) {
            throw new IllegalArgumentException("hiddenWeight and squareWeight are positive numbers");
        }
        if (!(ridge >= 0) || Double.isInfinite(ridge)) {
            throw new IllegalArgumentException("ridge is a number from 0");
        }
        if ((long) network.columns().size() * (network.hiddenUnits() + 2) * (network.hiddenUnits() + 3) / 2 > 1 << 27) {
            throw new IllegalArgumentException("this method has too many statistics for so many hidden units");
        }
    }

    private int columns() {
        return network.columns().size();
    }

    private int hidden() {
        return network.hiddenUnits();
    }

    /** Products z_k z_l of different units, units, and 1. */
    private int squares() {
        return hidden() * (hidden() + 1) / 2 + 1;
    }

    private int hiddenStart() {
        return 1;
    }

    private int firstStart() {
        return 1 + hidden();
    }

    private int squareStart() {
        return firstStart() + columns() * (hidden() + 1);
    }

    @Override
    public int statisticsDimension() {
        return squareStart() + columns() * squares();
    }

    /** {@code clipShare} of √(1 + h² K/4 + J/4 (K/4 + 1) + s² J/16 (K(K−1)/16 + K/2 + 1)). */
    @Override
    public double statisticsL2Bound() {
        double k = hidden();
        double square = 1
                + hiddenWeight * hiddenWeight * k / 4
                + columns() / 4.0 * (k / 4 + 1)
                + squareWeight * squareWeight * columns() / 16.0 * (k * (k - 1) / 16 + k / 2 + 1);
        return clipShare * Math.sqrt(square);
    }

    @Override
    public BeliefNetworkPosterior start(double[] hyperParameters, RandomStream random) {
        double[] mean = BeliefGradients.of(network, publicSize).start(random);
        double[] variance = new double[mean.length];
        Arrays.fill(variance, START_VARIANCE);
        return new BeliefNetworkPosterior(network.columns(), hidden(), mean, variance);
    }

    @Override
    public double[] hyperParameters() {
        return shrinking ? ThreeParameterBetaNormal.start(columns(), hidden()) : new double[0];
    }

    @Override
    public double[] hyperParameters(BeliefNetworkPosterior posterior, double[] before) {
        if (!shrinking) {
            return before;
        }
        double[] squares = posterior.mean();
        double[] variance = posterior.variance();
        for (int i = 0; i < squares.length; i++) {
            squares[i] = squares[i] * squares[i] + variance[i];
        }
        return ThreeParameterBetaNormal.updated(columns(), hidden(), squares, before);
    }

    /** The network as inference sees it, with what uncertain weights add to ⟨ψ²⟩. */
    public NetworkWeights weights(BeliefNetworkPosterior posterior) {
        int columns = columns();
        double[] variance = posterior.variance();
        double[] margin = Arrays.copyOfRange(variance, hidden() * columns, (hidden() + 1) * columns);
        for (int i = 0; i < hidden() * columns; i++) {
            margin[i % columns] += variance[i] / 4;
        }
        return new NetworkWeights(columns, hidden(), posterior.mean(), margin);
    }

    @Override
    public ContributionSum expectedStatistics(BeliefNetworkPosterior posterior) {
        NetworkWeights weights = weights(posterior);
        return new ContributionSum() {
            @Override
            public int dimension() {
                return statisticsDimension();
            }

            @Override
            public Worker worker() {
                HiddenUnits units = network.hiddenUnits(weights);
                Statistics statistics = new Statistics();
                return (block, row, contribution) -> {
                    units.infer(block, row, network.sweeps());
                    statistics.add(units, contribution);
                };
            }
        };
    }

    /** The vectors whose products are the statistics of one record. */
    private final class Statistics {
        private final double[] hiddenScale = {hiddenWeight};
        private final double[] features = new double[hidden() + 1];
        private final double[] targets = new double[columns()];
        private final double[] augmentation = new double[columns()];
        private final double[] products = new double[squares()];

        void add(HiddenUnits units, Contribution contribution) {
            for (int k = 0; k < hidden(); k++) {
                features[k] = units.probabilities()[k] - 0.5;
            }
            features[hidden()] = 1;
            for (int j = 0; j < columns(); j++) {
                targets[j] = units.isOne(j) ? 0.5 : -0.5;
                augmentation[j] = squareWeight * units.augmentation()[j];
            }
            int next = 0;
            for (int k = 0; k <= hidden(); k++) {
                for (int l = 0; l < k; l++) {
                    products[next++] = SQRT2 * features[k] * features[l];
                }
            }
            products[next] = 1;
            contribution.add(0, 1);
            contribution.addOuter(hiddenStart(), hiddenScale, 1, features, hidden());
            contribution.addOuter(firstStart(), targets, columns(), features, hidden() + 1);
            contribution.addOuter(squareStart(), augmentation, columns(), products, squares());
        }
    }

    @Override
    public BeliefNetworkPosterior posterior(
            double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {
        int columns = columns();
        int hidden = hidden();
        double[] mean = new double[NetworkWeights.size(columns, hidden)];
        double[] variance = new double[mean.length];
        double[] first = new double[hidden + 1];
        for (int j = 0; j < columns; j++) {
            double[] precision = precision(statistics, j, noiseStandardDeviation);
            for (int k = 0; k <= hidden; k++) {
                boolean isWeight = k < hidden;
                precision[k * (hidden + 1) + k] += shrinking && isWeight ? hyperParameters[k * columns + j] : 1;
                first[k] = statistics[firstStart() + j * (hidden + 1) + k];
            }
            double[] solution = solved(hidden + 1, precision, first);
            for (int k = 0; k <= hidden; k++) {
                mean[k * columns + j] = solution[k];
                variance[k * columns + j] = 1 / precision[k * (hidden + 1) + k];
            }
        }
        double count = Math.max(1, statistics[0]);
        for (int k = 0; k < hidden; k++) {
            int i = (hidden + 1) * columns + k;
            mean[i] = hiddenBias(statistics[hiddenStart() + k] / hiddenWeight, count);
            double on = SpecialFunctions.sigmoid(mean[i]);
            variance[i] = 1 / (count * on * (1 - on) + 1);
        }
        return new BeliefNetworkPosterior(network.columns(), hidden, mean, variance);
    }

    /** Σ ξ_j u uᵀ of one column, positive semidefinite, plus the ridge. */
    private double[] precision(double[] statistics, int column, double noise) {
        int n = hidden() + 1;
        int next = squareStart() + column * squares();
        double[] matrix = new double[n * n];
        for (int k = 0; k < n; k++) {
            for (int l = 0; l < k; l++) {
                matrix[k * n + l] = statistics[next++] / (squareWeight * SQRT2);
                matrix[l * n + k] = matrix[k * n + l];
            }
        }
        double sum = statistics[next] / squareWeight;
        for (int k = 0; k < n; k++) {
            matrix[k * n + k] = k < hidden() ? sum / 4 : sum;
        }
        if (noise == 0) {
            return matrix;
        }
        double[] repaired = SymmetricMatrix.withEigenvaluesAtLeast(0, n, matrix);
        for (int k = 0; k < n; k++) {
            repaired[k * n + k] += ridge * noise / squareWeight * Math.sqrt(2.0 * n);
        }
        return repaired;
    }

    /** The solution of a positive definite system. */
    public static double[] solved(int n, double[] matrix, double[] right) {
        double[] inverse = matrix.clone();
        double[] solution = new double[n];
        if (LinearAlgebra.best().invert(n, inverse)) {
            LinearAlgebra.best().multiplyVector(false, n, n, 1, inverse, right, 0, solution);
        }
        return solution;
    }

    private static double hiddenBias(double sum, double count) {
        double bias = 0;
        for (int round = 0; round < BIAS_ROUNDS; round++) {
            bias = hiddenBiasStep(sum, count, bias);
        }
        return Math.max(-LARGEST_HIDDEN_BIAS, Math.min(LARGEST_HIDDEN_BIAS, bias));
    }

    /** One Pólya-Gamma step, with a N(0, 1) prior. */
    public static double hiddenBiasStep(double sum, double count, double bias) {
        return sum / (count * SpecialFunctions.polyaGammaMean(bias) + 1);
    }
}
