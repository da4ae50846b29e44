package dev.tacit.report;

import dev.tacit.door.unit.PrivacyUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * The released number of units of which something could be used: as many as there are, plus noise.
 *
 * @param estimate the noisy number; it may be negative or above the declared one
 * @param sd standard deviation of the noise in it
 */
public record UsableUnits(double estimate, double sd) {
    /** So many standard deviations below half of the declared number are not taken for noise: once in 740 counts. */
    private static final double STANDS_OUT = 3;

    /** The noise is within so many standard deviations 19 times out of 20. */
    private static final double GIVE_OR_TAKE = 2;

    public UsableUnits {
        if (!Double.isFinite(estimate) || !(sd > 0) || Double.isInfinite(sd)) {
            throw new IllegalArgumentException("a noisy count is a number with a positive standard deviation");
        }
    }

    /** What was counted, without a full stop. */
    public String sentence(PrivacyUnit unit, long declared) {
        return "about " + usable() + " of " + count(declared) + " declared " + name(unit)
                + " were usable (give or take " + giveOrTake() + ")";
    }

    /** The count in a few words. */
    String brief() {
        return "about " + usable() + " usable (give or take " + giveOrTake() + ")";
    }

    /** One sentence if clearly fewer than half of the declared units could be used. */
    public Optional<String> warning(PrivacyUnit unit, long declared) {
        if (!(estimate + STANDS_OUT * sd < declared / 2.0)) {
            return Optional.empty();
        }
        return Optional.of("Fewer than half of the declared " + name(unit) + " were usable (about " + usable() + " of "
                + count(declared) + ", give or take " + giveOrTake()
                + "): the schema may not match the table, and what was fitted may be noise. tacit schema check shows"
                + " the holder what does not match.");
    }

    private static String name(PrivacyUnit unit) {
        return unit.name().equals("record") ? "records" : "units";
    }

    private String usable() {
        return count(Math.max(0, Math.round(estimate)));
    }

    private String giveOrTake() {
        return count((long) Math.ceil(GIVE_OR_TAKE * sd));
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
