package dev.tacit.report.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CalibrationChartTest {
    /** Newcombe 1998, Table I, method 3: 81 of 263, 15 of 148 and 0 of 20. */
    @Test
    void errorBarsAreWilsonIntervals() {
        assertInterval(81, 263, 0.2553, 0.3662);
        assertInterval(15, 148, 0.0624, 0.1605);
        assertInterval(0, 20, 0, 0.1611);
    }

    private static void assertInterval(int successes, int count, double lower, double upper) {
        CalibrationChart.Bin bin = new CalibrationChart.Bin(0.5, (double) successes / count, count);
        assertThat(bin.lower()).isCloseTo(lower, within(5e-5));
        assertThat(bin.upper()).isCloseTo(upper, within(5e-5));
    }

    @Test
    void binsWithoutPredictionsAreNotDrawn() {
        String svg = new CalibrationChart(
                        "calibration",
                        List.of(
                                new CalibrationChart.Bin(0.1, Double.NaN, 0),
                                new CalibrationChart.Bin(Double.NaN, 0.2, 3),
                                new CalibrationChart.Bin(0.3, 0.25, 8)))
                .svg("a");
        assertThat(svg).containsOnlyOnce("<circle").doesNotContain("NaN");
    }
}
