package dev.tacit.fit.run;

import dev.tacit.data.prepare.PrivateBounds;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.run.ReleaseNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bounds that a run bought with its first release, for columns that the schema leaves open.
 *
 * @param schema the schema with the bounds
 * @param note about the release
 * @param position in the ledger after it
 */
record BoughtBounds(Schema schema, ReleaseNote note, RunPosition position) {
    /** Whether a schema leaves bounds open. */
    static boolean neededBy(Schema schema) {
        return !schema.columnsWithPrivateBounds().isEmpty();
    }

    /** A schema of the same shape for planning: bounds move values, not columns. */
    static Schema placeholder(Schema schema) {
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            boolean open =
                    column instanceof NumberColumn number && number.bounds().isEmpty();
            columns.add(open ? ((NumberColumn) column).withBounds(new Bounds(0, Double.MAX_VALUE / 2)) : column);
        }
        return schema.withColumns(columns);
    }

    /**
     * The whole plan: the bounds first, then the rest, whose noise stays what it is to the run.
     *
     * @param share of the budget that the bounds get, to first order
     */
    static ReleasePlan plan(Schema schema, double share, ReleasePlan rest) {
        ReleasePlan bounds = PrivateBounds.plan(schema);
        double factor = Math.sqrt(UsableCount.spending(bounds) * (1 - share) / (share * UsableCount.spending(rest)));
        return scaled(bounds, factor).then(rest);
    }

    private static ReleasePlan scaled(ReleasePlan plan, double factor) {
        List<ReleasePlan.Phase> phases = plan.phases().stream()
                .map(phase -> new ReleasePlan.Phase(
                        phase.label(),
                        phase.times(),
                        phase.dimension(),
                        phase.sampling(),
                        phase.relativeNoise() * factor))
                .toList();
        return plan.withPhases(phases);
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("schema", schema.toJson());
        json.put("note", note.toJson());
        json.put("ledgerSequence", position.sequence());
        json.put("ledgerHash", position.hash());
        return Json.write(json);
    }

    /** Reads {@link #toJson} back. */
    static BoughtBounds fromJson(String text) {
        JsonFields json = JsonFields.of(Json.read(text), "bounds");
        BoughtBounds bought = new BoughtBounds(
                Schema.fromJson(json.value("schema")),
                ReleaseNote.fromJson(json.object("note")),
                new RunPosition(json.integer("ledgerSequence"), json.text("ledgerHash"), 1));
        json.end();
        return bought;
    }
}
