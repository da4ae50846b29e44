package dev.tacit.model.network;

import java.io.Serializable;
import java.util.List;

/**
 * How many units a network has, and where its weights stand in one flat array.
 *
 * <pre>
 *   layer l has units(l) rows and columns(l) = inputs + 1 columns, the last one for the bias
 *   weight of unit h and input j:  offset(l) + j units(l) + h        inputs outside, units inside: loops over units are long
 * </pre>
 */
public final class NetworkShape implements Serializable {
    private static final long serialVersionUID = 1;

    private static final int MOST_WEIGHTS = 1 << 24;

    private final int inputs;
    private final List<Integer> hiddenUnits;
    private final int[] units;
    private final int[] columns;
    private final int[] offsets;

    /**
     * @param inputs how many numbers go in
     * @param hiddenUnits of each hidden layer, the first one first; one or two layers
     */
    public NetworkShape(int inputs, List<Integer> hiddenUnits) {
        if (inputs < 1 || hiddenUnits.isEmpty() || hiddenUnits.size() > 2) {
            throw new IllegalArgumentException("a network has at least one input and one or two hidden layers");
        }
        this.inputs = inputs;
        this.hiddenUnits = List.copyOf(hiddenUnits);
        int layers = hiddenUnits.size() + 1;
        units = new int[layers];
        columns = new int[layers];
        offsets = new int[layers + 1];
        long size = 0;
        for (int layer = 0; layer < layers; layer++) {
            units[layer] = layer < layers - 1 ? hiddenUnits.get(layer) : 1;
            columns[layer] = (layer == 0 ? inputs : units[layer - 1]) + 1;
            size += (long) units[layer] * columns[layer];
            if (units[layer] < 1 || size > MOST_WEIGHTS) {
                throw new IllegalArgumentException(
                        "a hidden layer has at least one unit, and a network at most " + MOST_WEIGHTS + " weights");
            }
            offsets[layer + 1] = (int) size;
        }
    }

    public int inputs() {
        return inputs;
    }

    public List<Integer> hiddenUnits() {
        return hiddenUnits;
    }

    /** How many layers of weights there are: one more than hidden layers. */
    public int layers() {
        return units.length;
    }

    /** How many units a layer of weights leads to. */
    public int units(int layer) {
        return units[layer];
    }

    /** How many numbers come into a layer, the constant 1 included. */
    public int columns(int layer) {
        return columns[layer];
    }

    /** Where the weights of a layer begin; at {@link #layers} the number of all weights. */
    public int offset(int layer) {
        return offsets[layer];
    }

    /** How many weights there are. */
    public int size() {
        return offsets[units.length];
    }

    /** The place of one weight. */
    public int index(int layer, int unit, int column) {
        return offsets[layer] + column * units[layer] + unit;
    }
}
