package dev.tacit.run.use;

import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.json.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Regressions by a formula: the design in natural units, the family, the prior. */
final class GlmForms {
    private static final String NAME = "name";
    private static final String COLUMNS = "columns";
    private static final String GROUPS = "groups";
    private static final String OFFSET = "offset";
    private static final String LOW = "low";
    private static final String HIGH = "high";
    private static final String TERMS = "terms";
    private static final String SCALES = "groupScales";

    static final List<ModelForm<?>> ALL =
            List.of(new ModelForm<>("glm", GlmModel.class, GlmForms::write, GlmForms::read));

    private GlmForms() {}

    private static void write(GlmModel model, Map<String, Object> json) {
        GlmDesign design = model.design();
        json.put("family", model.family().name());
        json.put("targetLow", model.targetLow());
        json.put("targetHigh", model.targetHigh());
        json.put(COLUMNS, design.columns().stream().map(GlmForms::column).toList());
        if (!design.groups().isEmpty()) {
            json.put(GROUPS, design.groups().stream().map(GlmForms::group).toList());
        }
        design.offset().ifPresent(offset -> json.put(OFFSET, column(offset)));
        json.put("rowsPerUnit", design.rowsPerUnit());
        json.put("prior", prior(model.prior()));
    }

    private static GlmModel read(JsonFields json) {
        List<GlmColumn> columns = new ArrayList<>();
        for (Object each : json.list(COLUMNS)) {
            columns.add(column(JsonFields.of(each, json.pathOf(COLUMNS))));
        }
        List<GroupEffects> groups = new ArrayList<>();
        if (json.has(GROUPS)) {
            for (Object each : json.list(GROUPS)) {
                groups.add(group(JsonFields.of(each, json.pathOf(GROUPS))));
            }
        }
        Optional<GlmColumn> offset = json.has(OFFSET) ? Optional.of(column(json.object(OFFSET))) : Optional.empty();
        return new GlmModel(
                new GlmDesign(columns, groups, offset, ModelForm.count(json, "rowsPerUnit")),
                GlmFamilies.named(json.text("family")),
                json.number("targetLow"),
                json.number("targetHigh"),
                prior(json.object("prior")));
    }

    private static Map<String, Object> column(GlmColumn column) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(NAME, column.name());
        json.put("kind", column.kind().name().toLowerCase(Locale.ROOT));
        if (column.kind() == GlmColumn.Kind.NUMBER) {
            json.put(LOW, column.low());
            json.put(HIGH, column.high());
        } else if (column.kind() == GlmColumn.Kind.LEVEL) {
            json.put("factor", column.factor());
        }
        return json;
    }

    private static GlmColumn column(JsonFields json) {
        String name = json.text(NAME);
        GlmColumn column = switch (GlmColumn.Kind.valueOf(json.text("kind").toUpperCase(Locale.ROOT))) {
            case INTERCEPT -> GlmColumn.intercept(name);
            case NUMBER -> GlmColumn.number(name, json.number(LOW), json.number(HIGH));
            case LEVEL -> GlmColumn.level(name, ModelForm.count(json, "factor"));
        };
        json.end();
        return column;
    }

    private static Map<String, Object> group(GroupEffects group) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(NAME, group.name());
        json.put("levels", group.levels());
        json.put("slope", group.slope());
        json.put("slopeName", group.slopeName());
        return json;
    }

    private static GroupEffects group(JsonFields json) {
        GroupEffects group = new GroupEffects(
                json.text(NAME),
                ModelForm.texts(json, "levels"),
                ModelForm.count(json, "slope"),
                json.text("slopeName"));
        json.end();
        return group;
    }

    /** Terms in the order of their names, so that the same model is the same text. */
    private static Map<String, Object> prior(GlmPrior prior) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("columnDeviation", prior.columnDeviation());
        json.put("interceptDeviation", prior.interceptDeviation());
        List<Object> terms = new ArrayList<>();
        new TreeMap<>(prior.terms()).forEach((name, normal) -> {
            Map<String, Object> term = new LinkedHashMap<>();
            term.put(NAME, name);
            term.put("mean", normal.mean());
            term.put("sd", normal.standardDeviation());
            terms.add(term);
        });
        List<Object> scales = new ArrayList<>();
        new TreeMap<>(prior.groupScales()).forEach((name, scale) -> {
            Map<String, Object> group = new LinkedHashMap<>();
            group.put(NAME, name);
            group.put("scale", scale);
            scales.add(group);
        });
        json.put(TERMS, terms);
        json.put(SCALES, scales);
        return json;
    }

    private static GlmPrior prior(JsonFields json) {
        GlmPrior prior =
                new GlmPrior(json.number("columnDeviation"), json.number("interceptDeviation"), Map.of(), Map.of());
        for (Object each : json.list(TERMS)) {
            JsonFields term = JsonFields.of(each, json.pathOf(TERMS));
            prior = prior.with(term.text(NAME), term.number("mean"), term.number("sd"));
            term.end();
        }
        for (Object each : json.list(SCALES)) {
            JsonFields group = JsonFields.of(each, json.pathOf(SCALES));
            prior = prior.withGroups(group.text(NAME), group.number("scale"));
            group.end();
        }
        json.end();
        return prior;
    }
}
