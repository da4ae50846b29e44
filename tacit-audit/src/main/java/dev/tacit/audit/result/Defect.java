package dev.tacit.audit.result;

/**
 * Something that an honest run does not do, or does so rarely that the stated confidence rules it out.
 *
 * @param kind what it is about
 * @param sentence what was seen
 */
public record Defect(Kind kind, String sentence) {
    /** What a defect is about. */
    public enum Kind {
        /** The printed epsilon is less than what its event costs. */
        CLAIM("claim"),
        /** Removing a unit moves a sum by something else than its own contribution. */
        ADDITIVITY("additivity"),
        /** A unit moves a sum by more than its bound. */
        NORM("norm"),
        /** A file with one unit less differs by more, or by less, than that unit. */
        READER("reader"),
        /** A resumed run draws what it drew before, or draws anew what it had released. */
        RESUME("resume"),
        /** Batches are not drawn by the law that is paid for. */
        BATCHES("batches"),
        /** There is less noise than claimed. */
        NOISE("noise"),
        /** Noise repeats itself, or is missing. */
        REPEATED_NOISE("repeated noise"),
        /** An attacker is right more often than the claimed curve allows. */
        CURVE("curve"),
        /** The published files alone show more than the claimed curve allows. */
        PUBLISHED("published files");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The name on the terminal and in JSON. */
        public String label() {
            return label;
        }
    }
}
