package dev.tacit.privacy.accountant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GaussianClosedFormTest {
    private static final double[] SHIFTS = {1e-8, 1e-5, 0.003, 0.05, 0.4, 1, 1.5, 3, 10, 77, 1e3, 1e4};

    static Stream<JsonNode> goldenCases() {
        return AccountingVectors.group("gaussian").stream().filter(vector -> vector.get("kind").asText().equals("eps"));
    }

    @ParameterizedTest
    @MethodSource("goldenCases")
    void bracketsTheGoldenEpsilon(JsonNode vector) {
        double precision = 0;
        for (JsonNode event : vector.get("events")) {
            double multiplier = event.get("sigma").asDouble();
            precision += event.get("steps").asDouble() / multiplier / multiplier;
        }
        double shift = (vector.get("adjacency").asText().equals("replace_one") ? 2 : 1) * Math.sqrt(precision);
        double delta = vector.get("delta").asDouble();
        double lower = GaussianClosedForm.epsilonLower(shift, delta);
        double upper = GaussianClosedForm.epsilonUpper(shift, delta);
        BigDecimal truth = AccountingVectors.truth(vector, "eps");
        // The shift itself is rounded, which moves epsilon by about one rounding.
        BigDecimal rounding = BigDecimal.valueOf(4 * Math.ulp(upper));
        assertThat(new BigDecimal(upper).add(rounding)).isGreaterThanOrEqualTo(truth);
        assertThat(new BigDecimal(lower).subtract(rounding)).isLessThanOrEqualTo(truth);
        assertThat((upper - lower) / upper).isLessThanOrEqualTo(1e-12);
    }

    /** 60-digit values of Φ(−c) − e^ε Φ(−c − shift), rounded to 25 digits. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 0.3829249225480262072459234",
        "1, 5, 7.181234883634286e-7",
        "1e-8, 2e-7, 0",
        "0.5, 10, 0",
    })
    void bracketsKnownDeltas(double shift, double epsilon, double known) {
        double lower = GaussianClosedForm.deltaLower(shift, epsilon);
        double upper = GaussianClosedForm.deltaUpper(shift, epsilon);
        assertThat(lower).isLessThanOrEqualTo(upper);
        if (known > 0) {
            assertThat(upper).isBetween(known * (1 - 1e-13), known * (1 + 1e-12));
            assertThat(lower).isBetween(known * (1 - 1e-12), known * (1 + 1e-13));
        }
    }

    @Test
    void epsilonAndDeltaInvertEachOther() {
        for (double shift : SHIFTS) {
            for (double delta : List.of(1e-300, 1e-100, 1e-30, 1e-9, 1e-5, 0.01, 0.3, 0.7, 0.999, 1 - 1e-9)) {
                double upper = GaussianClosedForm.epsilonUpper(shift, delta);
                double lower = GaussianClosedForm.epsilonLower(shift, delta);
                assertThat(lower).as("shift %s delta %s", shift, delta).isBetween(0.0, upper);
                assertThat(GaussianClosedForm.deltaUpper(shift, upper)).isLessThanOrEqualTo(delta * (1 + 1e-15));
                if (lower > 0) {
                    assertThat(GaussianClosedForm.deltaLower(shift, lower)).isGreaterThanOrEqualTo(delta * (1 - 1e-15));
                    assertThat(upper - lower).isLessThanOrEqualTo(1e-13 * Math.max(upper, shift) + 1e-13 * shift * shift);
                }
            }
        }
    }

    @Test
    void shiftKeepsTheBudgetAndIsTight() {
        for (double epsilon : List.of(0.0, 1e-8, 1e-3, 0.5, 1.0, 10.0, 300.0, 1e4)) {
            for (double delta : List.of(1e-300, 1e-30, 1e-9, 1e-5, 0.1, 0.6, 1 - 1e-9)) {
                double safe = GaussianClosedForm.shiftLower(epsilon, delta);
                double unsafe = GaussianClosedForm.shiftUpper(epsilon, delta);
                assertThat(GaussianClosedForm.deltaUpper(safe, epsilon))
                        .as("epsilon %s delta %s", epsilon, delta)
                        .isLessThanOrEqualTo(delta * (1 + 1e-15));
                assertThat(GaussianClosedForm.deltaLower(unsafe, epsilon)).isGreaterThanOrEqualTo(delta * (1 - 1e-15));
                assertThat((unsafe - safe) / unsafe).isBetween(0.0, 1e-12);
            }
        }
    }

    @Test
    void isMonotone() {
        for (double shift : SHIFTS) {
            double previous = Double.POSITIVE_INFINITY;
            for (double factor = 0; factor < 40; factor += 0.37) {
                double delta = GaussianClosedForm.deltaUpper(shift, shift * factor);
                assertThat(delta).isLessThanOrEqualTo(previous * (1 + 3e-14)).isBetween(0.0, 1.0);
                previous = delta;
            }
        }
    }

    @Test
    void nothingMovedRevealsNothing() {
        assertThat(GaussianClosedForm.deltaUpper(0, 0)).isZero();
        assertThat(GaussianClosedForm.epsilonUpper(0, 1e-300)).isZero();
    }

    @Test
    void refusesWhatIsNotANumber() {
        assertThatThrownBy(() -> GaussianClosedForm.deltaUpper(Double.NaN, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GaussianClosedForm.deltaUpper(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GaussianClosedForm.epsilonUpper(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
