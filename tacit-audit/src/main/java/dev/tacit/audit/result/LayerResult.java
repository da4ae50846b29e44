package dev.tacit.audit.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one layer of an audit saw.
 *
 * @param layer its name
 * @param ran whether it could be run on this subject
 * @param sentence what was done, or why nothing was
 * @param figures by name, for programs
 * @param defects none if nothing was found
 */
public record LayerResult(
        String layer, boolean ran, String sentence, Map<String, Object> figures, List<Defect> defects) {
    public LayerResult {
        figures = new LinkedHashMap<>(figures);
        defects = List.copyOf(defects);
    }

    /** A layer that this subject does not have. */
    public static LayerResult notRun(String layer, String reason) {
        return new LayerResult(layer, false, reason, Map.of(), List.of());
    }

    /** One word: what came of it. */
    public String outcome() {
        return !ran ? "not run" : defects.isEmpty() ? "nothing found" : "defect";
    }

    /** For {@code audit.json}. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("layer", layer);
        json.put("outcome", outcome());
        json.put("sentence", sentence);
        json.putAll(figures);
        List<Object> found = new ArrayList<>();
        for (Defect defect : defects) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("kind", defect.kind().label());
            object.put("sentence", defect.sentence());
            found.add(object);
        }
        json.put("defects", found);
        return json;
    }
}
