package dev.tacit.run;

import dev.tacit.door.session.NoisySum;
import dev.tacit.json.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a report says about one release.
 *
 * @param label of its phase
 * @param dimension how many numbers were released
 * @param noiseStandardDeviation of the noise on each of them
 * @param noiseToSignal length of the noise expected over the length of what was released
 */
public record ReleaseNote(String label, int dimension, double noiseStandardDeviation, double noiseToSignal) {
    /** The note of a release. */
    public static ReleaseNote of(String label, NoisySum released) {
        return new ReleaseNote(
                label, released.value().length, released.noiseStandardDeviation(), released.noiseToSignal());
    }

    /** For checkpoints and release records. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("label", label);
        json.put("dimension", dimension);
        json.put("noiseStandardDeviation", noiseStandardDeviation);
        json.put("noiseToSignal", noiseToSignal);
        return json;
    }

    /** Reads {@link #toJson} back. */
    public static ReleaseNote fromJson(JsonFields json) {
        ReleaseNote note = new ReleaseNote(
                json.text("label"),
                Math.toIntExact(json.integer("dimension")),
                json.number("noiseStandardDeviation"),
                json.number("noiseToSignal"));
        json.end();
        return note;
    }
}
