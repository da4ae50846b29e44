package dev.tacit.partitioned;

/**
 * How the noise of a sum is shared among parties.
 *
 * <pre>
 *   share standard deviation = that of the sum / √(parties − colluders − dropouts)
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Theorems 11 and 14; colluders know their own shares and can subtract
 * them, and the shares of parties that drop out are missing, so neither counts.
 *
 * All parties clip at the same bound and weight their sums alike, or the share of one would not cover the other.
 *
 * @param parties how many there are
 * @param colluders how many may work together with the observer
 * @param dropouts how many may be missing in a round; with more, the round is not released
 */
public record NoiseSharing(int parties, int colluders, int dropouts) {
    public NoiseSharing {
        if (parties < 1 || colluders < 0 || dropouts < 0 || parties - colluders - dropouts < 1) {
            throw new IllegalArgumentException(
                    "noise is shared by at least one party that neither colludes nor drops out");
        }
    }

    /** Shares by which the noise of the sum is reached. */
    public int honestShares() {
        return parties - colluders - dropouts;
    }

    /** The noise of one party. */
    public NoiseShare share(double noiseMultiplier) {
        return new NoiseShare(noiseMultiplier, honestShares());
    }
}
