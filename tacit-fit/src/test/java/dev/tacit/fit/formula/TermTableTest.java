package dev.tacit.fit.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.noise.Provenance;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.twin.Widening;
import dev.tacit.inference.FreePrior;
import dev.tacit.json.Json;
import dev.tacit.posterior.family.GaussianPosterior;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The numbers of a summary, from a posterior that is known. */
class TermTableTest {
    private static final double NORMAL_975 = 1.959963984540054;
    private static final List<String> NAMES =
            List.of("(Intercept)", "age", "icu[surgery]", "icu[medical]", "log(sigma)");

    private static StoredPosterior fitted(String model) {
        return fitted(model, List.of());
    }

    private static StoredPosterior fitted(String model, List<FreePrior.Caution> cautions) {
        Schema schema = SchemaYaml.read("""
                unit: record
                size: 4000
                columns:
                  age: {type: number, bounds: [15, 90]}
                  icu: {type: category, categories: [surgery, coronary, medical], reference: coronary, other: false}
                  died: {type: binary, positive: 1, negative: 0}
                """).withFormula("died ~ age + icu", "died");
        double[] covariance = new double[25];
        double[] variances = {1, 1e-4, 0.04, 0.09, 0.01};
        for (int i = 0; i < 5; i++) {
            covariance[6 * i] = variances[i];
        }
        covariance[13] = 0.03;
        covariance[17] = 0.03;
        double[] without = covariance.clone();
        double[] before = new double[25];
        for (int i = 0; i < 5; i++) {
            before[6 * i] = i == 0 ? 25 : 6.25;
        }
        for (int i = 0; i < 25; i++) {
            without[i] *= 0.25;
        }
        return new StoredPosterior(
                model,
                "private-likelihood",
                Map.of(),
                schema,
                new GaussianPosterior(NAMES, new double[] {-2, 0.05, -0.7, 0.1, 0.4}, covariance),
                Optional.of(new GaussianPosterior(NAMES, new double[5], without)),
                Optional.of(new GaussianPosterior(NAMES, new double[5], before)),
                cautions,
                Map.of(),
                Provenance.SIMULATED_NOT_FOR_RELEASE);
    }

    /** Factors widen deviations and keep correlations; the prior's deviation is never exceeded. */
    @Test
    void widenedIntervalsKeepTheirCentresAndStayInsideThePrior() {
        StoredPosterior own = fitted("logistic-regression");
        Widening widening = new Widening(Map.of("icu[surgery]", 3.0, "icu[medical]", 2.0, "log(sigma)", 100.0));
        StoredPosterior shown = widening.of(own);
        TermTable before = TermTable.of(own, 0.95);
        TermTable after = TermTable.of(shown, 0.95);
        double[] factors = {1, 1, 3, 2, 25};
        for (int i = 0; i < factors.length; i++) {
            TermRow a = before.rows().get(i);
            TermRow b = after.rows().get(i);
            assertThat(b.mean()).isEqualTo(a.mean());
            assertThat(b.upper() - b.lower()).isCloseTo(factors[i] * (a.upper() - a.lower()), within(1e-9));
            assertThat(b.privacyShare().getAsDouble())
                    .isCloseTo(a.privacyShare().getAsDouble(), within(1e-9));
        }
        double variance = 9 * 0.04 + 4 * 0.09 - 2 * 3 * 2 * 0.03;
        assertThat(after.contrast("icu[surgery] - icu[medical]").sd()).isCloseTo(Math.sqrt(variance), within(1e-9));
        assertThat(Widening.fromJson(widening.toJson(), "widened")).isEqualTo(widening);
        assertThat(Widening.NONE.of(own)).isSameAs(own);
    }

    /** What must be said stands below the table, and its mark beside every term concerned and no other. */
    @Test
    void cautionsAreMarkedBesideTheirTerms() {
        StoredPosterior own = fitted(
                "linear-regression",
                List.of(new FreePrior.Caution(
                        "nested", List.of("icu[surgery]", "icu[medical]"), "they cannot be told apart")));
        TermText text = new TermText(own, TermTable.of(own, 0.95).rows(), 0.95, "");
        List<String> lines = text.lines();
        assertThat(lines).filteredOn(line -> line.contains("[1]")).hasSize(3);
        assertThat(lines).anyMatch(line -> line.contains("icu: surgery [1] "));
        assertThat(lines.get(lines.size() - 1)).isEqualTo("  [1]       They cannot be told apart.");
        assertThat(text.csv().lines().filter(line -> line.endsWith(",nested"))).hasSize(2);
        assertThat(text.json().get("cautions")).isEqualTo(own.cautionsJson());
        assertThat(own.toJson()).contains(Json.write(own.cautionsJson()));
    }

