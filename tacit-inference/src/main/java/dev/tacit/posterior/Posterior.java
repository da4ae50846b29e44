package dev.tacit.posterior;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A distribution over the parameters of a model, given what crossed the door.
 *
 * <p>Immutable; every array that is returned is a copy. Coordinates are in the order of {@link #parameterNames}.
 */
public interface Posterior {
    /** The name of the family in {@code posterior.json}, for example {@code gaussian}. */
    String family();

    /** One name for each coordinate, all different. */
    List<String> parameterNames();

    /** How many coordinates there are. */
    default int dimension() {
        return parameterNames().size();
    }

    /** The mean of each coordinate; infinite or NaN only where the distribution has none. */
    double[] mean();

    /** The standard deviation of each coordinate; infinite or NaN only where the distribution has none. */
    double[] standardDeviation();

    /** The number that a coordinate is below with this probability, which must lie strictly between 0 and 1. */
    double quantile(int coordinate, double probability);

    /** The natural parameters, in the order that the family's description says; empty where there are none. */
    Optional<double[]> naturalParameters();

    /** Writes one draw to {@code draw}, which has {@link #dimension} numbers. */
    void sample(RandomStream random, double[] draw);

    /** The logarithm of the density at a point; −∞ outside of the support. */
    double logDensity(double[] point);

    /** The object that {@link PosteriorJson} writes: {@code family}, {@code parameters} (names) and the family's fields. */
    Map<String, Object> toJson();
}
