package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FeatureEncoderTest {
    @TempDir
    Path folder;

    private static final String HEAD = "unit: record\nsize: 10\n";

    private List<List<Double>> rows(String yaml, String csv) throws IOException {
        return Tables.rows(Tables.write(folder, "t.csv", csv), SchemaYaml.read(HEAD + yaml));
    }

    private static List<Double> row(double... numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    @Test
    void everyKindOfColumnIsEncodedAsDeclared() throws IOException {
        String yaml = """
                target: income
                format: {missing: ["?"]}
                columns:
                  age:    {type: number, bounds: [20, 70]}
                  gain:   {type: number, bounds: [0, 100], transform: log1p}
                  root:   {type: number, bounds: [4, 16], transform: sqrt, center: true}
                  hours:  {type: number, bounds: [0, 50], cuts: [10, 20], scale: false, missing: category}
                  job:    {type: category, categories: [teacher, baker], missing: category}
                  sex:    {type: binary, positive: F, negative: M, missing: category}
                  income: {type: binary, positive: ">50K"}
                """;
        String csv = """
                income,age,gain,root,hours,job,sex,more
                >50K,45,0,9,10,baker,F,a
                <=50K,20,100,4,9.999,teacher,M,b
                >50K, 200 ,-5,1e308,20,pilot,F,c
                <=50K,-inf,1e999,16,?,?,?,d
                """;
        Schema schema = SchemaYaml.read(HEAD + yaml);
        assertThat(FeatureEncoder.of(schema).names())
                .containsExactly(
                        "age",
                        "gain",
                        "root",
                        "hours[..10)",
                        "hours[10..20)",
                        "hours[20..]",
                        "hours=missing",
                        "job=teacher",
                        "job=baker",
                        "job=other",
                        "job=missing",
                        "sex=F",
                        "sex=missing",
                        "intercept");
        assertThat(FeatureEncoder.of(schema).targetClasses()).containsExactly("not >50K", ">50K");
        assertThat(rows(yaml, csv))
                .containsExactly(
                        row(0.5, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 1, 1),
                        row(0, 1, -1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0),
                        row(1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1),
                        row(0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0));
    }

    @Test
    void aRowWithARefusedCellIsLeftOut() throws IOException {
        String yaml = """
                target: y
                encoding: {intercept: false}
                columns:
                  x: {type: number, bounds: [0, 10]}
                  c: {type: category, categories: [a, b], other: false}
                  y: {type: number, bounds: [0, 5]}
                """;
        String csv = "x,c,y\n1,a,1\n,a,2\nNaN,a,2\nabc,a,2\n2,z,2\n3,,2\n4,b,\n5,b\n6,b,-7\n7,b,1e400\n";
        assertThat(rows(yaml, csv)).containsExactly(row(0.1, 1, 0, 1), row(0.6, 0, 1, 0), row(0.7, 0, 1, 5));
    }

    @Test
    void aConstantStandsForMissingCells() throws IOException {
        String yaml = """
                target: y
                format: {missing: ["-999"]}
                encoding: {intercept: false}
                columns:
                  x: {type: number, bounds: [0, 10], missing: {constant: 99}}
                  c: {type: category, categories: [a, b], missing: {constant: b}}
                  s: {type: binary, positive: p, negative: n, missing: {constant: p}}
                  y: {type: number, bounds: [0, 5], missing: {constant: 2}}
                """;
        assertThat(rows(yaml, "x,c,s,y\n,,,\n-999.0,-999,q,-999\n5,a,n,3\n"))
                .containsExactly(row(1, 0, 1, 0, 1, 2), row(1, 0, 1, 0, 1, 2), row(0.5, 1, 0, 0, 0, 3));
    }

    @Test
    void rowsAreDividedByTheirNormOrShortened() throws IOException {
        String columns =
                "columns:\n  a: {type: number, bounds: [0, 1]}\n  b: {type: number, bounds: [-4, 4], center: true}\n";
        String csv = "a,b\n0.6,3.2\n0,0\n0.375,2\n";
        List<List<Double>> unit = rows("encoding: {intercept: false, rowNorm: unit}\n" + columns, csv);
        assertThat(unit.get(1)).isEqualTo(row(0, 0));
        for (int row : new int[] {0, 2}) {
            assertThat(unit.get(row).get(0)).isCloseTo(0.6, within(1e-15));
            assertThat(unit.get(row).get(1)).isCloseTo(0.8, within(1e-15));
        }
        List<List<Double>> shortened = rows("encoding: {intercept: true, rowNorm: {atMost: 1.0}}\n" + columns, csv);
        double third = Math.hypot(1, 0.625);
        assertThat(shortened.get(1)).isEqualTo(row(0, 0, 1));
        assertThat(shortened.get(2).get(0)).isCloseTo(0.375 / third, within(1e-15));
        assertThat(shortened.get(2).get(2)).isCloseTo(1 / third, within(1e-15));
    }

    @Test
    void manyCategoriesAreStoredWithoutZeros() throws IOException {
        StringBuilder categories = new StringBuilder("c0");
        for (int i = 1; i < 60; i++) {
            categories.append(", c").append(i);
        }
        String yaml = "columns:\n  x: {type: number, bounds: [0, 2]}\n  c: {type: category, categories: [" + categories
                + "]}\n";
        FeatureEncoder encoder = FeatureEncoder.of(SchemaYaml.read(HEAD + yaml));
        assertThat(encoder.sparse()).isTrue();
        List<List<Double>> rows = rows(yaml, "x,c\n1,c59\n0,zzz\n2,c0\n");
        assertThat(rows.get(0).get(0)).isEqualTo(0.5);
        assertThat(rows.get(0).get(60)).isEqualTo(1);
        assertThat(rows.get(1).get(61)).isEqualTo(1);
        assertThat(rows.get(2).get(1)).isEqualTo(1);
    }

    @Test
    void theTargetsBoundsAndTheLargestNormAreKnown() {
        Schema schema = SchemaYaml.read(
                HEAD
                        + "target: y\ncolumns:\n  x: {type: number, bounds: [0, 1], cuts: [0.5]}\n  y: {type: number, bounds: [-3, 4]}\n");
        FeatureEncoder encoder = FeatureEncoder.of(schema);
        assertThat(encoder.targetBounds()).contains(new Bounds(-3, 4));
        assertThat(encoder.largestNorm()).isEqualTo(Math.sqrt(3));
        Schema open = SchemaYaml.read(HEAD + "columns:\n  x: {type: number, bounds: PRIVATE}\n");
        assertThatThrownBy(() -> FeatureEncoder.of(open))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("--spend-on-bounds");
    }
}
