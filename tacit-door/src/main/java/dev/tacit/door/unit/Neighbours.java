package dev.tacit.door.unit;

/**
 * Which two data sets must be hard to tell apart.
 *
 * <p>The relation decides the sensitivity: a record clipped to an L2 bound moves a sum by one bound when it is added or removed, and by two
 * when it is replaced.
 */
public enum Neighbours {
    /** One privacy unit is added or removed; both directions count, the larger is reported. */
    ADD_REMOVE("add-remove"),
    /** One privacy unit is replaced by another; the number of units is public. */
    REPLACE_ONE("replace-one");

    private final String label;

    Neighbours(String label) {
        this.label = label;
    }

    /** The spelling of the command line and of every JSON file. */
    public String label() {
        return label;
    }

    /** How many one-record bounds a sum can move by. */
    public int boundsMoved() {
        return this == ADD_REMOVE ? 1 : 2;
    }

    /** Reads {@link #label()} back. */
    public static Neighbours ofLabel(String label) {
        for (Neighbours neighbours : values()) {
            if (neighbours.label.equals(label)) {
                return neighbours;
            }
        }
        throw new IllegalArgumentException("neighbours must be add-remove or replace-one");
    }
}
