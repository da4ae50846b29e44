package dev.tacit.model.belief;

import dev.tacit.model.BoundGradientModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Objects;

/**
 * A sigmoid belief network seen through the gradient of its bound.
 *
 * <pre>
 *   one record:  ∂L/∂w_kj = (π_k − ½) r_j − ξ_j π_k (1 − π_k) w_kj,   ∂L/∂c_j = r_j,   ∂L/∂b_k = π_k − sigmoid(b_k)
 *                r_j = y_j − ½ − ξ_j m_j;    π, ξ, m from {@link HiddenUnits}, cold for every record
 *   curvature:   along c at most ξ ≤ ¼;  along (w_1j … w_Kj) at most ¼ M,  M = ⟨(z − ½)(z − ½)ᵀ⟩ under the prior sigmoid(b)
 *                M = diag(s (1 − s)) + (s − ½)(s − ½)ᵀ, inverted with 4M + ridge by Sherman and Morrison
 * </pre>
 *
 * The zero of the gradient is the fixed point of the Pólya-Gamma updates for the means of W, c and b (Park, Foulds,
 * Chaudhuri, Welling 2020, Section 6), so the matrices Σ ξ_j z zᵀ, K²/2 numbers for every column, are not needed: J(K+1) + K
 * numbers are. Clipped: the gradient of one record, ∂b weighted by {@code hiddenWeight}, in L2 at {@code l2Bound}, about
 * half of what a typical image has; so nearly all count for their direction.
 *
 * <p>Variances are the least that the data allow, 1 / (N · largest curvature + prior), plus the noise of all steps as if
 * none was undone by a later one. They say how far noise moved a parameter, not which of many equally good networks was
 * found.
 *
 * @param network shape and inference
 * @param publicSize declared number of records
 * @param l2Bound at which a record's gradient is clipped
 * @param hiddenWeight of the hidden units' biases
 * @param ridge added to 4M; damps hidden units that are nearly always on or off
 * @param priorPrecision of weights and biases, N(0, 1/precision)
 */
