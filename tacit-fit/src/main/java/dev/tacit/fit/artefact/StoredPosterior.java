package dev.tacit.fit.artefact;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.noise.Provenance;
import dev.tacit.fit.base.CheckedText;
import dev.tacit.fit.base.FitException;
import dev.tacit.inference.FreePrior;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import dev.tacit.run.use.ModelJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What {@code posterior.json} holds: enough to predict without the data it came from.
 *
 * <p>Format 2 holds the model's own parameters, and the method with its settings as a record of how it was fitted. Format 1 held
 * settings only, from which the model is put together again.
 *
 * @param model its name
 * @param use what the fit is good for: the model with its parameters
 * @param method the name of what fitted it
 * @param settings everything that was in force, which only repeating the fit needs
 * @param schema how records are encoded
 * @param posterior what is known about the parameters
 * @param withoutPrivacyNoise an estimate of what would be known without privacy noise, if the method has one
 * @param prior what was believed about the parameters before, in the same units, if the method can say it
 * @param cautions what must be said beside some of the parameters
 * @param centre released means of the columns, by the names of their parameters; empty if they are not known
 * @param provenance whether it may be published
 */
public record StoredPosterior(
        String model,
        ModelUse use,
        String method,
        Map<String, Object> settings,
        Schema schema,
        Posterior posterior,
        Optional<Posterior> withoutPrivacyNoise,
        Optional<Posterior> prior,
        List<FreePrior.Caution> cautions,
        Map<String, Double> centre,
        Provenance provenance) {
    private static final String FORMAT = "tacit-posterior/2";
    private static final String EARLIER_FORMAT = "tacit-posterior/1";
    private static final String MODEL = "model";
    private static final String NAME = "name";
    private static final String METHOD = "method";
    private static final String SETTINGS = "settings";
    private static final String SCHEMA = "schema";
    private static final String CAUTIONS = "cautions";
    private static final String CENTRE = "centre";

    public StoredPosterior {
        cautions = List.copyOf(cautions);
        centre = Map.copyOf(centre);
    }

    /** The same with other knowledge about the parameters. */
    public StoredPosterior with(Posterior other, Optional<Posterior> otherWithoutPrivacyNoise) {
        return new StoredPosterior(
                model,
                use,
                method,
                settings,
                schema,
                other,
                otherWithoutPrivacyNoise,
                prior,
                cautions,
                centre,
                provenance);
    }

    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("provenance", provenance.label());
        Map<String, Object> own = new LinkedHashMap<>();
        own.put(NAME, model);
        own.putAll(ModelJson.write(use));
        json.put(MODEL, own);
        Map<String, Object> how = new LinkedHashMap<>();
        how.put(METHOD, method);
        how.put(SETTINGS, settings);
        json.put("fittedBy", how);
        json.put("posterior", posterior.toJson());
        withoutPrivacyNoise.ifPresent(other -> json.put("withoutPrivacyNoise", other.toJson()));
        prior.ifPresent(before -> json.put("prior", before.toJson()));
        if (!cautions.isEmpty()) {
            json.put(CAUTIONS, cautionsJson());
        }
        if (!centre.isEmpty()) {
            json.put(CENTRE, centreJson());
        }
        json.put(SCHEMA, schema.toJson());
        return CheckedText.seal(Json.write(json));
    }

    /** Reads {@link #toJson} back. */
    public static StoredPosterior fromJson(String text, String name) {
        try {
            JsonFields json = JsonFields.of(Json.read(CheckedText.open(text, name)), name);
            StoredPosterior fitted = switch (json.text("format")) {
                case FORMAT -> read(json);
                case EARLIER_FORMAT -> readEarlier(json);
                default -> throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
            };
            json.end();
            fitted.requireUsable(); // a posterior that does not fit its own model and schema is refused now
            return fitted;
        } catch (SchemaException | IllegalArgumentException | ClassCastException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name
                            + " is not a posterior that this version can read; fit again or use the version that wrote it.",
                    e);
        }
    }

    private static StoredPosterior read(JsonFields json) {
        JsonFields own = json.object(MODEL);
        String model = own.text(NAME);
        JsonFields how = json.object("fittedBy");
        StoredPosterior fitted = read(
                json,
                model,
                ModelJson.read(own),
                how.text(METHOD),
                settings(how),
                Schema.fromJson(json.value(SCHEMA)),
                provenance(json));
        how.end();
        return fitted;
    }

    /** What the model is good for is a matter of the model, whatever the method's settings were. */
    private static StoredPosterior readEarlier(JsonFields json) {
        String model = json.text(MODEL);
        String method = json.text(METHOD);
        Map<String, Object> settings = settings(json);
        Schema schema = Schema.fromJson(json.value(SCHEMA));
        Provenance provenance = provenance(json);
        ModelUse use = MethodCatalogue.use(
                model, method, DataShapes.of(schema), given(settings), provenance != Provenance.NOT_PRIVATE);
        return read(json, model, use, method, settings, schema, provenance);
    }

    private static StoredPosterior read(
            JsonFields json,
            String model,
            ModelUse use,
            String method,
            Map<String, Object> settings,
            Schema schema,
            Provenance provenance) {
        return new StoredPosterior(
                model,
                use,
                method,
                settings,
                schema,
                PosteriorJson.read(json.value("posterior"), json.pathOf("posterior")),
                optionalPosterior(json, "withoutPrivacyNoise"),
                optionalPosterior(json, "prior"),
                json.has(CAUTIONS) ? cautions(json) : List.of(),
                json.has(CENTRE) ? centre(json) : Map.of(),
                provenance);
    }

    /** Kind, parameters and sentence of everything that must be said. */
    public List<Object> cautionsJson() {
        List<Object> all = new ArrayList<>();
        for (FreePrior.Caution caution : cautions) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("kind", caution.kind());
            entry.put("terms", new ArrayList<Object>(caution.names()));
            entry.put("sentence", caution.sentence());
            all.add(entry);
        }
        return all;
    }

    /** In the order of the parameters, so that the same fit is the same text. */
    private List<Object> centreJson() {
        List<Object> all = new ArrayList<>();
        for (String name : posterior.parameterNames()) {
            if (centre.containsKey(name)) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("term", name);
                entry.put("mean", centre.get(name));
                all.add(entry);
            }
        }
        return all;
    }

    private static Map<String, Double> centre(JsonFields json) {
        Map<String, Double> centre = new LinkedHashMap<>();
        for (Object value : json.list(CENTRE)) {
            JsonFields entry = JsonFields.of(value, json.pathOf(CENTRE));
            centre.put(entry.text("term"), entry.number("mean"));
            entry.end();
        }
        return centre;
    }

    private static List<FreePrior.Caution> cautions(JsonFields json) {
        List<FreePrior.Caution> all = new ArrayList<>();
        for (Object value : json.list(CAUTIONS)) {
            JsonFields entry = JsonFields.of(value, json.pathOf(CAUTIONS));
            List<String> names =
                    entry.list("terms").stream().map(Object::toString).toList();
            all.add(new FreePrior.Caution(entry.text("kind"), names, entry.text("sentence")));
            entry.end();
        }
        return all;
    }

    private static Optional<Posterior> optionalPosterior(JsonFields json, String key) {
        return json.has(key) ? Optional.of(PosteriorJson.read(json.value(key), json.pathOf(key))) : Optional.empty();
    }

    private static Map<String, Object> settings(JsonFields json) {
        Map<String, Object> settings = new LinkedHashMap<>();
        if (json.value(SETTINGS) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> settings.put(key.toString(), value));
        }
        return settings;
    }

    static Provenance provenance(JsonFields json) {
        String label = json.text("provenance");
        for (Provenance provenance : Provenance.values()) {
            if (provenance.label().equals(label)) {
                return provenance;
            }
        }
        throw new JsonFieldException(json.pathOf("provenance"), "is not one that this version knows");
    }

    /** The method that made this fit, rebuilt from its settings. */
    public FitMethod<?, ?> fitMethod() {
        return fitMethod(schema.size());
    }

    /** Whether the fit can be repeated on simulated records: not if its parties worked while others did. */
    public boolean repeatable() {
        return !"asynchronous".equals(settings.get("schedule"));
    }

    /** The same method for another number of units. */
    public FitMethod<?, ?> fitMethod(long publicSize) {
        if (!repeatable()) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    "the parties of this fit did not wait for each other, which no simulated twin repeats; a study with"
                            + " schedule=synchronous can be checked");
        }
        try {
            return method(settings, publicSize);
        } catch (SettingException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    "posterior.json comes from a method or settings that this version does not have, so the fit cannot be"
                            + " repeated; use the version that wrote it.",
                    e);
        }
    }

    /**
     * The same method with other settings.
     *
     * @throws SettingException if the method does not take them
     */
    public FitMethod<?, ?> fitMethod(Map<String, Object> others) {
        fitMethod(); // whatever is wrong with its own settings is not the fault of the others
        return method(others, schema.size());
    }

    private FitMethod<?, ?> method(Map<String, Object> chosen, long publicSize) {
        return MethodCatalogue.find(
                model,
                method,
                DataShapes.of(schema).withPublicSize(publicSize),
                new SettingValues(given(chosen)),
                provenance != Provenance.NOT_PRIVATE);
    }

    private static Map<String, String> given(Map<String, Object> settings) {
        Map<String, String> given = new LinkedHashMap<>();
        settings.forEach((name, value) -> given.put(name, value.toString()));
        return given;
    }

    /** Whether single parameters have a true value; those of networks have not, because units can change places. */
    public boolean identifiable() {
        return !(use instanceof PredictiveModel predictive) || predictive.identifiable();
    }

    /** What is shown in place of a list of parameters; empty if the parameters are to be shown. */
    public List<Finding> findings() {
        return use instanceof DescriptiveModel descriptive ? descriptive.findings(posterior) : List.of();
    }

    private void requireUsable() {
        if (use instanceof PredictiveModel predictive) {
            predictive.predictor(posterior);
        } else if (use instanceof DescriptiveModel descriptive) {
            descriptive.describer(posterior);
        }
    }
}
