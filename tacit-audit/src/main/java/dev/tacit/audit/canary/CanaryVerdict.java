package dev.tacit.audit.canary;

import dev.tacit.audit.bound.OneRunBound;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.result.LayerResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well coins were guessed in one run.
 *
 * @param best the guesses that show most
 * @param claimedEpsilon of the run
 * @param delta of the claim
 * @param epsilon no less holds, at the stated confidence
 * @param confidence of that
 */
public record CanaryVerdict(OneRunBound best, double claimedEpsilon, double delta, double epsilon, double confidence) {
    /** In words. */
    public String sentence() {
        return "One run with " + best.coins() + " invented records, each there by the toss of a coin: " + best.right()
                + " of " + best.guesses() + " guesses about them were right.";
    }

    /** For {@code canaries.json}; it costs nothing, because the records are nobody's. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", "tacit-canaries/1");
        json.put("canaries", best.coins());
        json.put("guesses", best.guesses());
        json.put("right", best.right());
        json.put("claimedEpsilon", claimedEpsilon);
        json.put("delta", delta);
        json.put("auditedEpsilon", epsilon);
        json.put("confidence", confidence);
        json.put("sentence", sentence());
        return json;
    }

    /** As a layer of an audit. */
    public LayerResult layer() {
        Map<String, Object> figures = toJson();
        figures.keySet().removeAll(List.of("format", "claimedEpsilon", "delta", "sentence"));
        return new LayerResult(
                "one run",
                true,
                sentence(),
                figures,
                epsilon > claimedEpsilon
                        ? List.of(new Defect(
                                Kind.CURVE, "more coins were guessed in the run itself than its claim allows"))
                        : List.of());
    }
}
