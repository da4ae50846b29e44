package dev.tacit.posterior.json;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.posterior.family.BetaPosterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.posterior.family.NetworkPosterior;
import dev.tacit.posterior.family.NormalGammaPosterior;
import dev.tacit.posterior.family.NormalInverseWishartPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.posterior.family.SamplesPosterior;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.posterior.family.TransformedPosterior;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transform;
import dev.tacit.transform.Transforms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes and reads posteriors as JSON; every number comes back as the same double, bit for bit.
 *
 * <pre>
 *   {"family": "gaussian", "parameters": [names], "mean": [..], "covarianceLower": [lower triangle, row after row]}
 *   {"family": "diagonal-gaussian", "parameters": [names], "mean": [..], "variance": [..]}
 *   {"family": "gamma", "parameters": [name], "shape": a, "rate": b}
 *   {"family": "beta", "parameters": [name], "successes": a, "failures": b}
 *   {"family": "dirichlet", "parameters": [names], "concentration": [..]}
 *   {"family": "normal-gamma", "parameters": [weights, precision], "mean": [..], "precisionLower": [..], "shape": a, "rate": b}
 *   {"family": "normal-inverse-wishart", "columns": [names], "mean": [..], "mass": k, "scaleLower": [..], "degrees": n}
 *   {"family": "scaled-dirichlet", "groups": [names], "categories": [names], "shape": packed, "rate": packed}
 *   {"family": "belief-network", "columns": [names], "hiddenUnits": K, "mean": packed, "variance": packed}
 *   {"family": "neural-network", "inputs": [names], "hiddenUnits": [K, ..], "mean": packed, "variance": packed, "scales": packed}
 *   {"family": "product", "blocks": {name: posterior}}
 *   {"family": "gaussian-mixtures", "parameters": [names], "mixtures": [{"weights": [..], "means": [..], "variances": [..]}, ..]}
 *   {"family": "grouped-gaussian", "parameters": [names], "mean": [..], "covarianceLower": [..], "deviations": [{"firstEffect": i, "centre": c, "values": [..], "weights": [..]}, ..]}
 *   {"family": "transformed", "parameters": [names], "space": [{"name": .., "transform": .., "size": n}, ..], "free": posterior}
 *   {"family": "samples", "parameters": [names], "draws": [one draw after the other]}
 * </pre>
 *
 * Reading is strict: each field must be there, no other may be, and what is wrong is said with its path.
 */
public final class PosteriorJson {
    private PosteriorJson() {}

    /** The text of a posterior. */
    public static String write(Posterior posterior) {
        return Json.write(posterior.toJson());
    }

    /** The posterior of a text. */
    public static Posterior read(String text) {
        return read(Json.read(text), "");
    }

    /**
     * The posterior of a value that was read from JSON.
     *
     * @param path where the value stands, for messages; empty for the outermost
     */
    public static Posterior read(Object value, String path) {
        JsonFields fields = JsonFields.of(value, path);
        String family = fields.text("family");
        if (family.equals(ProductPosterior.FAMILY)) {
            return product(fields);
        }
        try {
            if (family.equals(ScaledDirichletPosterior.FAMILY)) {
                return scaledDirichlet(fields);
            }
            if (family.equals(NormalInverseWishartPosterior.FAMILY)) {
                return normalInverseWishart(fields);
            }
            if (family.equals(BeliefNetworkPosterior.FAMILY)) {
                return beliefNetwork(fields);
            }
            if (family.equals(NetworkPosterior.FAMILY)) {
                return network(fields);
            }
            List<String> names = names(fields, "parameters");
            return single(family, names, fields);
        } catch (JsonFieldException problem) {
            throw problem;
        } catch (IllegalArgumentException problem) {
            throw new JsonFieldException(path, "is not a posterior: " + problem.getMessage());
        }
    }

