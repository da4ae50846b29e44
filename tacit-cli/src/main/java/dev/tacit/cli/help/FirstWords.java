package dev.tacit.cli.help;

import java.util.List;

/** What {@code tacit} says to whoever calls it without a verb: the five most useful things. */
public final class FirstWords {
    private static final List<String> LINES = List.of(
            "Bayesian inference on data about people, with a privacy guarantee that you can read, check and add up.",
            "",
            "  tacit demo                            see the whole way once, on a synthetic table",
            "  tacit schema draft people.csv         begin to declare what is public about a table",
            "  tacit plan --schema S --formula F     see what a budget buys, before any record is read",
            "  tacit fit people.csv --schema S ...   fit a model: a posterior, a privacy statement, a report",
            "  tacit ledger show people.ledger       see what was spent on these people",
            "",
            "tacit help lists all verbs, and tacit help VERB explains one.");

    private FirstWords() {}

    public static List<String> lines() {
        return LINES;
    }
}
