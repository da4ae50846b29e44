package dev.tacit.run.use;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.prediction.ModelUse;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How one kind of model is written down: its own parameters under names that stay, whatever its class calls them.
 *
 * @param kind the name in files, which never changes
 * @param type the class of the model
 * @param writer puts parameters by name
 * @param reader makes the model of them
 */
record ModelForm<M extends ModelUse>(
        String kind, Class<M> type, BiConsumer<M, Map<String, Object>> writer, Function<JsonFields, M> reader) {
    /** The parameters of a model of this type. */
    Map<String, Object> write(ModelUse model) {
        Map<String, Object> json = new LinkedHashMap<>();
        writer.accept(type.cast(model), json);
        return json;
    }

    /** Texts of a list. */
    static List<String> texts(JsonFields json, String name) {
        return json.list(name).stream()
                .map(value -> {
                    if (value instanceof String text) {
                        return text;
                    }
                    throw new JsonFieldException(json.pathOf(name), "is a list of texts");
                })
                .toList();
    }

    /** Numbers of a list. */
    static double[] numbers(JsonFields json, String name) {
        return json.list(name).stream()
                .mapToDouble(value -> {
                    if (value instanceof Number number) {
                        return number.doubleValue();
                    }
                    throw new JsonFieldException(json.pathOf(name), "is a list of numbers");
                })
                .toArray();
    }

    /** Numbers as JSON has them. */
    static List<Double> list(double[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    static int count(JsonFields json, String name) {
        return Math.toIntExact(json.integer(name));
    }
}
