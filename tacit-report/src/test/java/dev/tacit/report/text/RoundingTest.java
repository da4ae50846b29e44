package dev.tacit.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundingTest {
    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 3.00001e-7, 0.99993, 1, 1.00001, 1.1, 7.99999, 123456.7, 5e20, 1e300})
    void upperBoundsStayUpperBounds(double value) {
        for (int digits = 1; digits <= 8; digits++) {
            assertThat(new BigDecimal(Rounding.up(value, digits))).isGreaterThanOrEqualTo(new BigDecimal(value));
            assertThat(new BigDecimal(Rounding.down(value, digits))).isLessThanOrEqualTo(new BigDecimal(value));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 50%",
        "0.50001, 50.1%",
        "0.7310596, 73.2%",
        "0.999, 99.9%",
        "0.9990001, 100%",
        "1, 100%",
        "1.3, 100%",
        "0, 0%"
    })
    void probabilitiesAreRoundedUpToATenthOfAPercent(double probability, String expected) {
        assertThat(Rounding.percentUp(probability)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"1e-5, 1e-5", "2e-5, 2e-5", "0.0001, 0.0001", "3.071253e-5, 3.07126e-5", "1, 1", "0, 0"})
    void parametersAreWrittenAsTyped(double value, String expected) {
        assertThat(Rounding.typedOrUp(value)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"22.4, 22.4", "1.4147, 1.4147", "1.41478999, 1.41478", "1e-9, 1e-9"})
    void multipliersAreRoundedDownUnlessTyped(double value, String expected) {
        assertThat(Rounding.typedOrDown(value)).isEqualTo(expected);
    }

    @Test
    void decimalsFollowTheSpread() {
        assertThat(Rounding.decimalsFor(0.13, 0.2, 0.07)).isEqualTo(2);
        assertThat(Rounding.decimalsFor(0.013)).isEqualTo(3);
        assertThat(Rounding.decimalsFor(250)).isZero();
        assertThat(Rounding.decimalsFor(0, Double.NaN, Double.POSITIVE_INFINITY))
                .isEqualTo(3);
        assertThat(Rounding.decimalsFor(1e-30)).isEqualTo(8);
    }

    @Test
    void numbersAreReadable() {
        assertThat(Rounding.decimals(-1.4567, 2)).isEqualTo("\u22121.46");
        assertThat(Rounding.decimals(0.4, 2)).isEqualTo("0.40");
        assertThat(Rounding.decimals(1.2e-9, 2)).isEqualTo("1.2e-9");
        assertThat(Rounding.decimals(1.23456e9, 2)).isEqualTo("1.23e9");
        assertThat(Rounding.count(999)).isEqualTo("999");
        assertThat(Rounding.count(1000)).isEqualTo("1000");
        assertThat(Rounding.count(32561)).isEqualTo("32\u2009561");
        assertThat(Rounding.count(-1234567)).isEqualTo("-1\u2009234\u2009567");
        assertThat(Rounding.share(0.004)).isEqualTo("< 1%");
        assertThat(Rounding.share(0.86)).isEqualTo("86%");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void whatIsNoNumberIsSaidInWords(double value) {
        assertThat(new String[] {
                    Rounding.up(value, 4),
                    Rounding.down(value, 4),
                    Rounding.nearest(value, 4),
                    Rounding.typedOrUp(value),
                    Rounding.decimals(value, 2),
                    Rounding.percentUp(value),
                    Rounding.share(value)
                })
                .noneMatch(text -> text.contains("NaN") || text.contains("Infinity"));
        assertThat(Rounding.up(Double.POSITIVE_INFINITY, 4)).isEqualTo("unbounded");
        assertThat(Rounding.up(Double.NaN, 4)).isEqualTo(Rounding.NONE);
    }
}
