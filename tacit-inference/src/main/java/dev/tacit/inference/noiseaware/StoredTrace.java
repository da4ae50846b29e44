package dev.tacit.inference.noiseaware;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Pairs (φ_t, g̃_t) of a trace one by one, for whoever wants to look at them; everything in it was released or is public.
 *
 * <p>Immutable. Traces that grow out of one another share their memory, so that adding a pair does not copy the others.
 */
public final class StoredTrace {
    /** A state that may have a stored trace. */
    public interface Holder {
        /** The trace, empty if none was to be stored. */
        StoredTrace stored();
    }

    private final int dimension;
    private final List<double[]> pairs;
    private final int size;

    private StoredTrace(int dimension, List<double[]> pairs, int size) {
        this.dimension = dimension;
        this.pairs = pairs;
        this.size = size;
    }

    /** Of no steps. */
    public static StoredTrace empty(int dimension) {
        return new StoredTrace(dimension, new ArrayList<>(), 0);
    }

    /** From {@link #numbers}. */
    public static StoredTrace of(int dimension, double[] numbers) {
        int width = 2 * dimension;
        if (width == 0 || numbers.length % width != 0) {
            throw new IllegalArgumentException("a stored trace has two numbers for each coordinate and step");
        }
        List<double[]> pairs = new ArrayList<>();
        for (int at = 0; at < numbers.length; at += width) {
            double[] pair = new double[width];
            System.arraycopy(numbers, at, pair, 0, width);
            pairs.add(pair);
        }
        return new StoredTrace(dimension, pairs, pairs.size());
    }

    /** With one more step. */
    public StoredTrace plus(double[] parameters, double[] gradient) {
        double[] pair = new double[2 * dimension];
        System.arraycopy(parameters, 0, pair, 0, dimension);
        System.arraycopy(gradient, 0, pair, dimension, dimension);
        synchronized (pairs) {
            List<double[]> target = pairs.size() == size ? pairs : new ArrayList<>(pairs.subList(0, size));
            target.add(pair);
            return new StoredTrace(dimension, target, size + 1);
        }
    }

    /** How many steps there are. */
    public int steps() {
        return size;
    }

    /** φ_t, then g̃_t, of a step. */
    public double[] pair(int step) {
        synchronized (pairs) {
            return pairs.get(step).clone();
        }
    }

    /** All pairs, one after the other. */
    public double[] numbers() {
        double[] numbers = new double[Math.multiplyExact(size, 2 * dimension)];
        for (int step = 0; step < size; step++) {
            System.arraycopy(pair(step), 0, numbers, step * 2 * dimension, 2 * dimension);
        }
        return numbers;
    }

    /** A table with one line for each step: the parameters, then the released gradients. */
    public String csv() {
        StringBuilder csv = new StringBuilder();
        for (int i = 0; i < 2 * dimension; i++) {
            csv.append(i == 0 ? "" : ",")
                    .append(i < dimension ? "parameter" : "gradient")
                    .append(String.format(Locale.ROOT, "%d", i % dimension + 1));
        }
        csv.append('\n');
        for (int step = 0; step < size; step++) {
            double[] pair = pair(step);
            for (int i = 0; i < pair.length; i++) {
                csv.append(i == 0 ? "" : ",").append(pair[i]);
            }
            csv.append('\n');
        }
        return csv.toString();
    }
}