    private static Posterior single(String family, List<String> names, JsonFields fields) {
        int n = names.size();
        return switch (family) {
            case GaussianPosterior.FAMILY -> {
                double[] mean = numbers(fields, "mean", n);
                double[] covariance = matrix(fields, "covarianceLower", n);
                fields.end();
                yield new GaussianPosterior(names, mean, covariance);
            }
            case DiagonalGaussianPosterior.FAMILY -> {
                double[] mean = numbers(fields, "mean", n);
                double[] variance = numbers(fields, "variance", n);
                fields.end();
                yield new DiagonalGaussianPosterior(names, mean, variance);
            }
            case GammaPosterior.FAMILY -> {
                double shape = fields.number("shape");
                double rate = fields.number("rate");
                fields.end();
                yield new GammaPosterior(only(names, fields), shape, rate);
            }
            case BetaPosterior.FAMILY -> {
                double successes = fields.number("successes");
                double failures = fields.number("failures");
                fields.end();
                yield new BetaPosterior(only(names, fields), successes, failures);
            }
            case DirichletPosterior.FAMILY -> {
                double[] concentration = numbers(fields, "concentration", n);
                fields.end();
                yield new DirichletPosterior(names, concentration);
            }
            case NormalGammaPosterior.FAMILY -> {
                if (n == 0) {
                    throw new JsonFieldException(fields.pathOf("parameters"), "must name the precision last");
                }
                double[] mean = numbers(fields, "mean", n - 1);
                double[] precision = matrix(fields, "precisionLower", n - 1);
                double shape = fields.number("shape");
                double rate = fields.number("rate");
                fields.end();
                yield new NormalGammaPosterior(names.subList(0, n - 1), names.get(n - 1), mean, precision, shape, rate);
            }
            case SamplesPosterior.FAMILY -> {
                double[] draws = numbers(fields, "draws", fields.list("draws").size());
                fields.end();
                yield new SamplesPosterior(names, draws);
            }
            case MixturePosterior.FAMILY -> mixtures(names, fields);
            case GroupedPosterior.FAMILY -> grouped(names, fields);
            case TransformedPosterior.FAMILY -> transformed(names, fields);
            default ->
                throw new JsonFieldException(
                        fields.pathOf("family"),
                        "must be gaussian, diagonal-gaussian, gamma, beta, dirichlet, scaled-dirichlet, normal-gamma,"
                                + " normal-inverse-wishart, belief-network, neural-network, gaussian-mixtures, grouped-gaussian, transformed, product or samples");
        };
    }

    private static Posterior scaledDirichlet(JsonFields fields) {
        List<String> groups = names(fields, "groups");
        List<String> categories = names(fields, "categories");
        double[] shape = PackedNumbers.read(fields, "shape");
        double[] rate = PackedNumbers.read(fields, "rate");
        fields.end();
        return new ScaledDirichletPosterior(groups, categories, shape, rate);
    }

    private static Posterior normalInverseWishart(JsonFields fields) {
        List<String> columns = names(fields, "columns");
        double[] mean = numbers(fields, "mean", columns.size());
        double mass = fields.number("mass");
        double[] scale = matrix(fields, "scaleLower", columns.size());
        double degrees = fields.number("degrees");
        fields.end();
        return new NormalInverseWishartPosterior(columns, mean, mass, scale, degrees);
    }

    private static Posterior beliefNetwork(JsonFields fields) {
        List<String> columns = names(fields, "columns");
        int hiddenUnits = Math.toIntExact(fields.integer("hiddenUnits"));
        double[] mean = PackedNumbers.read(fields, "mean");
        double[] variance = PackedNumbers.read(fields, "variance");
        fields.end();
        return new BeliefNetworkPosterior(columns, hiddenUnits, mean, variance);
    }

    private static Posterior network(JsonFields fields) {
        List<String> inputs = names(fields, "inputs");
        List<Integer> hiddenUnits = new ArrayList<>();
        for (double units :
                numbers(fields, "hiddenUnits", fields.list("hiddenUnits").size())) {
            hiddenUnits.add((int) units);
        }
        double[] mean = PackedNumbers.read(fields, "mean");
        double[] variance = PackedNumbers.read(fields, "variance");
        double[] scales = PackedNumbers.read(fields, "scales");
        fields.end();
        return new NetworkPosterior(inputs, hiddenUnits, mean, variance, scales);
    }

