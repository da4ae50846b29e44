package dev.tacit.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisTest {
    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 0.003, 0.7, 1, 1.0000001, 4.2, 9.99, 10, 123, 54321, 2e12, 7e300})
    void ticksAreFewAndCoverTheLargestValue(double largest) {
        Axis axis = Axis.fromZero("epsilon", largest);
        assertThat(axis.high()).isGreaterThanOrEqualTo(largest * (1 - 1e-9)).isLessThanOrEqualTo(largest * 1.6);
        assertThat(axis.ticks()).hasSizeBetween(3, 9);
        assertThat(axis.ticks().get(0).label()).isEqualTo("0");
    }

    @Test
    void decadesAreMarkedInBothDirections() {
        Axis axis = new Axis("delta", 1e-1, 1e-9, true);
        assertThat(axis.ticks()).hasSize(9);
        assertThat(axis.position(1e-1)).isZero();
        assertThat(axis.position(1e-5)).isCloseTo(0.5, within(1e-12));
        assertThat(axis.position(1e-9)).isEqualTo(1);
    }

    @Test
    void fewDecadesAreDivided() {
        assertThat(new Axis("epsilon", 0.5, 4, true).ticks())
                .extracting(Axis.Tick::label)
                .containsExactly("0.5", "1", "2");
        assertThat(new Axis("epsilon", 0.1, 1, true).ticks())
                .extracting(Axis.Tick::label)
                .containsExactly("0.1", "0.2", "0.5", "1");
    }

    @Test
    void largeNumbersAreReadable() {
        Axis axis = new Axis("steps", 0, 20_000, false);
        assertThat(axis.ticks()).extracting(Axis.Tick::label).contains("0", "5000", "10\u2009000");
    }

    @Test
    void anAxisSurroundsItsValues() {
        assertThat(Axis.around("value", -1, 2).position(-1)).isBetween(0.0, 0.1);
        assertThat(Axis.around("value", -3, -2).ticks()).isNotEmpty().allMatch(tick -> tick.value() < 0);
        assertThat(Axis.around("value", 5, 5).position(5)).isCloseTo(0.5, within(1e-12));
    }
}
