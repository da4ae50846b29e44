package dev.tacit.json;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.ReleasePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Plans of releases as JSON, both ways, exactly.
 *
 * <pre>
 *   {"phases":[{"label":"...","times":T,"dimension":d,"sampling":S,"relativeNoise":r}...],"rowNormBound":b}
 *   S: "none", "poisson:RATE" or "fixed:BATCH/POPULATION"; rowNormBound may be missing
 * </pre>
 *
 * The written text is canonical, so equal plans have equal texts. A view of records is no part of it: a plan that has one is refused.
 */
public final class PlanJson {
    private PlanJson() {}

    /** The JSON value of a plan, as {@link Json#write} takes it. */
    public static Map<String, Object> toValue(ReleasePlan plan) {
        if (plan.view().isPresent()) {
            throw new IllegalArgumentException("a view of records has no JSON form; write the plan without it");
        }
        List<Object> phases = new ArrayList<>();
        for (ReleasePlan.Phase phase : plan.phases()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("label", phase.label());
            object.put("times", phase.times());
            object.put("dimension", (long) phase.dimension());
            object.put("sampling", sampling(phase.sampling()));
            object.put("relativeNoise", phase.relativeNoise());
            phases.add(object);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("phases", phases);
        plan.rowNormBound().ifPresent(bound -> json.put("rowNormBound", bound));
        return json;
    }

    /** Reads {@link #toValue} back. */
    public static ReleasePlan fromValue(Object value, String path) {
        JsonFields json = JsonFields.of(value, path);
        List<ReleasePlan.Phase> phases = new ArrayList<>();
        List<?> values = json.list("phases");
        for (int i = 0; i < values.size(); i++) {
            phases.add(phase(JsonFields.of(values.get(i), json.pathOf("phases") + "[" + i + "]")));
        }
        OptionalDouble rowNormBound =
                json.has("rowNormBound") ? OptionalDouble.of(json.number("rowNormBound")) : OptionalDouble.empty();
        json.end();
        if (phases.isEmpty()) {
            throw new JsonFieldException(json.pathOf("phases"), "must have at least one phase");
        }
        return new ReleasePlan(phases, Optional.empty(), rowNormBound);
    }

    private static ReleasePlan.Phase phase(JsonFields json) {
        long dimension = json.integer("dimension");
        if (dimension > Integer.MAX_VALUE) {
            throw new JsonFieldException(json.pathOf("dimension"), "must be at most 2147483647");
        }
        SamplingScheme sampling = sampling(json, "sampling");
        try {
            ReleasePlan.Phase phase = new ReleasePlan.Phase(
                    json.text("label"), json.integer("times"), (int) dimension, sampling, json.number("relativeNoise"));
            json.end();
            return phase;
        } catch (JsonFieldException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.path(), "is refused: " + e.getMessage());
        }
    }

    private static String sampling(SamplingScheme sampling) {
        if (sampling instanceof PoissonSampling poisson) {
            return "poisson:" + poisson.samplingRate();
        }
        if (sampling instanceof FixedSizeSampling fixed) {
            return "fixed:" + fixed.batch() + "/" + fixed.population();
        }
        return "none";
    }

    private static SamplingScheme sampling(JsonFields json, String name) {
        String text = json.text(name);
        try {
            if (text.equals("none")) {
                return new FullPass();
            }
            if (text.startsWith("poisson:")) {
                return new PoissonSampling(Double.parseDouble(text.substring("poisson:".length())));
            }
            int slash = text.indexOf('/');
            if (text.startsWith("fixed:") && slash > 0) {
                return new FixedSizeSampling(
                        Long.parseLong(text.substring("fixed:".length(), slash)),
                        Long.parseLong(text.substring(slash + 1)));
            }
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(json.pathOf(name), "is not a sampling scheme");
        }
        throw new JsonFieldException(json.pathOf(name), "is not a sampling scheme");
    }
}
