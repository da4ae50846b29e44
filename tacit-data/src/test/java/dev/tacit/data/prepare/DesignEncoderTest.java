package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.GroupTerm;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record becomes its row by the formula and its own cells, whatever stands beside it. */
class DesignEncoderTest {
    private static final Schema DECLARED = SchemaYaml.read("""
            unit: record
            size: 10
            columns:
              died: {type: binary, positive: "yes"}
              age: {type: number, bounds: [0, 100]}
              lactate: {type: number, bounds: [0, 30], missing: category}
              sex: {type: category, categories: [female, male], missing: {constant: male}, other: false}
              icu: {type: category, categories: [a, b], reference: b, missing: category}
              gain: {type: number, bounds: [0, 99], transform: log1p, cuts: [10]}
              stays: {type: count, bounds: [0, 9]}
              id: {type: ignore}
            """);

    @TempDir
    private Path folder;

    private List<List<Double>> rows(String formula, String csv) throws IOException {
        DesignMatrix design = DesignMatrix.of(Formula.parse(formula), DECLARED);
        Schema schema = DECLARED.withFormula(formula, design.response().column());
        assertThat(Schema.fromJson(schema.toJson())).isEqualTo(schema);
        return Tables.rows(Tables.write(folder, "people.csv", csv), schema);
    }

