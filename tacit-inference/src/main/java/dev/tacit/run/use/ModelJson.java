package dev.tacit.run.use;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.prediction.ModelUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Models as JSON: a kind, and the parameters that predicting or describing needs. How a model was fitted is not among them, so
 * that a posterior outlives its method and the names of its settings.
 */
public final class ModelJson {
    private static final List<ModelForm<?>> FORMS = Stream.of(
                    GlmForms.ALL, RegressionForms.ALL, NetworkForms.ALL, ConjugateForms.ALL, DescriptionForms.ALL)
            .<ModelForm<?>>flatMap(List::stream)
            .toList();

    private ModelJson() {}

    /** The kinds that can be written and read. */
    public static List<String> kinds() {
        return FORMS.stream().map(ModelForm::kind).toList();
    }

    /** A model's kind and parameters. */
    public static Map<String, Object> write(ModelUse model) {
        for (ModelForm<?> form : FORMS) {
            if (form.type() == model.getClass()) {
                Map<String, Object> json = new LinkedHashMap<>();
                json.put("kind", form.kind());
                json.putAll(form.write(model));
                return json;
            }
        }
        throw new IllegalArgumentException(
                model.getClass().getSimpleName() + " has no form in files; add it to the forms of models");
    }

    /**
     * Reads {@link #write} back.
     *
     * @throws IllegalArgumentException if this version has no such model or it has other parameters
     */
    public static ModelUse read(JsonFields json) {
        String kind = json.text("kind");
        for (ModelForm<?> form : FORMS) {
            if (form.kind().equals(kind)) {
                ModelUse model = form.reader().apply(json);
                json.end();
                return model;
            }
        }
        throw new JsonFieldException(json.pathOf("kind"), "is not a model that this version has");
    }
}
