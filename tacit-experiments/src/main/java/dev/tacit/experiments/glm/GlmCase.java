package dev.tacit.experiments.glm;

/**
 * A table with a target and what is fitted to it.
 *
 * @param truth {@code mode}: of the real targets; {@code prior}: drawn from it; {@code overdispersed}: the mode, with counts
 *     drawn from a negative binomial distribution
 */
record GlmCase(String table, String target, String family, double epsilon, int fits, String truth) {
    GlmCase(String table, String target, String family, double epsilon, int fits) {
        this(table, target, family, epsilon, fits, "mode");
    }

    String label() {
        return table + " / " + target + ", " + family + (truth.equals("mode") ? "" : ", truth: " + truth);
    }

    /** The family that targets are drawn from. */
    String drawn() {
        return truth.equals("overdispersed") ? "negative-binomial" : family;
    }
}
