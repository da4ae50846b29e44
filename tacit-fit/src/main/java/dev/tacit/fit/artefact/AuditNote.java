package dev.tacit.fit.artefact;

import dev.tacit.fit.base.CheckedText;
import dev.tacit.fit.base.FitException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.report.plot.Series;
import dev.tacit.report.section.AttackSection;
import dev.tacit.report.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What {@code audit.json} says about a fit, or why that is not shown.
 *
 * @param section for the report
 * @param refused why the audit is not shown; empty if it is
 */
public record AuditNote(Section section, Optional<String> refused) {
    /** The name of the file. */
    public static final String FILE = "audit.json";

    private static final String FORMAT = "tacit-audit/1";
    private static final String AGAIN = " \"tacit audit\" on this folder makes one of this fit.";

    /** The text of the file that holds an audit. */
    public static String fileText(Map<String, Object> audit) {
        return CheckedText.seal(Json.write(audit)) + "\n";
    }

    /** The section of an audit by itself. */
    public static Section section(Map<String, Object> audit) {
        return attack(JsonFields.of(audit, FILE)).section();
    }

    /** An audit that was read from beside a fit, which is shown if it is one of this very release and claim. */
    public static AuditNote of(String text, ReleaseRecord release) {
        JsonFields audit;
        AttackSection attack;
        try {
            audit = JsonFields.of(Json.read(CheckedText.open(text, FILE)), FILE);
            attack = attack(audit);
        } catch (FitException | IllegalArgumentException e) { // whatever a damaged file makes of itself
            return refused(
                    FILE + " is here and not shown: it was changed since it was written, or another version wrote"
                            + " it." + AGAIN);
        }
        boolean same = audit.has("release")
                && release.hash().equals(audit.value("release"))
                && release.privacy()
                        .filter(privacy -> privacy.epsilon() == attack.claim().epsilon()
                                && privacy.budget().delta() == attack.claim().delta())
                        .isPresent();
        return same
                ? new AuditNote(attack.section(), Optional.empty())
                : refused(FILE + " is here and not shown: it is an audit of another fit, or of a claim that has changed"
                        + " since." + AGAIN);
    }

    private static AuditNote refused(String why) {
        return new AuditNote(AttackSection.notShown(why), Optional.of(why));
    }

    private static AttackSection attack(JsonFields json) {
        if (!json.text("format").equals(FORMAT)) {
            throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
        }
        List<AttackSection.Layer> layers = new ArrayList<>();
        double curveEpsilon = 0;
        for (Object value : json.list("layers")) {
            JsonFields layer = JsonFields.of(value, json.pathOf("layers"));
            List<String> defects = new ArrayList<>();
            for (Object defect : layer.list("defects")) {
                JsonFields found = JsonFields.of(defect, layer.pathOf("defects"));
                defects.add(found.text("kind") + ": " + found.text("sentence") + ".");
            }
            layers.add(new AttackSection.Layer(
                    layer.text("layer"), layer.text("outcome"), epsilon(layer), layer.text("sentence"), defects));
            curveEpsilon = layer.has("curveEpsilon") ? layer.number("curveEpsilon") : curveEpsilon;
        }
        JsonFields control = json.object("control");
        layers.add(new AttackSection.Layer(
                "control",
                Boolean.TRUE.equals(control.value("caught")) ? "caught" : "not caught",
                epsilon(control),
                control.text("sentence"),
                List.of()));
        List<Series.Point> points = new ArrayList<>();
        for (Object value : json.list("points")) {
            JsonFields point = JsonFields.of(value, json.pathOf("points"));
            points.add(new Series.Point(point.number("unlikelyAtMost"), point.number("likelyAtLeast")));
        }
        return new AttackSection(
                new AttackSection.Claim(json.number("claimedEpsilon"), json.number("delta"), json.text("neighbours")),
                new AttackSection.Found(
                        json.text("audited"),
                        json.number("auditedEpsilon"),
                        curveEpsilon,
                        json.number("confidence"),
                        json.integer("runs"),
                        json.integer("seed")),
                json.text("verdict"),
                layers,
                curve(json),
                points);
    }

    private static OptionalDouble epsilon(JsonFields layer) {
        return layer.has("auditedEpsilon") ? OptionalDouble.of(layer.number("auditedEpsilon")) : OptionalDouble.empty();
    }

    private static List<Series.Point> curve(JsonFields json) {
        List<Series.Point> curve = new ArrayList<>();
        for (Object value : json.list("curve")) {
            if (!(value instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof Number x
                    && pair.get(1) instanceof Number y)) {
                throw new JsonFieldException(json.pathOf("curve"), "must be pairs of numbers");
            }
            curve.add(new Series.Point(x.doubleValue(), y.doubleValue()));
        }
        return curve;
    }
}
