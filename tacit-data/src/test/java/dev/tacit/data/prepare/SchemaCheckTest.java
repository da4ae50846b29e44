package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.prepare.SchemaCheck.ColumnCheck;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.VoidReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a holder sees is what a fit would use. */
class SchemaCheckTest {
    private static final String COLUMNS = """
            size: 10
            target: y
            format: {missing: ["?", "-9"], comment: "#"}
            columns:
              id: {type: ignore}
              a: {type: number, bounds: [0, 10]}
              b: {type: category, categories: [u, v], missing: category}
              c: {type: category, categories: [u, v], other: false, missing: category}
              y: {type: binary, positive: "yes", negative: "no", missing: {constant: "yes"}}
            """;

    @TempDir
    Path folder;

    private SchemaCheck check(String name, String text, String unit) throws IOException {
        Schema schema = SchemaYaml.read("unit: " + unit + "\n" + COLUMNS);
        Path file = Tables.write(folder, name, text);
        return SchemaCheck.of(DataLocation.of(file), schema, new ReadingOptions(2, 256 << 20));
    }

    private static List<Long> counts(ColumnCheck column) {
        return List.of(
                column.missing(), column.notUnderstood(), column.others(), column.belowBounds(), column.aboveBounds());
    }

    @Test
    void everyCellIsCountedOnce() throws IOException {
        String csv = """
                id,a,b,c,y
                p,1,u,u,yes
                p,-1,v,w,no
                p,11,w,,1
                #p,1,u,u,yes
                q,?,u,v,yes
                q,-9,u,?,yes
                r,x,,v,0
                ,2
                s,3,u,v,no
                """;
        SchemaCheck check = check("t.csv", csv, "record");
        assertThat(check.records()).isEqualTo(8);
        assertThat(check.comments()).isEqualTo(1);
        assertThat(check.voids()).isEmpty();
        assertThat(check.refused()).isEqualTo(3);
        assertThat(check.units()).isEqualTo(8);
        assertThat(check.usableUnits()).isEqualTo(5);
        assertThat(check.columns().stream().map(SchemaCheckTest::counts))
                .containsExactly(
                        List.of(2L, 1L, 0L, 1L, 1L),
                        List.of(2L, 0L, 1L, 0L, 0L),
                        List.of(3L, 1L, 0L, 0L, 0L),
                        List.of(1L, 2L, 0L, 0L, 0L));
        SchemaCheck persons = check("t.csv", csv, "{person: id, maxRecords: 2}");
        assertThat(persons.units()).isEqualTo(4);
        assertThat(persons.usableUnits()).isEqualTo(2);
        assertThat(persons.beyondMost()).isEqualTo(1);
        assertThat(persons.withoutPerson()).isEqualTo(1);
    }

    @Test
    void voidRecordsAreCountedByReason() throws IOException {
        String lines = """
                {"id": "p", "a": 1, "b": "u", "c": "u", "y": "yes"}
                {"id": "p", "a": 1, "a": 2}
                {"id": "p", "a": 1
                [1]
                """;
        SchemaCheck check = check("t.ndjson", lines, "record");
        assertThat(check.voids())
                .isEqualTo(Map.of(VoidReason.NAME_TWICE, 1L, VoidReason.BROKEN, 1L, VoidReason.NOT_AN_OBJECT, 1L));
        assertThat(check.usableUnits()).isEqualTo(1);
        assertThat(check.records()).isEqualTo(4);
    }

    @Test
    void documentsWithoutAKnownWordAreCounted() throws IOException {
        Schema schema = SchemaYaml.read("unit: record\nsize: 9\ncorpus: {format: text, vocabulary: [a, b]}\n");
        Path file = Tables.write(folder, "t.txt", "a\n\nx y\nb a\n");
        SchemaCheck check = SchemaCheck.of(DataLocation.of(file), schema, new ReadingOptions(1, 256 << 20));
        assertThat(List.of(check.records(), check.refused(), check.usableUnits()))
                .containsExactly(4L, 2L, 2L);
    }
}
