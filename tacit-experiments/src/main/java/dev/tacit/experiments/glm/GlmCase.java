package dev.tacit.experiments.glm;

/**
 * A table with a target and what is fitted to it.
 *
 * @param truth {@code mode}: of the real targets; {@code prior}: drawn from it; {@code overdispersed}: the mode, with counts
 *     drawn from a negative binomial distribution of dispersion 4; {@code overdispersed:1:-1.65}: of dispersion 1, with that added
 *     to the intercept
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
        return isOverdispersed() ? "negative-binomial" : family;
    }

    boolean isOverdispersed() {
        return truth.startsWith("overdispersed");
    }

    /** Of drawn negative binomial counts. */
    double dispersion() {
        return truth.contains(":") ? Double.parseDouble(truth.split(":", -1)[1]) : 4;
    }

    /** What is added to the intercept of the mode. */
    double shift() {
        return truth.contains(":") ? Double.parseDouble(truth.split(":", -1)[2]) : 0;
    }
}
