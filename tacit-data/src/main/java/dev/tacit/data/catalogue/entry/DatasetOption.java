package dev.tacit.data.catalogue.entry;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A choice in how a data set is prepared.
 *
 * @param values what may be chosen; the first is taken if nothing is said
 */
public record DatasetOption(String name, String meaning, List<String> values) {
    public DatasetOption {
        values = List.copyOf(values);
    }

    public static DatasetOption of(String name, String meaning, String... values) {
        return new DatasetOption(name, meaning, List.of(values));
    }

    /** Which of several published or regenerated splits into training and test rows. */
    public static DatasetOption split(int splits) {
        return new DatasetOption(
                "split",
                "which of the " + splits + " splits into training and test rows",
                IntStream.range(0, splits).mapToObj(Integer::toString).toList());
    }

    /** What is chosen if nothing is said. */
    public String preset() {
        return values.get(0);
    }
}