    @Test
    void rowsAreInNaturalUnitsAgainstTheReference() {
        List<TermRow> rows = TermTable.of(fitted("logistic-regression"), 0.95).rows();
        assertThat(rows).extracting(TermRow::term).isEqualTo(NAMES);
        assertThat(rows).extracting(TermRow::unit).containsExactly("at 0", "per 1", "vs coronary", "vs coronary", "");
        TermRow age = rows.get(1);
        assertThat(age.lower()).isCloseTo(0.05 - NORMAL_975 * 0.01, within(1e-12));
        assertThat(age.upper()).isCloseTo(0.05 + NORMAL_975 * 0.01, within(1e-12));
        assertThat(age.prior().orElseThrow().sd()).isEqualTo(2.5);
        assertThat(age.privacyShare().getAsDouble()).isCloseTo(0.5, within(1e-12));
    }

    @Test
    void contrastsUseTheCovariance() {
        TermTable table = TermTable.of(fitted("logistic-regression"), 0.9);
        TermRow difference = table.contrast("icu[surgery] - icu[medical]");
        assertThat(difference.mean()).isCloseTo(-0.8, within(1e-12));
        assertThat(difference.sd()).isCloseTo(Math.sqrt(0.04 + 0.09 - 2 * 0.03), within(1e-12));
        assertThat(difference.prior().orElseThrow().sd()).isCloseTo(Math.sqrt(12.5), within(1e-12));
        assertThat(table.contrast("10 * age").mean()).isCloseTo(0.5, within(1e-12));
        assertThat(table.contrast("-age + 2*icu[surgery]").mean()).isCloseTo(-1.45, within(1e-12));
        assertThat(table.contrast("icu[surgery] - icu[coronary]").sd()).isCloseTo(0.2, within(1e-12));
    }

    @Test
    void contrastsThatAreNotOnesPointAtTheCharacter() {
        TermTable table = TermTable.of(fitted("logistic-regression"), 0.9);
        assertThatThrownBy(() -> table.contrast("age + bun"))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("here a term of the summary is missing")
                .extracting(failure -> ((FitException) failure).picture())
                .isEqualTo(List.of("  age + bun", "        ^"));
        assertThatThrownBy(() -> table.contrast("age age")).hasMessageContaining("between two terms stands + or -");
        assertThatThrownBy(() -> table.contrast("")).hasMessageContaining("is missing");
        assertThatThrownBy(() -> table.contrast("age +")).hasMessageContaining("is missing");
    }

    @Test
    void ratiosAreExponentialsOfTheLink() {
        StoredPosterior fitted = fitted("logistic-regression");
        TermText text = new TermText(fitted, TermTable.of(fitted, 0.95).rows(), 0.95, "odds ratio");
        assertThat(text.lines())
                .containsExactly(
                        "  term          per          odds ratio  95 % interval                 prior 95 %  of the width, privacy",
                        "  (Intercept)   at 0              0.135          0.019  to 0.961  5.5e-5 to 18000                   50 %",
                        "  age           1                 1.051          1.031  to 1.072    0.0074 to 130                   50 %",
                        "  icu: surgery  vs coronary       0.497          0.336  to 0.735    0.0074 to 130                   50 %",
                        "  icu: medical  vs coronary        1.11           0.61   to 1.99    0.0074 to 130                   50 %",
                        "  sigma                            1.49           1.23   to 1.81    0.0074 to 130                   50 %");
        Map<?, ?> age = (Map<?, ?>) ((List<?>) text.json().get("terms")).get(1);
        assertThat((double) age.get("mean")).isCloseTo(Math.exp(0.05), within(1e-12));
        assertThat((double) age.get("sd")).isCloseTo(0.01, within(1e-12));
    }

    @Test
    void jsonHasTheKeysOfTheReference() {
        StoredPosterior fitted = fitted("logistic-regression");
        Map<String, Object> json =
                new TermText(fitted, TermTable.of(fitted, 0.9).rows(), 0.9, "").json();
        assertThat(json).containsEntry("level", 0.9).containsKeys("terms");
        Map<?, ?> term = (Map<?, ?>) ((List<?>) json.get("terms")).get(2);
        assertThat(term.keySet().stream().map(Object::toString).toList())
                .startsWith("term", "unit", "mean", "sd", "lower", "upper", "priorSd");
        assertThat(term.get("term")).isEqualTo("icu[surgery]");
        assertThat(new TermText(fitted, TermTable.of(fitted, 0.9).rows(), 0.9, "")
                        .csv()
                        .lines()
                        .toList())
                .hasSize(6)
                .startsWith("term,unit,mean,sd,lower,upper,priorSd,privacyShare,cautions");
    }
}
