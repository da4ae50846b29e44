package dev.tacit.door.noise;

/**
 * Whether a value may leave the house: every noisy value and every report carries one.
 *
 * <p>Values combine to the weaker of the two, so a single simulated ingredient marks everything computed from it.
 */
public enum Provenance {
    /** Every random bit came from {@code SecureNoise}. */
    RELEASABLE("releasable"),
    /** At least one random bit came from {@code ReplayNoise}, which anyone with the seed can subtract again. */
    SIMULATED_NOT_FOR_RELEASE("simulated, not for release"),
    /** Something was computed from records without noise. */
    NOT_PRIVATE("not private, not for release");

    private final String label;

    Provenance(String label) {
        this.label = label;
    }

    /** The stamp as people read it. */
    public String label() {
        return label;
    }

    /** True only if nothing was simulated. */
    public boolean forRelease() {
        return this == RELEASABLE;
    }

    /** The provenance of a value made from two. */
    public Provenance and(Provenance other) {
        return compareTo(other) < 0 ? other : this;
    }
}
