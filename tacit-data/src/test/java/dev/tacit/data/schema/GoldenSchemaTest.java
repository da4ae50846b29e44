package dev.tacit.data.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A schema of version 0.1.0 that declares everything that can be declared, and the form in which posteriors keep it. */
class GoldenSchemaTest {
    private static String golden(String name) throws IOException {
        try (InputStream file = GoldenSchemaTest.class.getResourceAsStream("/golden/0.1.0/" + name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void isReadAsItWasAndKeptAsItWas() throws IOException {
        String kept = golden("people.schema.json").strip();
        Schema declared = SchemaYaml.read(golden("people.schema.yaml"));
        assertThat(declared).isEqualTo(Schema.fromJson(Json.read(kept)));
        assertThat(Json.write(declared.toJson())).isEqualTo(kept);
    }
}
