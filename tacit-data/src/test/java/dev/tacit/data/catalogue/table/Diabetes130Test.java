package dev.tacit.data.catalogue.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.data.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Diabetes130Test {
    @TempDir
    private Path folder;

    /** Windows line ends; patient 7 has two encounters, the later one first; 8 dies; 9 dies after a first stay. */
    @BeforeEach
    void writeRawFile() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", DiabetesTable.RAW_COLUMNS));
        lines.add(encounter("7", "20", "1", "<30", "250.83"));
        lines.add(encounter("7", "10", "1", "NO", "8"));
        lines.add(encounter("8", "11", "11", "NO", "?"));
        lines.add(encounter("9", "12", "3", ">30", "V57"));
        lines.add(encounter("9", "13", "13", "NO", "V57"));
        for (int patient = 100; patient < 107; patient++) {
            lines.add(encounter(Integer.toString(patient), patient + "0", "1", "NO", "365.44"));
        }
        TinyFiles.write(folder.resolve("diabetes130/diabetic_data.csv"), String.join("\r\n", lines) + "\r\n");
    }

    private static String encounter(String patient, String encounter, String discharge, String again, String code) {
        Map<String, String> cells = new HashMap<>(Map.of(
                "patient_nbr", patient,
                "encounter_id", encounter,
                "discharge_disposition_id", discharge,
                "readmitted", again,
                "diag_1", code));
        return String.join(
                ",",
                DiabetesTable.RAW_COLUMNS.stream()
                        .map(column -> cells.getOrDefault(column, "?"))
                        .toList());
    }

    private List<String> prepared(Map<String, String> choices) throws Exception {
        Path out = folder.resolve("out");
        TinyFiles.entry(Diabetes130.entry(), new Diabetes130(69973, 69990), folder, "diabetes130")
                .prepare(folder, out, choices);
        List<String> rows = new ArrayList<>(TinyFiles.lines(out.resolve("train.csv"))
                .subList(1, TinyFiles.lines(out.resolve("train.csv")).size()));
        rows.addAll(TinyFiles.lines(out.resolve("test.csv"))
                .subList(1, TinyFiles.lines(out.resolve("test.csv")).size()));
        return rows;
    }

    @Test
    void firstEncounterIsTheOneWithTheLeastNumber() throws Exception {
        List<String> rows = prepared(Map.of());
        assertThat(rows).hasSize(9);
        assertThat(rows.stream().filter(row -> row.startsWith("7,")))
                .singleElement()
                .asString()
                .contains(",8,?,?,Other,?,?,no,no");
        assertThat(rows).noneMatch(row -> row.startsWith("8,"));
        assertThat(rows.stream().filter(row -> row.startsWith("9,")))
                .singleElement()
                .asString()
                .endsWith("no,yes");
        assertThat(rows.stream().filter(row -> row.startsWith("103,")))
                .singleElement()
                .asString()
                .contains(",365,");
    }

    @Test
    void allEncountersOfAPatientAreOnOneSideAndTogether() throws Exception {
        List<String> rows = prepared(Map.of("encounters", "all", "target", "any-time"));
        assertThat(rows).hasSize(10);
        int first = rows.indexOf(
                rows.stream().filter(row -> row.startsWith("7,")).findFirst().orElseThrow());
        assertThat(rows.get(first)).endsWith("no,no");
        assertThat(rows.get(first + 1)).startsWith("7,").contains(",250.83,").endsWith("yes,yes");
        Schema schema = TinyFiles.schema(folder.resolve("out/schema.yaml"));
        assertThat(schema.unit().idColumn()).contains("patient_nbr");
        assertThat(schema.unit().maxRecords()).isEqualTo(5);
        assertThat(schema.size()).isEqualTo(55992);
        assertThat(schema.target()).contains("readmitted_ever");
    }

    @Test
    void codesAreTheWholeClassification() throws Exception {
        prepared(Map.of());
        Schema groups = TinyFiles.schema(folder.resolve("out/schema.yaml"));
        Schema codes = TinyFiles.schema(folder.resolve("out/schema-codes.yaml"));
        assertThat(groups.size()).isEqualTo(55978);
        assertThat(groups.unit().idColumn()).isEmpty();
        assertThat(DiagnosisCode.allCodes()).hasSize(999 + 39 + 91 + 200).doesNotHaveDuplicates();
        int others = TinyFiles.encodedColumns(groups) - 3 * 10;
        assertThat(TinyFiles.encodedColumns(codes)).isEqualTo(others + 3 * (1329 + 2));
    }

    @ParameterizedTest
    @CsvSource({
        "428,Circulatory",
        "785,Circulatory",
        "486,Respiratory",
        "574,Digestive",
        "250.02,Diabetes",
        "250,Diabetes",
        "820,Injury",
        "715,Musculoskeletal",
        "584,Genitourinary",
        "162,Neoplasms",
        "V57,Other",
        "E878,Other",
        "38,Other",
        "?,?"
    })
    void diagnosesAreGroupedAsPublished(String code, String group) {
        assertThat(DiagnosisCode.group(code)).isEqualTo(group);
    }
}
