package dev.tacit.fit.ledger;

import dev.tacit.fit.base.FitException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What somebody wants of the ledger of a fit.
 *
 * @param file where it lies; empty for the one beside the data
 * @param limit the epsilon of all runs together, for a ledger that the run creates; empty for no limit
 * @param label what the run is for; empty for its method, model and data
 * @param analyst who asks
 * @param samePeople whether the holder says that the records are those of the ledger, whatever the comparison says
 */
public record LedgerRequest(
        Optional<Path> file, OptionalDouble limit, Optional<String> label, String analyst, boolean samePeople) {
    private static final int LONGEST_TEXT = 200;

    /** The ledger beside the data, without a limit, for whoever runs this. */
    public static LedgerRequest standard() {
        return new LedgerRequest(Optional.empty(), OptionalDouble.empty(), Optional.empty(), user(), false);
    }

    /** The name that the system has for whoever runs this. */
    public static String user() {
        String name = System.getProperty("user.name", "");
        return name.isBlank() || name.equals("?") ? "unknown" : name;
    }

    /** A text for the ledger, which is public and has one line. */
    public static String publicText(String given, String option) {
        if (given.isBlank()
                || given.length() > LONGEST_TEXT
                || given.codePoints().anyMatch(Character::isISOControl)) {
            throw FitException.usage(
                    option + " must be one line of 1 to " + LONGEST_TEXT + " characters that may be published.");
        }
        return given;
    }
}
