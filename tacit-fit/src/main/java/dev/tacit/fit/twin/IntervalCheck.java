package dev.tacit.fit.twin;

import dev.tacit.fit.base.FitException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the 90 % intervals of a fit held the truth on simulated twins: what {@code fit} prints beside its numbers and
 * keeps in {@code check.json}, and what {@code diagnose} says again.
 *
 * <p>It is computed from the released posterior, the schema and the plan, so it costs nothing and may be published.
 *
 * @param twins how many tables were simulated
 * @param rows records in each
 * @param intervals how many intervals were looked at
 * @param coverage share of them that held the truth
 * @param coverageWithoutNoise the same for intervals that ignore the privacy noise; empty if there are none
 * @param verdict what that means
 * @param widening by how much intervals are shown wider because of it
 */
public record IntervalCheck(
        int twins,
        int rows,
        long intervals,
        double coverage,
        Optional<Double> coverageWithoutNoise,
        TwinVerdict verdict,
        Widening widening) {
    private static final String WIDENED = "widened";

    public static IntervalCheck of(TwinCoverage.Result result) {
        return new IntervalCheck(
                result.twins(),
                result.rows(),
                result.intervals(),
                result.coverage(),
                result.coveredWithoutNoise().map(covered -> (double) covered / result.intervals()),
                TwinVerdict.of(result),
                TwinVerdict.widening(result));
    }

    /** What was counted, and what it means. */
    public String sentence() {
        return "90% intervals held the truth in " + percent(coverage) + " of " + intervals + " cases on " + twins
                + " simulated twins of " + rows + " records. " + verdict.sentence();
    }

    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }

    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("twins", twins);
        json.put("records", rows);
        json.put("intervals", intervals);
        json.put("coverage90", coverage);
        coverageWithoutNoise.ifPresent(share -> json.put("coverage90WithoutPrivacyNoise", share));
        json.put("verdict", verdict.kind().label());
        json.put("sentence", verdict.sentence());
        if (!widening.isNone()) {
            json.put(WIDENED, widening.toJson());
        }
        return json;
    }

    /** Reads {@link #toJson} back. */
    public static IntervalCheck fromJson(String text, String name) {
        try {
            JsonFields json = JsonFields.of(Json.read(text), name);
            Optional<Double> withoutNoise = json.has("coverage90WithoutPrivacyNoise")
                    ? Optional.of(json.number("coverage90WithoutPrivacyNoise"))
                    : Optional.empty();
            IntervalCheck check = new IntervalCheck(
                    Math.toIntExact(json.integer("twins")),
                    Math.toIntExact(json.integer("records")),
                    json.integer("intervals"),
                    json.number("coverage90"),
                    withoutNoise,
                    new TwinVerdict(kind(json), json.text("sentence")),
                    json.has(WIDENED) ? Widening.fromJson(json.list(WIDENED), json.pathOf(WIDENED)) : Widening.NONE);
            json.end();
            return check;
        } catch (JsonException | JsonFieldException | ArithmeticException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name + " is not a check that this version can read; remove it and ask tacit diagnose.",
                    e);
        }
    }

    private static TwinVerdict.Kind kind(JsonFields json) {
        String label = json.text("verdict");
        for (TwinVerdict.Kind kind : TwinVerdict.Kind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new JsonFieldException(json.pathOf("verdict"), "is not one that this version knows");
    }
}
