package dev.tacit.fit.predict;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** What a fit says about one record: numbers by name, such as {@code probability}, {@code lower} and {@code upper}. */
public final class PredictedRow {
    private final Optional<String> identifier;
    private final List<String> names;
    private final double[] numbers;
    private final Optional<String> mostProbable;

    PredictedRow(Optional<String> identifier, List<String> names, double[] numbers, Optional<String> mostProbable) {
        this.identifier = identifier;
        this.names = names;
        this.numbers = numbers;
        this.mostProbable = mostProbable;
    }

    /** Which record it is about, if a column was asked for. */
    public Optional<String> identifier() {
        return identifier;
    }

    /** What the numbers are called, in their order. */
    public List<String> names() {
        return names;
    }

    /** The numbers in the order of their names. */
    public double[] numbers() {
        return numbers.clone();
    }

    /** One of the numbers. */
    public double value(String name) {
        int place = names.indexOf(name);
        if (place < 0) {
            throw new NoSuchElementException("a prediction has no " + name + "; it has " + String.join(", ", names));
        }
        return numbers[place];
    }

    /** The numbers by name. */
    public Map<String, Double> values() {
        Map<String, Double> values = new LinkedHashMap<>();
        for (int i = 0; i < numbers.length; i++) {
            values.put(names.get(i), numbers[i]);
        }
        return values;
    }

    /** The level with the largest probability, of a response with several. */
    public Optional<String> mostProbable() {
        return mostProbable;
    }

    @Override
    public String toString() {
        return identifier.map(name -> name + " ").orElse("")
                + values()
                + mostProbable.map(level -> " " + level).orElse("");
    }
}
