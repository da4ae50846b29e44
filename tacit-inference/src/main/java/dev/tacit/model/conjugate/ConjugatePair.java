package dev.tacit.model.conjugate;

import dev.tacit.posterior.Posterior;
import java.util.function.DoubleUnaryOperator;

/** What conjugate pairs share. */
public final class ConjugatePair {
    private ConjugatePair() {}

    public static void requirePositive(double number, String name) {
        if (!(number > 0) || Double.isInfinite(number)) {
            throw new IllegalArgumentException(name + " is a positive number");
        }
    }

    /** The mean of a function of the first coordinate of a posterior, over 400 quantiles. */
    static double mean(Posterior posterior, DoubleUnaryOperator function) {
        int quantiles = 400;
        double sum = 0;
        for (int i = 0; i < quantiles; i++) {
            sum += function.applyAsDouble(posterior.quantile(0, (i + 0.5) / quantiles));
        }
        return sum / quantiles;
    }

    public static void requireSize(long publicSize) {
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
    public static double matchedTotal(double spread, double variance, double withoutNoise) {
        return Math.max(Math.min(1, withoutNoise), Math.min(withoutNoise, spread / variance - 1));
    }
}
