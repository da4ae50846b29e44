package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.RandomStream;
import java.util.List;

/**
 * A response distribution as its private likelihood needs it: a bounded residual with mean zero under the model, what it is
 * expected to be elsewhere, and bounded statistics of the extra parameters.
 *
 * <pre>
 *   at a public point (θ_t, s_t) a record with predictor η_t has, from η_t and s_t alone, a reference r:
 *     ψ(y; r)       |ψ| ≤ r[BOUND],  E_{η_t, s_t} ψ = 0      r[SLOPE] = d E ψ / dη at η_t,   r[VARIANCE] = var ψ
 *     χ(y; r)       one number for each extra parameter, ‖χ‖₂ ≤ chiBound
 *   field(η, s)     E_{η, s} ψ(y; r),  slope: d field / dη,  variance: var_{η, s} ψ,   chiField(η, s): E_{η, s} χ
 * </pre>
 *
 * ψ is the score where that is bounded, and otherwise the score of a response that is cut at public points around its
 * mean, recentred by the model's own expectation (Künsch, Stefanski, Carroll 1989; Cantoni, Ronchetti 2001): no bias under
 * the model, whatever is cut. Extra parameters are positive; everything about them is on the scale of their logarithm.
 * Bounds must hold for every label, also one that no model would produce: sensitivity rests on them.
 *
 * <p>Targets reach ψ and χ on the scale of the model: {@link #modelTarget}. Methods are pure and called for each record;
 * they allocate nothing.
 *
 * <p>Fits call the methods at the end, which are about all linear predictors of a record together. Those of one predictor are
 * written without them; a family with more is a {@link SeveralPredictors}.
 */
public interface GlmFamily {
    /** Place of the bound of |ψ| in a reference. */
    int BOUND = 0;

    /** Place of d E ψ / dη at the point itself. */
    int SLOPE = 1;

    /** Place of var ψ at the point itself. */
    int VARIANCE = 2;

    /** How it is called. */
    String name();

    /**
     * Which ψ and χ these are: grows when either becomes another function of a record. Sums of other ones are not the same numbers with
     * other noise, so a stored likelihood says of which it is.
     */
    default int statistic() {
        return 1;
    }

    /**
     * The same for targets between declared bounds.
     *
     * @throws IllegalArgumentException if the family has no such targets
     */
    default GlmFamily within(double targetLow, double targetHigh) {
        return this;
    }

    /** How many numbers a reference has, the three above included. */
    int referenceSize();

    /** The names of extra parameters, for example {@code sigma}. */
    List<String> extraNames();

    /** The smallest value that an extra parameter is taken to have, on the scale of the model. */
    double extraLow(int parameter);

    /** The largest. */
    double extraHigh(int parameter);

    /** Bound on ‖χ‖₂; only if there are extra parameters. */
    double chiBound();

    /** Share of χ in the joint norm of a round. */
    default double extraShare() {
        return 0.3;
    }

    /** Writes the reference to {@code reference[at ..]}. */
    void reference(double eta, double[] extra, double[] reference, int at);

    /** ψ(y; r). */
    double psi(double y, double[] reference, int at);

    /** Writes χ(y; r). */
    default void chi(double y, double[] reference, int at, double[] chi) {}

    /** E ψ. */
    double field(double eta, double[] extra, double[] reference, int at);

    /** d E ψ / dη, not negative. */
    double slope(double eta, double[] extra, double[] reference, int at);

    /** var ψ. */
    double variance(double eta, double[] extra, double[] reference, int at);

    /** Writes E χ. */
    default void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {}

    /** A target on the scale of the model. */
    double simulate(double eta, double[] extra, RandomStream random);

    /** Whether centre and spread of the target are bought with those of the columns; then it needs bounds. */
    boolean standardisesTarget();

    /** The number between the target's bounds whose centre and spread are bought. */
    default double standardisedTarget(double y) {
        return y;
    }

    /** Whether the model is fitted to (y − centre)/spread, so that its coefficients are in units of the spread. */
    default boolean fitsStandardised() {
        return false;
    }

    /** The target that ψ and χ see. */
    default double modelTarget(double y, double centre, double spread) {
        return fitsStandardised() ? (y - centre) / spread : y;
    }

    /** A bounded target for the first cross moments, |·| ≤ {@link #startBound}. */
    double startTarget(double y, double centre, double spread);

    /** Bound of {@link #startTarget}. */
    double startBound();

    /** Share of the cross moments in the joint norm of the second moments. */
    default double startShare() {
        return 0.8;
    }

