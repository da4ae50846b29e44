package dev.tacit.data.source.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaDraftTest {
    @TempDir
    Path folder;

    @Test
    void aDraftHasNamesAndTypesAndNoValues() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "age;job;no\n31;baker;1\n?;pilot;x\n40.5;;2\n");
        String draft = SchemaDraft.draft(file);
        assertThat(draft).endsWith("""
                        format: {delimiter: ";"}
                        columns:
                          "age": {type: number, bounds: REQUIRED}
                          "job": {type: category, categories: REQUIRED}
                          "no": {type: category, categories: REQUIRED}
                        """).doesNotContain("31", "40", "baker", "pilot");
        Path json = Files.writeString(folder.resolve("t.ndjson"), "{\"age\": 31, \"job\": \"baker\"}\n");
        assertThat(SchemaDraft.draft(json))
                .contains("\"age\": {type: number", "\"job\": {type: category")
                .doesNotContain("31");
    }

    /** A record must not become the names in a file that is public. */
    @Test
    void aFirstLineThatLooksLikeARecordIsRefused() throws IOException {
        for (String first : List.of("Alice,42,diabetes", "a,b,a", "Bob,1e3,x", "1,2,3")) {
            Path file = Files.writeString(folder.resolve("t.csv"), first + "\nCarol,43,flu\n");
            assertThatThrownBy(() -> SchemaDraft.draft(file))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("header: false")
                    .hasMessageNotContaining("Alice")
                    .hasMessageNotContaining("42");
        }
    }

    @Test
    void aDraftSaysThatTypesComeFromRecords() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "age\n31\n");
        assertThat(SchemaDraft.draft(file)).contains("# below shows whether one of these records holds");
    }

    @Test
    void aDraftDoesNotLoadUntilAllIsDeclared() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "age,job\n31,baker\n");
        String draft = SchemaDraft.draft(file);
        assertThatThrownBy(() -> SchemaYaml.read(draft, "t.schema.yaml"))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("t.schema.yaml still says REQUIRED in 4 places: unit (line ")
                .hasMessageContaining("size (line ")
                .hasMessageContaining("bounds of age (line ")
                .hasMessageContaining("categories of job (line ");
        String[][] replacements = {
            {"unit: REQUIRED", "unit: record"},
            {"size: REQUIRED", "size: 10"},
            {"bounds: REQUIRED", "bounds: [0, 100]"}
        };
        String unfinished = draft;
        for (String[] replacement : replacements) {
            unfinished = unfinished.replace(replacement[0], replacement[1]);
        }
        String last = unfinished;
        assertThatThrownBy(() -> SchemaYaml.read(last))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("column \"job\" still says categories: REQUIRED");
        assertThat(SchemaYaml.read(last.replace("categories: REQUIRED", "categories: [baker]"))
                        .size())
                .isEqualTo(10);
    }

    @Test
    void zeroAndOneAndIdentifiersAreNoticed() throws IOException {
        StringBuilder csv = new StringBuilder("RecordID,name,weight,smoker,ward,valid\n");
        for (int i = 0; i < 30; i++) {
            csv.append(String.format(
                    java.util.Locale.ROOT, "%d,person %d,%.2f,%d,%d,%d\n", 1000 + i, i, 60.5 + i, i % 2, i % 4, i));
        }
        Path file = Files.writeString(folder.resolve("t.csv"), csv);
        assertThat(SchemaDraft.draft(file)).endsWith("""
                        columns:
                          "RecordID": {type: ignore}      # looks like an identifier
                          "name": {type: ignore}      # looks like an identifier
                          "weight": {type: number, bounds: REQUIRED}
                          "smoker": {type: binary, positive: 1, negative: 0}
                          "ward": {type: number, bounds: REQUIRED}
                          "valid": {type: number, bounds: REQUIRED}
                        """);
    }
}
