package dev.tacit.partitioned;

/** Who sees what single parties send. */
public enum Aggregation {
    /** The coordinator, so every party adds all of its noise. */
    NONE("none"),
    /** An aggregator that all parties trust: {@link PlainSum}. */
    TRUSTED("trusted"),
    /** Nobody: {@link MaskedSum}. */
    MASKED("masked");

    private final String label;

    Aggregation(String label) {
        this.label = label;
    }

    /** The name in settings and files. */
    public String label() {
        return label;
    }

    /** Whether only sums over all parties are seen. */
    public boolean sumsOnly() {
        return this != NONE;
    }
}
