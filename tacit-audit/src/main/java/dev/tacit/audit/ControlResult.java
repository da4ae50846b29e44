package dev.tacit.audit;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The same audit of the same run with less noise than claimed, which must be caught.
 *
 * @param noiseFactor its noise over the claimed noise
 * @param caughtByAttack whether an attacker who tells tables apart saw it
 * @param caughtByNoise whether residuals showed it
 * @param epsilon the lower bound that the attack gave
 */
public record ControlResult(double noiseFactor, boolean caughtByAttack, boolean caughtByNoise, double epsilon) {
    /** Whether it was caught at all; if not, the audit saw too few runs to see anything. */
    public boolean caught() {
        return caughtByAttack || caughtByNoise;
    }

    /** What it says about the audit. */
    public String sentence() {
        String twin = "The same run with " + noiseFactor + " of its noise";
        if (caughtByAttack) {
            return twin + " was caught by the attack.";
        }
        return caughtByNoise
                ? twin
                        + " was caught by its residuals; the attack alone is too weak to see it, because no record that was"
                        + " tried comes near its bound or there were too few runs."
                : twin + " was not caught: too few runs to see anything.";
    }

    /** For {@code audit.json}. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("noiseFactor", noiseFactor);
        json.put("caught", caught());
        json.put("caughtByAttack", caughtByAttack);
        json.put("caughtByNoise", caughtByNoise);
        json.put("auditedEpsilon", epsilon);
        json.put("sentence", sentence());
        return json;
    }
}
