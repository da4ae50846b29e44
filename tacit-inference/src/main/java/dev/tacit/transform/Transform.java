package dev.tacit.transform;

/**
 * A smooth one-to-one map x(u) from R^k, the free numbers, to a constrained set of n numbers.
 *
 * <pre>
 *   density of u = density of x(u) · |det ∂x/∂u|        (for a simplex, x without its last number)
 * </pre>
 *
 * The formulas are in {@link Transforms}. Arrays may hold other numbers before and behind; implementations keep no
 * state.
 */
public interface Transform {
    /** For example {@code positive} or {@code simplex}. */
    String name();

    /** Whether each number depends on one free number only, at the same place. */
    default boolean coordinatewise() {
        return false;
    }

    /** k. */
    int freeDimension();

    /** n. */
    int dimension();

    /**
     * Writes x(u).
     *
     * @return log |det ∂x/∂u|
     */
    double constrain(double[] free, int freeAt, double[] constrained, int at);

    /** Writes u(x); NaN or infinite where x lies outside of the set or on its edge. */
    void unconstrain(double[] constrained, int at, double[] free, int freeAt);

    /**
     * Writes the gradient in u of f(x(u)) + log |det ∂x/∂u|.
     *
     * @param constrained x(u), as {@link #constrain} wrote it
     * @param gradient ∂f/∂x, at the place of x
     * @param freeGradient receives k numbers at the place of u
     */
    void pullBack(double[] free, int freeAt, double[] constrained, int at, double[] gradient, double[] freeGradient);
}
