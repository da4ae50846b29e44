package dev.tacit.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
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
        assertThat(SchemaDraft.draft(file)).contains("# cells: a type below shows whether some of these records holds");
    }

    @Test
    void aDraftDoesNotLoadUntilAllIsDeclared() throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "age,job\n31,baker\n");
        String draft = SchemaDraft.draft(file);
        String[][] replacements = {
            {"unit: REQUIRED", "unit: record", "unit is still REQUIRED"},
            {"size: REQUIRED", "size: 10", "size is still REQUIRED"},
            {"bounds: REQUIRED", "bounds: [0, 100]", "column \"age\" still says bounds: REQUIRED"},
            {"categories: REQUIRED", "categories: [baker]", "column \"job\" still says categories: REQUIRED"}
        };
        for (String[] replacement : replacements) {
            String unfinished = draft;
            assertThatThrownBy(() -> SchemaYaml.read(unfinished))
                    .isInstanceOf(SchemaException.class)
                    .hasMessageContaining(replacement[2]);
            draft = draft.replace(replacement[0], replacement[1]);
        }
        assertThat(SchemaYaml.read(draft).size()).isEqualTo(10);
    }
}
