package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.RandomStream;
import java.util.List;

/**
 * A response distribution with a number of linear predictors that its levels decide, and no parameter beside their coefficients.
 *
 * <p>It has the methods about all predictors together; those about one are asked of nobody. Expectations are taken at the
 * mode, not averaged over the posterior of the predictors.
 */
public interface SeveralPredictors extends GlmFamily {
    private static UnsupportedOperationException several() {
        return new UnsupportedOperationException("a record of this family has several linear predictors");
    }

    @Override
    default List<String> extraNames() {
        return List.of();
    }

    @Override
    default double extraLow(int parameter) {
        throw several();
    }

    @Override
    default double extraHigh(int parameter) {
        throw several();
    }

    @Override
    default double chiBound() {
        return 0;
    }

    @Override
    default boolean standardisesTarget() {
        return false;
    }

    @Override
    default boolean smooths() {
        return false;
    }

    @Override
    default void reference(double eta, double[] extra, double[] reference, int at) {
        throw several();
    }

    @Override
    default double psi(double y, double[] reference, int at) {
        throw several();
    }

    @Override
    default double field(double eta, double[] extra, double[] reference, int at) {
        throw several();
    }

    @Override
    default double slope(double eta, double[] extra, double[] reference, int at) {
        throw several();
    }

    @Override
    default double variance(double eta, double[] extra, double[] reference, int at) {
        throw several();
    }

    @Override
    default double simulate(double eta, double[] extra, RandomStream random) {
        throw several();
    }

    @Override
    default double startTarget(double y, double centre, double spread) {
        throw several();
    }

    @Override
    default double startMean(double eta, double centre, double spread) {
        throw several();
    }

    @Override
    default double startSlope(double eta, double centre, double spread) {
        throw several();
    }

    @Override
    default Prediction predict(double mean, double variance, double[] extra) {
        throw several();
    }
}
