package dev.tacit.accounting.exact.closed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
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
        return AccountingVectors.group("gaussian").stream()
                .filter(vector -> vector.get("kind").asText().equals("eps"));
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

    static Stream<JsonNode> goldenCalibrations() {
        return AccountingVectors.group("gaussian").stream()
                .filter(vector -> vector.get("kind").asText().equals("sigma"));
    }

    @ParameterizedTest
    @MethodSource("goldenCalibrations")
    void bracketsTheGoldenNoise(JsonNode vector) {
        double epsilon = vector.get("target_eps").asDouble();
        double delta = vector.get("delta").asDouble();
        double steps = vector.get("steps").asDouble();
        double truth = AccountingVectors.truth(vector, "sigma").doubleValue();
        double safe = Math.sqrt(steps) / GaussianClosedForm.shiftLower(epsilon, delta);
        double unsafe = Math.sqrt(steps) / GaussianClosedForm.shiftUpper(epsilon, delta);
        assertThat(safe).isBetween(truth * (1 - 4e-16), truth * (1 + 1e-12));
        assertThat(unsafe).isBetween(truth * (1 - 1e-12), truth * (1 + 4e-16));
    }

    /** Φ(−c) − e^ε Φ(−c − shift) with 60 digits in mpmath. */
    @ParameterizedTest
    @CsvSource({
        "1, 0, 0.3829249225480262072754092",
        "1, 5, 0.0000005793721691919494104206818",
        "1e-8, 2e-7, 1.370012631730872721708287e-98",
        "0.5, 10, 9.855120610850165881099929e-89",
        "10, 20, 0.9980291814654276335376013",
        "1e-3, 0.03, 1.656620395042938314027586e-202",
        "30, 500, 0.0446520922983507870486559",
        "1000, 490000, 0.9999999999999999999999923",
    })
    void bracketsKnownDeltas(double shift, double epsilon, BigDecimal known) {
        double lower = GaussianClosedForm.deltaLower(shift, epsilon);
        double upper = GaussianClosedForm.deltaUpper(shift, epsilon);
        assertThat(new BigDecimal(lower)).isLessThanOrEqualTo(known);
        assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(known);
        assertThat(upper - lower).isLessThanOrEqualTo(3e-14 * upper);
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
                    assertThat(upper - lower)
                            .isLessThanOrEqualTo(1e-13 * Math.max(upper, shift) + 1e-13 * shift * shift);
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
    void neverNaN() {
        for (double shift : new double[] {Double.MIN_VALUE, 1e-300, 1e-150, 1e-20, 1e-8, 1, 1e8, 1e150, 1e300}) {
            for (double delta : new double[] {Double.MIN_VALUE, 1e-320, 1e-300, 1e-5, 0.5, 1 - 1e-16}) {
                assertThat(GaussianClosedForm.epsilonUpper(shift, delta))
                        .as("%s %s", shift, delta)
                        .isNotNaN()
                        .isNotNegative();
                assertThat(GaussianClosedForm.epsilonLower(shift, delta))
                        .as("%s %s", shift, delta)
                        .isNotNaN()
                        .isNotNegative();
            }
            for (double epsilon : new double[] {0, Double.MIN_VALUE, 1e-300, 1, 1e4, 1e300, Double.POSITIVE_INFINITY}) {
                assertThat(GaussianClosedForm.deltaUpper(shift, epsilon))
                        .as("%s %s", shift, epsilon)
                        .isBetween(0.0, 1.0);
                assertThat(GaussianClosedForm.deltaLower(shift, epsilon))
                        .as("%s %s", shift, epsilon)
                        .isBetween(0.0, 1.0);
            }
        }
        for (double epsilon : new double[] {0, 1e-300, 1e-30, 1, 1e6}) {
            for (double delta : new double[] {Double.MIN_VALUE, 1e-320, 1e-300, 1e-5, 0.5, 1 - 1e-16}) {
                assertThat(GaussianClosedForm.shiftLower(epsilon, delta))
                        .as("%s %s", epsilon, delta)
                        .isNotNaN()
                        .isNotNegative();
                assertThat(GaussianClosedForm.shiftUpper(epsilon, delta))
                        .as("%s %s", epsilon, delta)
                        .isNotNaN()
                        .isNotNegative();
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
        assertThatThrownBy(() -> GaussianClosedForm.deltaUpper(Double.NaN, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GaussianClosedForm.deltaUpper(1, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GaussianClosedForm.epsilonUpper(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
