package dev.tacit.experiments.mcmc;

import dev.tacit.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipFile;

/** Data and reference draws of posteriordb, from the folder {@code posteriordb} of TACIT_DATA. */
final class PosteriorDatabase {
    private final Path folder;

    PosteriorDatabase(Path folder) {
        this.folder = folder;
    }

    /** One data set: numbers and lists of numbers by name. */
    Map<?, ?> data(String name) {
        return (Map<?, ?>) read(folder.resolve("data").resolve(name + ".json.zip"));
    }

    /** Reference draws by parameter: one array for each chain. */
    Map<String, double[][]> draws(String posterior) {
        List<?> chains = (List<?>) read(folder.resolve("draws").resolve(posterior + ".json.zip"));
        Map<String, double[][]> draws = new LinkedHashMap<>();
        for (Object name : ((Map<?, ?>) chains.get(0)).keySet()) {
            List<double[]> columns = new ArrayList<>();
            for (Object chain : chains) {
                columns.add(numbers(((Map<?, ?>) chain).get(name)));
            }
            draws.put((String) name, columns.toArray(double[][]::new));
        }
        return draws;
    }

    static double[] numbers(Object list) {
        return ((List<?>) list)
                .stream().mapToDouble(v -> ((Number) v).doubleValue()).toArray();
    }

    static double number(Map<?, ?> data, String name) {
        return ((Number) data.get(name)).doubleValue();
    }

    private static Object read(Path file) {
        try (ZipFile zip = new ZipFile(file.toFile());
                InputStream stream = zip.getInputStream(zip.entries().nextElement())) {
            return Json.read(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }
}
