package dev.tacit.model.belief;

import java.io.Serializable;
import java.util.Arrays;

/**
 * The parameters of a sigmoid belief network at one point, as inference reads them.
 *
 * <pre>
 *   order of the numbers: w_kj (unit after unit), c_j, b_k
 * </pre>
 */
public final class NetworkWeights implements Serializable {
    private static final long serialVersionUID = 1;

    private final int columns;
    private final int hidden;
    private final double[] weights;
    private final double[] biases;
    private final double[] hiddenBiases;
    private final double[] marginVariances;

    /**
     * @param parameters all numbers in order
     * @param marginVariances for each column, what uncertain weights add to ⟨ψ_j²⟩: Var c_j + Σ_k Var w_kj / 4
     */
    public NetworkWeights(int columns, int hidden, double[] parameters, double[] marginVariances) {
        if (parameters.length != size(columns, hidden)) {
            throw new IllegalArgumentException("a network of " + columns + " columns and " + hidden
                    + " hidden units has " + size(columns, hidden) + " parameters");
        }
        this.columns = columns;
        this.hidden = hidden;
        this.marginVariances = marginVariances;
        weights = Arrays.copyOf(parameters, hidden * columns);
        biases = Arrays.copyOfRange(parameters, hidden * columns, (hidden + 1) * columns);
        hiddenBiases = Arrays.copyOfRange(parameters, (hidden + 1) * columns, parameters.length);
    }

    /** Parameters without uncertainty. */
    public static NetworkWeights points(int columns, int hidden, double[] parameters) {
        return new NetworkWeights(columns, hidden, parameters, new double[columns]);
    }

    /** How many numbers a network has. */
    public static int size(int columns, int hidden) {
        return Math.addExact(Math.multiplyExact(hidden + 1, columns), hidden);
    }

    int columns() {
        return columns;
    }

    int hiddenUnits() {
        return hidden;
    }

    /** w_kj at k columns + j. */
    public double[] weights() {
        return weights;
    }

    public double[] biases() {
        return biases;
    }

    public double[] hiddenBiases() {
        return hiddenBiases;
    }

    double[] marginVariances() {
        return marginVariances;
    }
}
