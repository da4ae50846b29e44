package dev.tacit.report.section;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What the posterior says about one parameter.
 *
 * @param lower5 a probability of 5% lies below
 * @param upper95 a probability of 5% lies above
 * @param sdWithoutPrivacyNoise an estimate, computed from released values, of the standard deviation without the noise
 */
public record ParameterRow(
        String name, double mean, double sd, double lower5, double upper95, OptionalDouble sdWithoutPrivacyNoise) {
    public ParameterRow {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(sdWithoutPrivacyNoise, "sdWithoutPrivacyNoise");
    }

    /** A parameter whose noise was not taken apart. */
    public ParameterRow(String name, double mean, double sd, double lower5, double upper95) {
        this(name, mean, sd, lower5, upper95, OptionalDouble.empty());
    }

    /** How many standard deviations the mean is away from 0; what is not a number counts as 0. */
    double strength() {
        double strength = Math.abs(mean / sd);
        return Double.isNaN(strength) ? 0 : strength;
    }
}
