package dev.tacit.accounting.confirm;

import java.util.Objects;

/**
 * Which two engines answered for an epsilon.
 *
 * @param first whose bound is printed
 * @param second who was asked for an opinion; empty text if nobody else could answer
 * @param agreement what the second one showed
 */
public record Confirmed(String first, String second, Agreement agreement) {
    public Confirmed {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(second, "second");
        Objects.requireNonNull(agreement, "agreement");
    }

    /** What the second opinion showed. */
    public enum Agreement {
        /** The certified intervals of both meet. */
        MEET("meet"),
        /** Only an upper bound is known beside the first interval, and no part of that interval is proven to be above it. */
        NOT_ABOVE("not-above"),
        /** Nobody else could answer. */
        ALONE("alone");

        private final String label;

        Agreement(String label) {
            this.label = label;
        }

        /** The spelling in files. */
        public String label() {
            return label;
        }

        /** The agreement that is spelled like this. */
        public static Agreement ofLabel(String label) {
            for (Agreement agreement : values()) {
                if (agreement.label.equals(label)) {
                    return agreement;
                }
            }
            throw new IllegalArgumentException("an agreement is meet, not-above or alone");
        }
    }

    /** The same for people, as one sentence. */
    public String sentence() {
        return switch (agreement) {
            case MEET ->
                "Two engines that share no code answered, and their certified intervals meet: " + first + ", and "
                        + second + ".";
            case NOT_ABOVE ->
                "One engine answered with an interval, " + first
                        + "; its lower end is not above the bound of another that shares no code with it, " + second
                        + ".";
            case ALONE -> "One engine answered, " + first + "; no other could be asked for a second opinion.";
        };
    }
}
