package dev.tacit.testkit.accountant;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.testkit.accountant.GoldenCase.PeerAnswer;
import dev.tacit.testkit.accountant.GoldenCase.Question;
import dev.tacit.testkit.accountant.GoldenCase.Truth;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

/**
 * Reads the table of accounting truths {@code vectors/accounting.json} and maps each case to an event and a question.
 *
 * <p>Conventions that bite. In the table {@code sigma} is noise over the L2 bound of one record, except for sampling
 * without replacement, where it is noise over the replace-one sensitivity, which is twice that bound; {@code
 * replace_one} with Poisson sampling is the pair of mixtures shifted by +1 and -1, that is one bound each way, so
 * there {@code sigma} is the noise multiplier as it is. Where the table's own truth was computed in double precision,
 * {@code vectors/accounting-refined.json} replaces it by one with 20 digits or more.
 */
public final class GoldenCases {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private static final String ACCOUNTING = "/vectors/accounting.json";

    private GoldenCases() {}

    /** All cases of {@code vectors/accounting.json} on the class path. */
    public static List<GoldenCase> accounting() {
        JsonNode refined = resource("/vectors/accounting-refined.json").get("values");
        List<GoldenCase> cases = new ArrayList<>();
        for (JsonNode node : resource(ACCOUNTING).get("cases")) {
            cases.add(goldenCase(node, refined));
        }
        return List.copyOf(cases);
    }

    /** The case of the given name. */
    public static GoldenCase accounting(String id) {
        return accounting().stream()
                .filter(golden -> golden.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no golden case is called " + id));
    }

    /** Whether the table is on the class path; it is a test resource of the testkit's own module. */
    public static boolean available() {
        return GoldenCases.class.getResource(ACCOUNTING) != null;
    }

    /** A JSON file on the class path. */
    public static JsonNode resource(String path) {
        try (InputStream stream = GoldenCases.class.getResourceAsStream(path)) {
            if (stream == null) {
                throw new IllegalArgumentException("there is no " + path + " on the class path");
            }
            return MAPPER.readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
    }

    /** Gaussian releases on Poisson samples; a rate of 1 is no sampling. */
    public static PrivacyEvent sampledGaussian(double noiseMultiplier, double rate, long steps) {
        PrivacyEvent release = PrivacyEvent.gaussian(noiseMultiplier);
        return (rate == 1 ? release : release.poissonSampled(rate)).times(steps);
    }

    private static GoldenCase goldenCase(JsonNode node, JsonNode refined) {
        Map<String, PeerAnswer> peers = new LinkedHashMap<>();
        for (Entry<String, JsonNode> peer : node.path("peers").properties()) {
            peers.put(peer.getKey(), peerAnswer(peer.getValue()));
        }
        return new GoldenCase(
                node.get("id").asText(),
                node.get("group").asText(),
                node.path("adjacency").asText().equals("replace_one") ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE,
                question(node),
                truth(node, refined.path(node.get("id").asText())),
                peers);
    }

    private static Question question(JsonNode node) {
        double delta = node.path("delta").asDouble();
        return switch (node.get("kind").asText()) {
            case "eps" -> new Question.Epsilon(event(node), delta);
            case "sigma" ->
                new Question.NoiseMultiplier(
                        new PrivacyBudget(node.get("target_eps").asDouble(), delta),
                        node.get("q").asDouble(),
                        node.get("steps").asLong());
            case "rdp" ->
                new Question.RenyiDivergence(
                        node.get("sigma").asDouble(),
                        node.get("q").asDouble(),
                        node.get("alpha").asDouble());
            case "zcdp_eps" ->
                new Question.ZeroConcentratedEpsilon(
                        Leaves.zeroConcentrated(node.get("rho").asDouble()),
                        node.get("rho").asDouble(),
                        delta);
            default -> throw new IllegalArgumentException("unknown kind " + node.get("kind"));
        };
    }

    private static PrivacyEvent event(JsonNode node) {
        String mechanism = node.get("mechanism").asText();
        boolean fixedSize = node.get("sampling").asText().equals("without_replacement");
        PrivacyEvent event = PrivacyEvent.nothing();
        for (JsonNode phase : node.get("events")) {
            PrivacyEvent release = switch (mechanism) {
                case "gaussian" ->
                    PrivacyEvent.gaussian(
                            (fixedSize ? 2 : 1) * phase.get("sigma").asDouble());
                case "laplace" -> Leaves.laplace(phase.get("b").asDouble());
                case "randomized_response_binary" ->
                    Leaves.pure(phase.get("eps0").asDouble());
                case "discrete_gaussian" ->
                    Leaves.discreteGaussian(phase.get("sigma").asDouble());
                default -> throw new IllegalArgumentException("unknown mechanism " + mechanism);
            };
            double rate = phase.path("q").asDouble(1);
            if (fixedSize) {
                release = fixedSizeSampled(release, rate);
            } else if (rate < 1) {
                release = release.poissonSampled(rate);
            }
            event = event.then(release.times(phase.get("steps").asLong()));
        }
        return event;
    }

    /** The smallest population of which a batch makes exactly the given rate. */
    private static PrivacyEvent fixedSizeSampled(PrivacyEvent release, double rate) {
        for (long population = 1; population <= 1_000_000; population++) {
            long batch = Math.round(rate * population);
            if ((double) batch / population == rate) {
                return release.fixedSizeSampled(batch, population);
            }
        }
        throw new IllegalArgumentException("no batch of at most a million has rate " + rate);
    }

    private static Optional<Truth> truth(JsonNode node, JsonNode refined) {
        JsonNode truth = node.get("truth");
        if (refined.isTextual()) {
            BigDecimal value = new BigDecimal(refined.asText());
            return Optional.of(new Truth(value, value.ulp(), "vectors/accounting-refined.json"));
        }
        for (String key : List.of("eps", "sigma", "rdp")) {
            if (truth.has(key + "_str")) {
                BigDecimal value = new BigDecimal(truth.get(key + "_str").asText());
                return Optional.of(
                        new Truth(value, value.ulp(), truth.get("method").asText()));
            }
            if (truth.path(key).isNumber()) {
                return Optional.of(new Truth(
                        BigDecimal.valueOf(truth.get(key).asDouble()),
                        BigDecimal.valueOf(truth.get("abs_err").asDouble()),
                        truth.get("method").asText()));
            }
        }
        return Optional.empty();
    }

    private static PeerAnswer peerAnswer(JsonNode node) {
        Map<String, Double> numbers = new LinkedHashMap<>();
        for (String name : List.of("lower", "upper", "estimate", "sigma", "rdp")) {
            if (node.path(name).isNumber()) {
                numbers.put(name, node.get(name).asDouble());
            }
        }
        return new PeerAnswer(
                numbers,
                Optional.ofNullable(node.get("error")).map(JsonNode::asText),
                node.path("seconds").asDouble());
    }
}
