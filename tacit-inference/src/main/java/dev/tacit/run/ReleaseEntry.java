package dev.tacit.run;

import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.json.Json;
import dev.tacit.privacy.json.JsonFieldException;
import dev.tacit.privacy.json.JsonFields;
import dev.tacit.privacy.json.PackedNumbers;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.noise.Provenance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One release as it is noted between two checkpoints: enough to take the kernel's step again, and nothing that was not
 * released.
 *
 * @param released how many releases there were with this one
 * @param position where that is in the ledger; empty for a run that is not private
 * @param sum what was released
 */
public record ReleaseEntry(long released, Optional<RunPosition> position, NoisySum sum) {
    /** As one line of JSON; doubles come back bit by bit. */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("released", released);
        position.ifPresent(at -> {
            json.put("ledgerSequence", at.sequence());
            json.put("ledgerHash", at.hash());
        });
        json.put("value", PackedNumbers.write(sum.value()));
        json.put("noiseStandardDeviation", sum.noiseStandardDeviation());
        json.put("expectedBatchSize", sum.expectedBatchSize());
        json.put("provenance", sum.provenance().label());
        return Json.write(json);
    }

    /** Reads {@link #toJson} back. */
    public static ReleaseEntry fromJson(String line) {
        JsonFields json = JsonFields.of(Json.read(line), "release");
        long released = json.integer("released");
        Optional<RunPosition> position = json.has("ledgerSequence")
                ? Optional.of(new RunPosition(json.integer("ledgerSequence"), json.text("ledgerHash"), released))
                : Optional.empty();
        NoisySum sum = new NoisySum(
                PackedNumbers.read(json, "value"),
                json.number("noiseStandardDeviation"),
                json.number("expectedBatchSize"),
                provenance(json));
        json.end();
        return new ReleaseEntry(released, position, sum);
    }

    private static Provenance provenance(JsonFields json) {
        String label = json.text("provenance");
        for (Provenance provenance : Provenance.values()) {
            if (provenance.label().equals(label)) {
                return provenance;
            }
        }
        throw new JsonFieldException(json.pathOf("provenance"), "is not one that this version knows");
    }
}
