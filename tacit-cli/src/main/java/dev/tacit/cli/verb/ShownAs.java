package dev.tacit.cli.verb;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.formula.Family;
import picocli.CommandLine.Option;

/** How estimates are shown: the options that verbs share. */
public final class ShownAs {
    /** The level that everybody reports. */
    static final double USUAL = 0.95;

    @Option(names = "--level", paramLabel = "P", description = "the probability that intervals hold; 0.95 if left out")
    private String level;

    @Option(names = "--exp", description = "show odds or rate ratios instead of the scale of the link")
    private boolean exp;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    public boolean json() {
        return json;
    }

    public double level() {
        return level(level);
    }

    /** The level that was asked for, or the usual one. */
    public static double level(String given) {
        if (given == null) {
            return USUAL;
        }
        double value = Numbers.parse(given);
        if (!(value > 0 && value < 1)) {
            throw CommandFailure.usage("--level must be a number between 0 and 1, for example 0.95.");
        }
        return value;
    }

    /** What the exponential of a coefficient is called; empty if the scale of the link is shown. */
    public String ratio(StoredPosterior fitted) {
        if (!exp) {
            return "";
        }
        return Family.ofModel(fitted.model())
                .map(Family::ratio)
                .filter(name -> !name.isEmpty())
                .orElseThrow(() -> CommandFailure.usage("--exp shows odds or rate ratios, and coefficients of "
                        + fitted.model() + " are not logarithms of such; leave it out."));
    }
}
