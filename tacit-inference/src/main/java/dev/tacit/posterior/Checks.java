package dev.tacit.posterior;

import java.util.HashSet;
import java.util.List;

/** What every family asks of its parameters. */
public final class Checks {
    private Checks() {}

    public static List<String> names(List<String> names) {
        if (new HashSet<>(names).size() != names.size()) {
            throw new IllegalArgumentException("two parameters of a posterior have the same name");
        }
        return List.copyOf(names);
    }

    public static double[] finite(double[] values, int size, String what) {
        if (values.length != size) {
            throw new IllegalArgumentException(
                    "the " + what + " of a posterior has " + values.length + " numbers where " + size + " are needed");
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("the " + what + " of a posterior must be finite");
            }
        }
        return values.clone();
    }

    public static double[] positive(double[] values, int size, String what) {
        double[] copy = finite(values, size, what);
        for (double value : copy) {
            positive(value, what);
        }
        return copy;
    }

    public static double positive(double value, String what) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the " + what + " of a posterior must be positive and finite");
        }
        return value;
    }

    public static void probability(double probability) {
        if (!(probability > 0 && probability < 1)) {
            throw new IllegalArgumentException("the probability of a quantile must lie strictly between 0 and 1");
        }
    }

    public static void size(double[] values, int size, String what) {
        if (values.length != size) {
            throw new IllegalArgumentException(
                    "the " + what + " has " + values.length + " numbers where the posterior has " + size);
        }
    }

    public static void coordinate(int coordinate, int dimension) {
        java.util.Objects.checkIndex(coordinate, dimension);
    }
}