    @Test
    void cellsAreClampedAndMissingOnesFollowTheSchema() throws IOException {
        assertThat(rows("died ~ age + lactate + sex + icu", """
                        died,age,lactate,sex,icu
                        yes,50,2,male,a
                        no,-5,99,female,b
                        no,1e999,,,c
                        yes,7,x,other,
                        yes,,1,male,a
                        """))
                .containsExactly(
                        // (Intercept), age, lactate, sex[male], icu[a], icu[(other)], icu[(missing)],
                        // lactate[(missing)]
                        List.of(1.0, 50.0, 2.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0),
                        List.of(1.0, 0.0, 30.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
                        List.of(1.0, 100.0, 15.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0),
                        List.of(1.0, 7.0, 15.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0));
        assertThat(DesignMatrix.of(Formula.parse("died ~ age + lactate + sex + icu"), DECLARED)
                        .columns())
                .extracting(DesignColumn::name)
                .containsExactly(
                        "(Intercept)",
                        "age",
                        "lactate",
                        "sex[male]",
                        "icu[a]",
                        "icu[(other)]",
                        "icu[(missing)]",
                        "lactate[(missing)]");
        assertThat(DesignMatrix.of(Formula.parse("died ~ sex + icu"), DECLARED).columns())
                .extracting(DesignColumn::unit)
                .containsExactly("at 0", "vs female", "vs b", "vs b", "vs b");
    }

    @Test
    void aCountThatIsNotWholeCountsAsMissing() throws IOException {
        assertThat(rows("stays ~ age", "stays,age\n3,1\n2.5,2\n12,3\n"))
                .containsExactly(List.of(1.0, 1.0, 3.0), List.of(1.0, 3.0, 9.0));
    }

    @Test
    void groupOffsetAndWeightStandBehindTheColumns() throws IOException {
        String formula = "stays | weights(age) ~ sex + offset(log1p(gain)) + (1 | icu)";
        List<List<Double>> rows = rows(formula, "stays,age,gain,sex,icu\n1,20,0,male,a\n2,30,9,female,b\n");
        assertThat(rows.get(0)).containsExactly(1.0, 1.0, 1.0, 0.0, 20.0, 1.0);
        assertThat(rows.get(1)).containsExactly(1.0, 0.0, 0.0, Math.log(10), 30.0, 2.0);
        assertThat(DesignMatrix.of(Formula.parse(formula), DECLARED).groups())
                .containsExactly(new GroupTerm("icu", List.of("b", "a", "(other)", "(missing)"), Optional.empty()));
    }

    @Test
    void aTimeIsNegativeIfItEndedWithoutTheEvent() throws IOException {
        String formula = "Surv(age, died, cuts = c(10, 50)) ~ sex";
        assertThat(rows(formula, "age,died,sex\n20,yes,male\n30,no,female\n0,yes,male\n0,no,male\n500,yes,female\n"))
                .containsExactly(
                        List.of(1.0, 1.0, 20.0),
                        List.of(1.0, 0.0, -30.0),
                        List.of(1.0, 1.0, 1e-9 * 100),
                        List.of(1.0, 1.0, -1e-9 * 100),
                        List.of(1.0, 0.0, 100.0));
        DesignMatrix design = DesignMatrix.of(Formula.parse(formula), DECLARED);
        assertThat(design.response().ends()).containsExactly(10.0, 50.0, 100.0);
        assertThat(design.response().label()).isEqualTo("Surv(age, died, cuts = c(10, 50))");
        assertThat(DesignMatrix.of(Formula.parse("Surv(age, died) ~ ."), DECLARED)
                        .columns())
                .extracting(DesignColumn::term)
                .doesNotContain("died", "age")
                .contains("sex", "stays");
    }

    @Test
    void groupTermsAreReadAsInLme4() {
        assertThat(DesignMatrix.of(Formula.parse("died ~ age + (1 | sex/icu)"), DECLARED)
                        .groups())
                .extracting(GroupTerm::name)
                .containsExactly("sex", "sex:icu");
        assertThat(DesignMatrix.of(Formula.parse("died ~ age + (age || icu)"), DECLARED)
                        .groups())
                .extracting(GroupTerm::slope)
                .containsExactly(Optional.empty(), Optional.of("age"));
        assertThat(DesignMatrix.of(Formula.parse("died ~ (0 + age | icu)"), DECLARED)
                        .groups())
                .extracting(GroupTerm::slope)
                .containsExactly(Optional.of("age"));
    }

    /** Only for records that are to be predicted or scored; a private record without its group is refused as declared. */
    @Test
    void theGroupOfANewRecordMayBeUnknown() throws IOException {
        Schema strict = SchemaYaml.read("""
                unit: record
                size: 10
                columns:
                  died: {type: binary, positive: "yes"}
                  age: {type: number, bounds: [0, 100]}
                  ward: {type: category, categories: [a, b], reference: b, other: false}
                """);
        String text = "died ~ age + (1 | ward)";
        Schema schema = strict.withFormula(text, "died");
        Path file = Tables.write(folder, "new.csv", "died,age,ward\nyes,5,a\nno,6,b\nno,7,c\nyes,8,\n");
        List<RecordBlock> blocks = EncodedTable.read(file, schema, true).blocks();
        double[] groups = new double[4];
        for (int i = 0; i < 4; i++) {
            double[] row = new double[3];
            Rows.addTo(blocks.get(0), i, 1, row, 0);
            groups[i] = row[2];
        }
        assertThat(groups).containsExactly(1, 0, -1, -1);
        assertThat(Tables.rows(file, schema)).hasSize(2);
    }

    @Test
    void theDotIsEveryColumnThatIsNotUsedElsewhere() {
        assertThat(DesignMatrix.of(Formula.parse("died ~ . + offset(age) + (1 | icu)"), DECLARED)
                        .columns())
                .extracting(DesignColumn::name)
                .containsExactly(
                        "(Intercept)",
                        "lactate",
                        "sex[male]",
                        "log1p(gain)",
                        "bins(gain)[from 10]",
                        "stays",
                        "lactate[(missing)]");
        assertThat(DesignMatrix.of(Formula.parse("died ~ . - stays - sex"), DECLARED)
                        .columns())
                .extracting(DesignColumn::name)
                .doesNotContain("stays", "sex[male]")
                .contains("age", "icu[a]");
    }

    /** From the lines of a table to its rows. */
    private interface Reading {
        List<List<Double>> of(List<String> lines) throws IOException;
    }

    private static final List<String> LINES = List.of(
            "yes,50,2,male,a,1",
            "no,-5,99,female,b,3",
            "no,1e999,,,c,\"\n\"",
            "yes,NaN,x,other,,2.5",
            "no,20,30,male,b,9");

    private List<List<Double>> independent(List<String> lines) throws IOException {
        return rows(
                "died ~ ns(age, 3)*sex + poly(lactate, 2) + icu:stays + (1 | icu)",
                "died,age,lactate,sex,icu,stays\n" + String.join("\n", lines) + "\n");
    }

    /** No record can change how another is read: each row alone gives what it gives among others. */
    @Test
    void aRowDependsOnItsOwnCellsOnly() throws IOException {
        assertThat(rowsStandAlone(this::independent)).isTrue();
    }

    /** The same check finds an encoder that centres a column by the mean of the table. */
    @Test
    void centringByTheDataIsFound() throws IOException {
        Reading centred = lines -> {
            List<List<Double>> rows = independent(lines);
            double mean = rows.stream().mapToDouble(row -> row.get(1)).average().orElse(0);
            return rows.stream()
                    .map(row -> {
                        List<Double> moved = new ArrayList<>(row);
                        moved.set(1, row.get(1) - mean);
                        return moved;
                    })
                    .toList();
        };
        assertThat(rowsStandAlone(centred)).isFalse();
    }

    private static boolean rowsStandAlone(Reading reading) throws IOException {
        List<List<Double>> alone = new ArrayList<>();
        for (String line : LINES) {
            alone.addAll(reading.of(List.of(line)));
        }
        boolean same = reading.of(LINES).equals(alone);
        for (String left : LINES) {
            List<String> others = new ArrayList<>(LINES);
            others.remove(left);
            List<List<Double>> gone = new ArrayList<>(alone);
            gone.removeAll(reading.of(List.of(left)));
            same &= reading.of(others).equals(gone);
        }
        return same;
    }

    @Test
    void publicRowsNeedNoResponseAndNameWhatTheyLack() throws IOException {
        String formula = "died ~ age + sex";
        Schema schema = DECLARED.withFormula(formula, "died");
        Path file = Tables.write(folder, "new.csv", "sex,age\nfemale,40\nmale,\n");
        assertThatThrownBy(() -> EncodedTable.read(file, schema, false))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 2")
                .hasMessageContaining("\"age\"");
        Path whole = Tables.write(folder, "whole.csv", "sex,age\nfemale,40\nmale,41\n");
        EncodedTable table = EncodedTable.read(whole, schema, false);
        assertThat(table.names()).containsExactly("(Intercept)", "age", "sex[male]");
        assertThat(Tables.rows(table.blocks().get(0), false))
                .containsExactly(List.of(1.0, 40.0, 0.0), List.of(1.0, 41.0, 1.0));
    }
}