    private static Posterior mixtures(List<String> names, JsonFields fields) {
        List<ScalarGaussianMixture> mixtures = new ArrayList<>();
        for (Object value : fields.list("mixtures")) {
            JsonFields one = JsonFields.of(value, fields.pathOf("mixtures") + "[" + mixtures.size() + "]");
            int components = one.list("weights").size();
            double[] weights = numbers(one, "weights", components);
            double[] means = numbers(one, "means", components);
            double[] variances = numbers(one, "variances", components);
            one.end();
            mixtures.add(new ScalarGaussianMixture(weights, means, variances));
        }
        fields.end();
        return new MixturePosterior(names, mixtures);
    }

    private static Posterior grouped(List<String> names, JsonFields fields) {
        double[] mean = numbers(fields, "mean", names.size());
        double[] covariance = matrix(fields, "covarianceLower", names.size());
        List<GroupedPosterior.Deviation> deviations = new ArrayList<>();
        for (Object value : fields.list("deviations")) {
            JsonFields one = JsonFields.of(value, fields.pathOf("deviations") + "[" + deviations.size() + "]");
            int size = one.list("values").size();
            deviations.add(new GroupedPosterior.Deviation(
                    Math.toIntExact(one.integer("firstEffect")),
                    one.number("centre"),
                    numbers(one, "values", size),
                    numbers(one, "weights", size)));
            one.end();
        }
        fields.end();
        return new GroupedPosterior(new GaussianPosterior(names, mean, covariance), deviations);
    }

    private static Posterior transformed(List<String> names, JsonFields fields) {
        ParameterSpace space = null;
        for (Object value : fields.list("space")) {
            JsonFields block = JsonFields.of(value, fields.pathOf("space"));
            String name = block.text("name");
            Transform transform = Transforms.named(block.text("transform"), Math.toIntExact(block.integer("size")));
            block.end();
            space = space == null ? ParameterSpace.of(name, transform) : space.and(name, transform);
        }
        if (space == null) {
            throw new JsonFieldException(fields.pathOf("space"), "must have at least one block");
        }
        Posterior free = read(fields.value("free"), fields.pathOf("free"));
        fields.end();
        return new TransformedPosterior(names, space, free);
    }

    private static Posterior product(JsonFields fields) {
        JsonFields.of(fields.value("blocks"), fields.pathOf("blocks"));
        Map<?, ?> parts = (Map<?, ?>) fields.value("blocks");
        fields.end();
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        for (Map.Entry<?, ?> part : parts.entrySet()) {
            String name = (String) part.getKey();
            blocks.put(name, read(part.getValue(), fields.pathOf("blocks") + "." + name));
        }
        try {
            return new ProductPosterior(blocks);
        } catch (IllegalArgumentException problem) {
            throw new JsonFieldException(fields.path(), "is not a posterior: " + problem.getMessage());
        }
    }

    private static String only(List<String> names, JsonFields fields) {
        if (names.size() != 1) {
            throw new JsonFieldException(fields.pathOf("parameters"), "must have exactly one name");
        }
        return names.get(0);
    }

    private static List<String> names(JsonFields fields, String field) {
        List<String> names = new ArrayList<>();
        for (Object name : fields.list(field)) {
            if (!(name instanceof String text)) {
                throw new JsonFieldException(fields.pathOf(field), "must be an array of strings");
            }
            names.add(text);
        }
        return names;
    }

    private static double[] numbers(JsonFields fields, String field, int size) {
        List<?> list = fields.list(field);
        if (list.size() != size) {
            throw new JsonFieldException(fields.pathOf(field), "must have " + size + " numbers");
        }
        double[] numbers = new double[size];
        for (int i = 0; i < size; i++) {
            if (!(list.get(i) instanceof Number number)) {
                throw new JsonFieldException(fields.pathOf(field) + "[" + i + "]", "must be a number");
            }
            numbers[i] = number.doubleValue();
        }
        return numbers;
    }

    private static double[] matrix(JsonFields fields, String field, int n) {
        double[] lower = numbers(fields, field, n * (n + 1) / 2);
        double[] matrix = new double[n * n];
        int next = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                matrix[i * n + j] = lower[next];
                matrix[j * n + i] = lower[next];
                next++;
            }
        }
        return matrix;
    }
}
