package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.reproduce.ResultTables;
import dev.tacit.experiments.harness.ResultRow;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ResultTablesTest {
    private static ResultRow row(String method, String setting, String metric, double paper, double ours) {
        return new ResultRow(
                method,
                setting,
                metric,
                Double.isNaN(paper) ? OptionalDouble.empty() : OptionalDouble.of(paper),
                ours,
                0.001,
                5,
                1,
                12.7);
    }

    @Test
    void metricsAreColumnsAndPublishedNumbersStandBelowOurs() {
        List<String> lines = new ResultTables(List.of(
                        row("newton", "few parties", "accuracy", 0.84, 0.85),
                        row("newton", "few parties", "auc", Double.NaN, 0.9),
                        row("descent", "many parties", "auc", Double.NaN, 0.8),
                        row("descent", "few parties", "auc", Double.NaN, 0.7)))
                .lines();
        assertThat(lines)
                .containsExactly(
                        "  few parties",
                        "  method       epsilon claimed  holds          accuracy               auc",
                        "  newton                     1   12.7  0.8500 +- 0.0010  0.9000 +- 0.0010",
                        "    published                                    0.8400",
                        "  descent                    1   12.7                    0.7000 +- 0.0010",
                        "",
                        "  many parties",
                        "  method   epsilon claimed  holds               auc",
                        "  descent                1   12.7  0.8000 +- 0.0010",
                        "");
    }

    @Test
    void noNumberIsLostIfTwoRunsHaveOneName() {
        List<String> lines = new ResultTables(List.of(
                        row("newton", "here", "auc", Double.NaN, 0.9), row("newton", "here", "auc", Double.NaN, 0.8)))
                .lines();
        assertThat(String.join("\n", lines)).contains("0.9000", "0.8000");
    }
}
