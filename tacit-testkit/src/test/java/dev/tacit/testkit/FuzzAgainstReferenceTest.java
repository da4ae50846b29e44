package dev.tacit.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.json.EventJson;
import dev.tacit.testkit.accountant.GoldenCases;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Every epsilon of golden/fuzz.json, computed by src/golden/reference.py in 30 digits and more, lies in our interval.
 */
class FuzzAgainstReferenceTest {
    private final PrivacyAccountant exact = new ExactAccountant();

    private record Outcome(String id, EpsilonBound answer, BigDecimal truth) {
        boolean holdsTruth() {
            // The truth is rounded to its last digit.
            return answer instanceof EpsilonBound.Between between
                    && new BigDecimal(between.lower()).compareTo(truth.add(truth.ulp())) <= 0
                    && new BigDecimal(between.epsilon()).compareTo(truth.subtract(truth.ulp())) >= 0;
        }

        double relativeWidth() {
            return answer instanceof EpsilonBound.Between between
                    ? (between.epsilon() - between.lower()) / truth.doubleValue()
                    : Double.POSITIVE_INFINITY;
        }
    }

    @Test
    void everyReferenceEpsilonLiesInItsInterval() {
        JsonNode file = GoldenCases.resource("/golden/fuzz.json");
        JsonNode cases = file.isArray() ? file : file.get("cases");
        List<Outcome> outcomes =
                StreamSupport.stream(cases.spliterator(), true).map(this::ask).toList();
        List<String> wrong = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (!outcome.holdsTruth()) {
                wrong.add(outcome.toString());
            }
        }
        double[] widths =
                outcomes.stream().mapToDouble(Outcome::relativeWidth).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "fuzz against reference: %d cases, relative width median %.2g, 90%% %.2g, 99%% %.2g, largest %.2g%n",
                widths.length,
                widths[widths.length / 2],
                widths[widths.length * 9 / 10],
                widths[widths.length * 99 / 100],
                widths[widths.length - 1]);
        assertThat(outcomes).isNotEmpty();
        assertThat(wrong).isEmpty();
    }

    private Outcome ask(JsonNode node) {
        return new Outcome(
                node.get("id").asText(),
                exact.epsilon(
                        EventJson.standard().read(node.get("event").toString()),
                        node.get("delta").asDouble(),
                        Neighbours.ofLabel(node.get("neighbours").asText())),
                new BigDecimal(node.get("epsilon").asText()));
    }
}
