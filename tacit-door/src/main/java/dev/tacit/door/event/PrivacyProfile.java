package dev.tacit.door.event;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What one release is: the name of a mechanism and its parameters, and no curve.
 *
 * <p>Whoever bounds a release looks its curves up by the name and refuses a name that it does not know, so that a new
 * mechanism needs a name here and curves there.
 *
 * @param mechanism the leaf's type, for example {@code gaussian}
 * @param parameters the leaf's parameters, in the order of their names
 */
public record PrivacyProfile(String mechanism, Map<String, Double> parameters) {
    public PrivacyProfile {
        Objects.requireNonNull(mechanism, "mechanism");
        parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** Gaussian noise; the multiplier is noise standard deviation over the L2 bound of one record. */
    public static PrivacyProfile gaussian(double noiseMultiplier) {
        if (!(noiseMultiplier > 0) || Double.isInfinite(noiseMultiplier)) {
            throw new IllegalArgumentException("a noise multiplier is a positive number");
        }
        return new PrivacyProfile("gaussian", Map.of("noiseMultiplier", noiseMultiplier));
    }
}
