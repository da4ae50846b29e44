package dev.tacit.partitioned;

import java.util.Arrays;

/** A list of numbers that nobody can change, compared by value: what messages are made of. */
public final class Numbers {
    private final double[] values;

    private Numbers(double[] values) {
        this.values = values;
    }

    /** A copy of these numbers. */
    public static Numbers of(double... values) {
        return new Numbers(values.clone());
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
        return other instanceof Numbers numbers && Arrays.equals(numbers.values, values);
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
