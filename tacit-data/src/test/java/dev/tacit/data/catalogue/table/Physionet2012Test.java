package dev.tacit.data.catalogue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.schema.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Physionet2012Test {
    private static final String FIRST = """
            Time,Parameter,Value
            00:00,RecordID,101
            00:00,Age,90
            00:00,Gender,-1
            00:00,Height,-1
            00:00,ICUType,4
            00:00,Weight,0
            00:10,HR,80
            00:10,Temp,-17.8
            01:05,HR,100
            01:05,pH,735
            01:05,,3
            47:00,HR,999
            10:00,HR,90
            """;
    private static final String SECOND = """
            Time,Parameter,Value
            00:10,MechVent,1
            00:00,RecordID,102
            00:00,Age,40
            00:00,Gender,1
            00:00,ICUType,2
            """;
    private static final String OUTCOMES = """
            RecordID,SAPS-I,SOFA,Length_of_stay,Survival,In-hospital_death
            102,6,1,5,-1,0
            101,16,8,8,3,1
            """;

    @TempDir
    private Path folder;

    private Path data;
    private Path out;

    @BeforeEach
    void writeRawFiles() throws IOException {
        data = folder.resolve("data");
        out = folder.resolve("out");
        TinyFiles.write(data.resolve("p/set-a/101.txt"), FIRST);
        TinyFiles.write(data.resolve("p/set-a/102.txt"), SECOND);
        TinyFiles.write(data.resolve("p/Outcomes-a.txt"), OUTCOMES);
    }

    private DatasetEntry entry() throws IOException {
        return TinyFiles.entry(Physionet2012.entry(), new Physionet2012(4000), data, "p");
    }

    private List<Map<String, String>> rows() throws IOException {
        List<Map<String, String>> rows = new ArrayList<>();
        for (String file : List.of("train.csv", "test.csv")) {
            List<String> lines = TinyFiles.lines(out.resolve(file));
            String[] header = lines.get(0).split(",", -1);
            for (String line : lines.subList(1, lines.size())) {
                String[] cells = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < header.length; i++) {
                    row.put(header[i], cells[i]);
                }
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparing(row -> row.get("RecordID")));
        return rows;
    }

    @Test
    void staysAreSummarised() throws Exception {
        entry().prepare(data, out);
        Map<String, String> first = rows().get(0);
        assertThat(first)
                .containsEntry("Age", "90")
                .containsEntry("Gender", "")
                .containsEntry("Height", "")
                .containsEntry("MechVent", "0")
                .containsEntry("HR_min", "80")
                .containsEntry("HR_max", "250")
                .containsEntry("HR_mean", "130")
                .containsEntry("HR_last", "250")
                .containsEntry("HR_missing", "0")
                .containsEntry("pH_mean", "7.9")
                .containsEntry("Temp_mean", "")
                .containsEntry("Temp_missing", "1")
                .containsEntry("Weight_missing", "1")
                .containsEntry("death", "1")
                .doesNotContainKeys("SAPS-I", "Survival");
        assertThat(rows().get(1)).containsEntry("MechVent", "1").containsEntry("death", "0");
    }

    @Test
    void folderAndPackedTableAreTheSame() throws Exception {
        DatasetEntry entry = entry();
        entry.prepare(data, out);
        byte[] before = Files.readAllBytes(out.resolve("train.csv"));
        StringBuilder packed = new StringBuilder("RecordID,Time,Parameter,Value\n");
        FIRST.lines().skip(1).forEach(line -> packed.append("101,").append(line).append('\n'));
        SECOND.lines()
                .skip(1)
                .forEach(line -> packed.append("102,").append(line).append('\n'));
        TinyFiles.write(data.resolve("p/set-a.csv.gz"), packed.toString());
        assertThat(entry.locate(data)).first().extracting(LocatedFile::path).isEqualTo(data.resolve("p/set-a.csv.gz"));
        entry.prepare(data, out);
        assertThat(Files.readAllBytes(out.resolve("train.csv"))).isEqualTo(before);
    }

    @Test
    void schemasHaveTheirWidths() throws Exception {
        entry().prepare(data, out);
        Schema all = TinyFiles.schema(out.resolve("schema.yaml"));
        Schema compact = TinyFiles.schema(out.resolve("schema-compact.yaml"));
        assertThat(all.size()).isEqualTo(3000);
        assertThat(TinyFiles.encodedColumns(all)).isEqualTo(1 + 3 + 2 + 5 + 1 + 5 * 36 + 1);
        assertThat(TinyFiles.encodedColumns(compact)).isEqualTo(21);
    }

    @Test
    void everyNormalValueIsInItsRange() {
        assertThat(ClinicalSeries.ALL).hasSize(36).allSatisfy(series -> {
            assertThat(series.normal()).isBetween(series.low(), series.high());
            assertThat(series.clamped(1e9)).isEqualTo(series.high());
        });
    }

    @Test
    void otherSetTestsIfItIsThere() throws Exception {
        assertThatThrownBy(() -> entry().prepare(data, out, Map.of("test", "b")))
                .isInstanceOf(DatasetException.class)
                .hasMessageStartingWith("testing on set b needs set-b.csv");
        TinyFiles.write(data.resolve("p/set-b/102.txt"), SECOND);
        TinyFiles.write(data.resolve("p/Outcomes-b.txt"), OUTCOMES);
        entry().prepare(data, out, Map.of("test", "b"));
        assertThat(TinyFiles.lines(out.resolve("train.csv"))).hasSize(3);
        assertThat(TinyFiles.lines(out.resolve("test.csv"))).hasSize(2);
        assertThat(TinyFiles.schema(out.resolve("schema.yaml")).size()).isEqualTo(4000);
    }

    @Test
    void stayWithoutOutcomeIsAnError() throws Exception {
        TinyFiles.write(data.resolve("p/Outcomes-a.txt"), OUTCOMES.replace("101", "103"));
        assertThatThrownBy(() -> entry().prepare(data, out)).hasMessageContaining("a stay has no outcome");
    }
}