    /** What {@link #startTarget} is expected to be. */
    double startMean(double eta, double centre, double spread);

    /** Its derivative. */
    double startSlope(double eta, double centre, double spread);

    /** The variance of {@link #startTarget}, roughly. */
    default double startVariance() {
        return 1;
    }

    /** The intercept that a search begins with and that its prior is centred at. */
    default double startIntercept(double centre) {
        return 0;
    }

    /**
     * A first value of the extra parameters.
     *
     * @param eta predictors of the twin at the start
     * @param weights of its rows, with sum 1
     */
    default double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        return new double[0];
    }

    /** Extra parameters of a table nobody has seen, on the scale of the model; what a plan assumes. */
    default double[] usualExtra() {
        return new double[0];
    }

    /** Whether the last passes average over the posterior of the predictor: where the field is far from linear. */
    default boolean smooths() {
        return true;
    }

    /** Whether clips are chosen on the twin in every round; otherwise they stay what they are at the start. */
    default boolean choosesClips() {
        return true;
    }

    /** Whether the residual's own size is the typical contribution (bounded scores), or the bound of cut ones is. */
    default boolean boundedByOne() {
        return false;
    }

    /** The predictive distribution for a predictor that is N(mean, variance), in the target's own units. */
    Prediction predict(double mean, double variance, double[] extra);

    // ---- all linear predictors of a record -------------------------------------------------------------------------

    /** How many there are; coefficients are those of the first one's columns, then those of the next. */
    default int predictors() {
        return 1;
    }

    /** The directions c_i in which a record tells something: slope and variance of its residual are Σ s_i c_i c_iᵀ, s_i ≥ 0. */
    default double[][] directions() {
        return new double[][] {{1}};
    }

    /** L, symmetric: the predictors of coefficients are L u, and residuals, fields and slopes are those of u. */
    default double[] mixing() {
        return new double[] {1};
    }

    /** The names of all coefficients, from those of the columns. */
    default List<String> coefficientNames(List<String> columns) {
        return columns;
    }

    /** Writes the reference at {@code u[from ..]}. */
    default void reference(double[] u, int from, double[] extra, double[] reference, int at) {
        reference(u[from], extra, reference, at);
    }

    /** Writes the residual, whose norm is at most r[BOUND]. */
    default void residual(double y, double[] reference, int at, double[] residual) {
        residual[0] = psi(y, reference, at);
    }

    /** Writes s_i of the slope at the point itself; its Frobenius norm is r[SLOPE]. */
    default void ownSlopes(double[] reference, int at, double[] slopes, int to) {
        slopes[to] = reference[at + SLOPE];
    }

    /** Writes s_i of the variance at the point itself. */
    default void ownVariances(double[] reference, int at, double[] variances, int to) {
        variances[to] = reference[at + VARIANCE];
    }

    /** Writes the expectation of the residual at {@code u[from ..]} to {@code field[to ..]}. */
    default void field(double[] u, int from, double[] extra, double[] reference, int at, double[] field, int to) {
        field[to] = field(u[from], extra, reference, at);
    }

    /** Writes s_i of its derivative. */
    default void slopes(double[] u, int from, double[] extra, double[] reference, int at, double[] slopes, int to) {
        slopes[to] = slope(u[from], extra, reference, at);
    }

    /** Writes s_i of its variance. */
    default void variances(
            double[] u, int from, double[] extra, double[] reference, int at, double[] variances, int to) {
        variances[to] = variance(u[from], extra, reference, at);
    }

    /** Writes the target of the first cross moments, whose norm is at most {@link #startBound}. */
    default void startTarget(double y, double centre, double spread, double[] target) {
        target[0] = startTarget(y, centre, spread);
    }

    /** Writes its expectation. */
    default void startMean(double[] u, int from, double centre, double spread, double[] mean, int to) {
        mean[to] = startMean(u[from], centre, spread);
    }

    /** Writes s_i of the derivative of that. */
    default void startSlopes(double[] u, int from, double centre, double spread, double[] slopes, int to) {
        slopes[to] = startSlope(u[from], centre, spread);
    }

    /** A target for predictors of coefficients. */
    default double simulate(double[] eta, double[] extra, RandomStream random) {
        return simulate(eta[0], extra, random);
    }

    /** The predictive distribution for predictors of coefficients that are N(mean, covariance). */
    default Prediction predict(double[] mean, double[] covariance, double[] extra) {
        return predict(mean[0], covariance[0], extra);
    }
}
