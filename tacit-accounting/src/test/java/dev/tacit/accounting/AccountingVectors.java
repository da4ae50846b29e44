package dev.tacit.accounting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The golden numbers of vectors/accounting.json, by group; see its {@code meta.conventions}. */
public final class AccountingVectors {
    private AccountingVectors() {}

    public static List<JsonNode> group(String name) {
        try (InputStream file = AccountingVectors.class.getResourceAsStream("/vectors/accounting.json")) {
            List<JsonNode> cases = new ArrayList<>();
            for (JsonNode node : new ObjectMapper().readTree(file).get("cases")) {
                if (node.get("group").asText().equals(name)) {
                    cases.add(node);
                }
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The true value with all the digits the file has. */
    public static BigDecimal truth(JsonNode vector, String key) {
        JsonNode truth = vector.get("truth");
        return truth.has(key + "_str")
                ? new BigDecimal(truth.get(key + "_str").asText())
                : BigDecimal.valueOf(truth.get(key).asDouble());
    }

    public static String id(JsonNode vector) {
        return vector.get("id").asText();
    }
}
