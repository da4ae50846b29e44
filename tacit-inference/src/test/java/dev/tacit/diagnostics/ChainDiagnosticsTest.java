package dev.tacit.diagnostics;

import static dev.tacit.numerics.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.Golden;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChainDiagnosticsTest {
    @Test
    void agreesWithThePackagePosterior() {
        Map<?, ?> golden = Golden.read("/dev/tacit/diagnostics/chains.json");
        assertThat(golden).hasSize(8);
        golden.forEach((name, value) -> {
            Map<?, ?> row = (Map<?, ?>) value;
            double[][] chains = ((List<?>) row.get("chains"))
                    .stream()
                            .map(chain -> ((List<?>) chain)
                                    .stream()
                                            .mapToDouble(x -> ((Number) x).doubleValue())
                                            .toArray())
                            .toArray(double[][]::new);
            ChainDiagnostics diagnostics = ChainDiagnostics.of(chains);
            assertThat(diagnostics.rHat()).as("R̂ of %s", name).isCloseTo(number(row, "rHat"), within(1e-10));
            assertThat(diagnostics.bulkSampleSize() / number(row, "bulk"))
                    .as("bulk of %s", name)
                    .isCloseTo(1, within(1e-10));
            assertThat(diagnostics.tailSampleSize() / number(row, "tail"))
                    .as("tail of %s", name)
                    .isCloseTo(1, within(1e-10));
            assertThat(diagnostics.standardErrorOfMean() / number(row, "error"))
                    .as("error of %s", name)
                    .isCloseTo(1, within(1e-10));
        });
    }

    @Test
    void saysNothingAboutChainsThatDoNotMove() {
        ChainDiagnostics diagnostics = ChainDiagnostics.of(new double[][] {{1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1}});
        assertThat(diagnostics.rHat()).isNaN();
        assertThat(diagnostics.bulkSampleSize()).isNaN();
        assertThatThrownBy(() -> ChainDiagnostics.of(new double[][] {{1, 2, 3}}))
                .hasMessageContaining("four");
        assertThatThrownBy(() -> ChainDiagnostics.of(new double[][] {{1, 2, 3, 4}, {1, 2, 3, 4, 5}}))
                .hasMessageContaining("lengths");
    }
}