public record BeliefGradients(
        SigmoidBeliefNetwork network,
        long publicSize,
        double l2Bound,
        double hiddenWeight,
        double ridge,
        double priorPrecision)
        implements BoundGradientModel, Serializable {
    private static final double START_DEVIATION = 0.1;
    private static final double START_BIAS = -1;
    private static final double LARGEST_HIDDEN_BIAS = 6;

    /** 1 / (largest ξ · largest ⟨(z − ½)²⟩) and 1 / largest ξ. */
    private static final double WEIGHT_SCALE = 16;

    private static final double BIAS_SCALE = 4;

    public BeliefGradients {
        Objects.requireNonNull(network, "network");
        requirePositive(l2Bound, "l2Bound");
        requirePositive(hiddenWeight, "hiddenWeight");
        requirePositive(ridge, "ridge");
        requirePositive(priorPrecision, "priorPrecision");
        if (publicSize < 1) {
            throw new IllegalArgumentException("the public size is a number from 1");
        }
    }

    private static void requirePositive(double value, String name) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " is a positive number");
        }
    }

    /** With the constants that suit private runs. */
    public static BeliefGradients of(SigmoidBeliefNetwork network, long publicSize) {
        return new BeliefGradients(network, publicSize, 10, 2, 0.3, 1);
    }

    private int columns() {
        return network.columns().size();
    }

    private int hiddenUnits() {
        return network.hiddenUnits();
    }

    @Override
    public int dimension() {
        return NetworkWeights.size(columns(), hiddenUnits());
    }

    @Override
    public double gradientL2Bound() {
        return l2Bound;
    }

    /** Small random weights, columns mostly off, hidden units as often on as off. */
    @Override
    public double[] start(RandomStream random) {
        double[] parameters = new double[dimension()];
        int weights = hiddenUnits() * columns();
        for (int i = 0; i < weights; i++) {
            parameters[i] = START_DEVIATION * random.normal();
        }
        for (int i = weights; i < weights + columns(); i++) {
            parameters[i] = START_BIAS;
        }
        return parameters;
    }

    @Override
    public ContributionSum boundGradient(double[] parameters) {
        NetworkWeights weights = NetworkWeights.points(columns(), hiddenUnits(), parameters);
        return new ContributionSum() {
            @Override
            public int dimension() {
                return BeliefGradients.this.dimension();
            }

            @Override
            public Worker worker() {
                HiddenUnits units = network.hiddenUnits(weights);
                double[] line = new double[Math.max(columns(), hiddenUnits())];
                return (block, row, contribution) -> {
                    units.infer(block, row, network.sweeps());
                    gradient(weights, units, line, (offset, count) -> contribution.addAll(offset, line, 0, count));
                };
            }
        };
    }

    /** Hands over the numbers in {@code line}. */
    @FunctionalInterface
    private interface Run {
        void add(int offset, int count);
    }

    private void gradient(NetworkWeights weights, HiddenUnits units, double[] line, Run run) {
        int columns = columns();
        double[] w = weights.weights();
        double[] residuals = units.residuals();
        double[] augmentation = units.augmentation();
        double[] probabilities = units.probabilities();
        for (int k = 0; k < hiddenUnits(); k++) {
            double feature = probabilities[k] - 0.5;
            double spread = probabilities[k] * (1 - probabilities[k]);
            int start = k * columns;
            for (int j = 0; j < columns; j++) {
                line[j] = feature * residuals[j] - spread * augmentation[j] * w[start + j];
            }
            run.add(start, columns);
        }
        System.arraycopy(residuals, 0, line, 0, columns);
        run.add(hiddenUnits() * columns, columns);
        for (int k = 0; k < hiddenUnits(); k++) {
            line[k] = hiddenWeight * (probabilities[k] - SpecialFunctions.sigmoid(weights.hiddenBiases()[k]));
        }
        run.add((hiddenUnits() + 1) * columns, hiddenUnits());
    }

    @Override
    public double[] moved(double[] parameters, double[] gradient, double rate) {
        int columns = columns();
        int weights = hiddenUnits() * columns;
        double[] next = parameters.clone();
        double[] step = preconditioned(parameters, gradient);
        double shrinkage = priorPrecision / publicSize;
        for (int i = 0; i < weights; i++) {
            next[i] += rate * WEIGHT_SCALE * (step[i] - shrinkage * parameters[i]);
        }
        for (int i = weights; i < weights + columns; i++) {
            next[i] += rate * BIAS_SCALE * (gradient[i] - shrinkage * parameters[i]);
        }
        for (int i = weights + columns; i < next.length; i++) {
            double moved = next[i] + rate * BIAS_SCALE * gradient[i] / hiddenWeight;
            next[i] = Math.max(-LARGEST_HIDDEN_BIAS, Math.min(LARGEST_HIDDEN_BIAS, moved));
        }
        return next;
    }

    /** (4M + ridge)⁻¹ times the gradient by weights, column after column. */
    private double[] preconditioned(double[] parameters, double[] gradient) {
        int columns = columns();
        int hidden = hiddenUnits();
        double[] diagonal = new double[hidden];
        double[] offset = new double[hidden];
        double square = 1;
        for (int k = 0; k < hidden; k++) {
            double on = SpecialFunctions.sigmoid(parameters[(hidden + 1) * columns + k]);
            diagonal[k] = 4 * on * (1 - on) + ridge;
            offset[k] = 2 * on - 1;
            square += offset[k] * offset[k] / diagonal[k];
        }
        double[] along = new double[columns];
        for (int k = 0; k < hidden; k++) {
            double share = offset[k] / diagonal[k] / square;
            for (int j = 0; j < columns; j++) {
                along[j] += share * gradient[k * columns + j];
            }
        }
        double[] step = new double[hidden * columns];
        for (int k = 0; k < hidden; k++) {
            for (int j = 0; j < columns; j++) {
                step[k * columns + j] = (gradient[k * columns + j] - offset[k] * along[j]) / diagonal[k];
            }
        }
        return step;
    }

    @Override
    public BeliefNetworkPosterior posterior(double[] parameters, double squaredRateNoise) {
        int columns = columns();
        int weights = hiddenUnits() * columns;
        double[] variances = new double[parameters.length];
        for (int i = 0; i < variances.length; i++) {
            double scale = BIAS_SCALE;
            double weight = 1;
            if (i < weights) {
                double on = SpecialFunctions.sigmoid(parameters[weights + columns + i / columns]);
                scale = WEIGHT_SCALE;
                weight = 4 * on * (1 - on) + ridge;
            } else if (i >= weights + columns) {
                weight = hiddenWeight;
            }
            double noise = scale / weight;
            variances[i] = 1 / (publicSize / scale + priorPrecision) + noise * noise * squaredRateNoise;
        }
        return new BeliefNetworkPosterior(network.columns(), hiddenUnits(), parameters, variances);
    }
}
