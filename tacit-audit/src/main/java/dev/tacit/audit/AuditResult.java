package dev.tacit.audit;

import dev.tacit.audit.bound.ClaimedCurve;
import dev.tacit.audit.bound.ErrorRates;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.transcript.TranscriptVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A claim, and beside it what an attacker got.
 *
 * @param claim the promise
 * @param auditedEpsilon no less holds at the claimed delta, at the stated confidence
 * @param confidence of all layers together
 * @param seed from which everything was drawn
 * @param runs on each table
 * @param unit the unit that was attacked, in words
 * @param layers in the order in which they ran
 * @param control the twin that had to be caught
 * @param curve the claim as a curve
 * @param transcript what was counted
 */
public record AuditResult(
        PrivacyClaim claim,
        double auditedEpsilon,
        double confidence,
        long seed,
        long runs,
        String unit,
        List<LayerResult> layers,
        ControlResult control,
        ClaimedCurve curve,
        TranscriptVerdict transcript) {
    private static final double RAREST = 1e-4;
    private static final int DRAWN = 40;

    public AuditResult {
        layers = List.copyOf(layers);
    }

    /** The same with a layer that was made elsewhere, and has a confidence of its own. */
    public AuditResult and(LayerResult layer) {
        List<LayerResult> all = new ArrayList<>(layers);
        all.add(layer);
        return new AuditResult(claim, auditedEpsilon, confidence, seed, runs, unit, all, control, curve, transcript);
    }

    /** Everything that contradicts the claim. */
    public List<Defect> defects() {
        return layers.stream().flatMap(layer -> layer.defects().stream()).toList();
    }

    /** What it all says. */
    public String verdict() {
        String said = !defects().isEmpty()
                ? "The claim does not hold for this run: see the defects. Do not publish from it, and report them."
                : control.caught()
                        ? "No evidence against the claim."
                        : "Too few runs to see anything: the control was not caught. Give the audit more time.";
        return said + " An audit can contradict a claim; it cannot prove one.";
    }

    /** The object of {@code audit.json}. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", "tacit-audit/1");
        json.put("claimedEpsilon", claim.epsilon());
        json.put("delta", claim.delta());
        json.put("neighbours", claim.neighbours().label());
        json.put("auditedEpsilon", auditedEpsilon);
        json.put("confidence", confidence);
        json.put("verdict", verdict());
        json.put("runs", runs);
        json.put("seed", seed);
        json.put("unit", unit);
        json.put("layers", layers.stream().map(layer -> (Object) layer.toJson()).toList());
        json.put("control", control.toJson());
        json.put("curve", drawn());
        json.put("points", transcript.events().stream().map(AuditResult::point).toList());
        return json;
    }

    /** The claimed curve as pairs, close enough to draw it on plain and on logarithmic axes. */
    private List<Object> drawn() {
        TreeSet<Double> places = new TreeSet<>();
        places.add(0.0);
        for (int i = 0; i <= DRAWN; i++) {
            double share = (double) i / DRAWN;
            places.add(share);
            places.add(Math.pow(RAREST, share));
        }
        return places.stream()
                .map(place -> (Object) List.of(place, curve.mostLikely(place)))
                .toList();
    }

    private static Object point(ErrorRates event) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("event", event.event());
        json.put("unlikelyAtMost", event.unlikelyAtMost());
        json.put("likelyAtLeast", event.likelyAtLeast());
        return json;
    }
}
