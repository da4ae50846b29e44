package dev.tacit.federated.study;

/**
 * Whether so many parties, of whom T may collude and d be missing, can have masked sums at all.
 *
 * <pre>
 *   honest shares   h = M − T − d ≥ 2            with one, a share is all of the noise and masks protect nothing
 *   threshold       t = ⌊(M + T)/2⌋ + 1 ≤ M − d     ⟺  2d + T &lt; M
 * </pre>
 *
 * T is 1 at least: what is fitted goes to all parties, and each of them can take its own share of the noise off the sums in it.
 *
 * <p>t parties open a round. Two sets of them share an honest party that opens once, so at most one sum is opened; M − d parties are
 * there, so it can be (Bonawitz et al. 2017, Section 6, with T colluders).
 */
public final class Feasibility {
    private static final int LEAST = 2;
    private static final int LEAST_MASKED = 3;

    private Feasibility() {}

    /** Missing parties that are allowed if nobody says. */
    public static int usualMissing(int parties, int colluders) {
        int most = Math.min((parties - colluders - 1) / 2, parties - colluders - 2);
        return Math.max(0, Math.min((parties - 2) / 3, most));
    }

    /**
     * Refuses too few parties, and too many.
     *
     * @param own whether each of them adds all of its noise itself, without masks
     */
    public static void requireParties(int parties, boolean own) {
        int least = own ? LEAST : LEAST_MASKED;
        if (parties < least || parties > Study.MOST_PARTIES) {
            throw new StudyException((own ? "a study without masks has " : "a study with masks has ") + least + " to "
                    + Study.MOST_PARTIES + " parties, and this one has " + parties
                    + (parties == LEAST
                            ? "; take a third party, or a study without masks (--set way=dp-optimisation)"
                            : ""));
        }
    }

    static void require(int parties, int colluders, int missing) {
        requireParties(parties, false);
        if (colluders < 1 || missing < 0) {
            throw new StudyException(
                    "colluders is a number from 1, and missing one from 0: every party reads the sums and"
                            + " knows its own share of their noise, so it counts as one that may collude");
        }
        if (2 * missing + colluders >= parties) {
            throw new StudyException("with " + parties + " parties of whom " + colluders
                    + " may collude, "
                    + (parties - colluders <= 2 ? "nobody" : "fewer than " + (parties - colluders + 1) / 2)
                    + " may be missing, or two different sums could be opened; this study allows " + missing);
        }
        if (parties - colluders - missing < 2) {
            throw new StudyException("with " + parties + " parties of whom " + colluders + " may collude"
                    + (missing == 0 ? "" : " and " + missing + " be missing")
                    + ", one share would be all of the noise; masks need at least two honest shares");
        }
    }

    /** Without masks there is nothing to open: what a party sends may be seen by all others together. */
    static void requireOwn(int parties, int colluders, int missing) {
        requireParties(parties, true);
        if (colluders != parties - 1) {
            throw new StudyException("where every party adds all of its noise itself, all " + (parties - 1)
                    + " others may collude; leave the number of colluders out");
        }
        if (missing < 0 || missing >= parties) {
            throw new StudyException("missing is a number from 0 to " + (parties - 1));
        }
    }
}
