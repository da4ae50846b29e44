package dev.tacit.data.formula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.formula.design.Cells;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Design matrices equal those of R on the formulas of {@code design-matrices.R}. */
class DesignMatricesOfRTest {
    static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 14
            columns:
              y: {type: binary, positive: 1, negative: 0}
              age: {type: number, bounds: [15, 90]}
              bun: {type: number, bounds: [1, 200]}
              days: {type: number, bounds: [0.5, 60]}
              visits: {type: count, bounds: [0, 20]}
              temp: {type: number, bounds: [-5, 5]}
              sex: {type: category, categories: [female, male], other: false}
              icu: {type: category, categories: [surgery, coronary, medical, trauma], other: false, reference: coronary}
              ward: {type: category, categories: [A, B, C], other: false}
              smoker: {type: binary, positive: "yes", negative: "no"}
            """);
    private static final Map<?, ?> GOLDEN = golden();

    private static Map<?, ?> golden() {
        try (InputStream in = DesignMatricesOfRTest.class.getResourceAsStream("design-matrices.json")) {
            return (Map<?, ?>) Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Map<?, ?>> matrices() {
        return ((List<?>) GOLDEN.get("matrices")).stream().map(matrix -> (Map<?, ?>) matrix);
    }

    @Test
    void thereAreManyFormulas() {
        assertThat(matrices()).hasSizeGreaterThanOrEqualTo(70);
    }

    @ParameterizedTest
    @MethodSource("matrices")
    void columnsAndRowsAreThoseOfR(Map<?, ?> golden) {
        DesignMatrix design = DesignMatrix.of(Formula.parse((String) golden.get("formula")), SCHEMA);
        assertThat(design.columns().stream()
                        .map(column -> column.name().replace("[", "").replace("]", ""))
                        .toList())
                .isEqualTo(golden.get("columns"));
        DesignMatrix.RowMaker maker = design.rowMaker(true);
        List<?> rows = (List<?>) golden.get("rows");
        List<?> offsets = (List<?>) golden.get("offset");
        List<?> cells = (List<?>) GOLDEN.get("cells");
        for (int i = 0; i < cells.size(); i++) {
            assertThat(maker.read(codes(design, (List<?>) cells.get(i)), 0)).isEqualTo(-1);
            double[] row = new double[design.width()];
            maker.write((column, value) -> row[column] = value);
            List<?> expected = (List<?>) rows.get(i);
            for (int j = 0; j < row.length; j++) {
                double wanted = ((Number) expected.get(j)).doubleValue();
                assertThat(row[j])
                        .as("%s, row %d, column %d", golden.get("formula"), i, j)
                        .isCloseTo(wanted, within(1e-12 * Math.max(1, Math.abs(wanted))));
                assertThat(row[j])
                        .isBetween(
                                design.columns().get(j).lower(),
                                design.columns().get(j).upper());
            }
            if (!offsets.isEmpty()) {
                assertThat(maker.offset()).isCloseTo(((Number) offsets.get(i)).doubleValue(), within(1e-12));
            }
        }
    }

    private static double[] codes(DesignMatrix design, List<?> cells) {
        List<?> names = (List<?>) GOLDEN.get("names");
        double[] codes = new double[design.cells().size()];
        for (int i = 0; i < codes.length; i++) {
            ColumnSchema column = design.cells().get(i);
            String cell = (String) cells.get(names.indexOf(column.name()));
            codes[i] = column instanceof NumberColumn
                    ? Double.parseDouble(cell)
                    : Cells.levels(column).indexOf(cell);
        }
        return codes;
    }
}
