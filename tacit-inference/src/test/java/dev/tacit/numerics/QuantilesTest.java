package dev.tacit.numerics;

import static dev.tacit.numerics.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

class QuantilesTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/numerics/quantiles.json");

    private static void check(String name, ToDoubleFunction<Map<?, ?>> quantile) {
        for (Object entry : (List<?>) GOLDEN.get(name)) {
            Map<?, ?> row = (Map<?, ?>) entry;
            double value = number(row, "value");
            double error = Math.abs(quantile.applyAsDouble(row) - value) / Math.abs(value);
            assertThat(error).as("%s %s", name, row).isLessThan(1e-13);
        }
    }

    @Test
    void invertsDistributionFunctions() {
        check("gamma", row -> Quantiles.gamma(number(row, "shape"), number(row, "probability")));
        check("beta", row -> Quantiles.beta(number(row, "a"), number(row, "b"), number(row, "probability")));
        check("student", row -> Quantiles.student(number(row, "degrees"), number(row, "probability")));
    }

    @Test
    void isZeroWhereTheQuantileIsBelowEveryDouble() {
        assertThat(Quantiles.gamma(1e-5, 0.5)).isZero();
        assertThat(Quantiles.student(3, 0.5)).isZero();
    }

    @Test
    void refusesWhatIsNotADistribution() {
        assertThatThrownBy(() -> Quantiles.gamma(-1, 0.5)).hasMessageContaining("shape");
        assertThatThrownBy(() -> Quantiles.beta(1, Double.NaN, 0.5)).hasMessageContaining("second shape");
        assertThatThrownBy(() -> Quantiles.student(1, 1)).hasMessageContaining("probability");
    }
}
