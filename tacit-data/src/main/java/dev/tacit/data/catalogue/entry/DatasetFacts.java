package dev.tacit.data.catalogue.entry;

import java.util.List;

/**
 * What is published about a data set.
 *
 * @param title what it is, in a few words
 * @param rows how many records it has, as published
 * @param columns how many inputs a record has, as published
 * @param task what is predicted or described
 * @param licence as best known
 * @param source where the publisher offers it
 * @param quirks what a reader of the raw files trips over, and what is done about it here
 */
public record DatasetFacts(
        String title, long rows, int columns, String task, String licence, String source, List<String> quirks) {
    public DatasetFacts {
        quirks = List.copyOf(quirks);
    }
}
