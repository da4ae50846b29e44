package dev.tacit.partitioned.message;

import java.util.Arrays;

/** A list of numbers that nobody can change, compared by value: what messages are made of. */
public final class DoubleVector {
    private final double[] values;

    private DoubleVector(double[] values) {
        this.values = values;
    }

    /** A copy of these numbers. */
    public static DoubleVector of(double... values) {
        return new DoubleVector(values.clone());
    }

    /** A copy. */
    public double[] toArray() {
        return values.clone();
    }

    /** How many there are. */
    public int size() {
        return values.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DoubleVector numbers && Arrays.equals(numbers.values, values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return values.length + " numbers";
    }
}
