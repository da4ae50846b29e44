package dev.tacit.experiments.harness;

import dev.tacit.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Reference values from src/golden, read from the resources of the tests. */
public final class Golden {
    private Golden() {}

    /** The object in a file of the resources, for example {@code /dev/tacit/numerics/special-functions.json}. */
    public static Map<?, ?> read(String name) {
        try (InputStream file = Golden.class.getResourceAsStream(name)) {
            return (Map<?, ?>) Json.read(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** An object inside another one. */
    public static Map<?, ?> object(Map<?, ?> map, String name) {
        return (Map<?, ?>) map.get(name);
    }

    /** A number of an object. */
    public static double number(Map<?, ?> map, String name) {
        return ((Number) map.get(name)).doubleValue();
    }

    /** A list of numbers, or of lists of numbers one after the other. */
    public static double[] numbers(Map<?, ?> map, String name) {
        return ((List<?>) map.get(name))
                .stream()
                        .flatMap(entry -> entry instanceof List<?> list ? list.stream() : List.of(entry).stream())
                        .mapToDouble(entry -> ((Number) entry).doubleValue())
                        .toArray();
    }
}
