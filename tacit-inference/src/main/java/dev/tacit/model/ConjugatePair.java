package dev.tacit.model;

/** What conjugate pairs share. */
final class ConjugatePair {
    private ConjugatePair() {}

    static void requirePositive(double number, String name) {
        if (!(number > 0) || Double.isInfinite(number)) {
            throw new IllegalArgumentException(name + " is a positive number");
        }
    }

    static void requireSize(long publicSize) {
        if (publicSize < 1) {
            throw new IllegalArgumentException("the public size is at least 1");
        }
    }

    /**
     * The sum of shapes T of a Beta or Dirichlet distribution whose variance, spread/(T + 1), is the given one; between a
     * small number, where it says nothing any more, and the sum without noise.
     *
     * @param spread m(1 − m), or the sum of it over categories
     */
    static double matchedTotal(double spread, double variance, double withoutNoise) {
        return Math.max(Math.min(1, withoutNoise), Math.min(withoutNoise, spread / variance - 1));
    }
}
