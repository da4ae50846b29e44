package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Posteriors of every family and a checkpoint that version 0.1.0 wrote. */
class GoldenFilesTest {
    private static String golden(String name) throws IOException {
        try (InputStream file = GoldenFilesTest.class.getResourceAsStream("/golden/0.1.0/" + name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void assertClose(double[] now, List<?> then, String what) {
        assertThat(now).as(what).hasSize(then.size());
        for (int i = 0; i < now.length; i++) {
            double number = (Double) then.get(i);
            assertThat(now[i]).as("%s %d", what, i).isCloseTo(number, within(1e-10 * Math.max(1, Math.abs(number))));
        }
    }

    @Test
    void posteriorsAreReadAndSayTheSame() throws IOException {
        Set<String> families = new TreeSet<>();
        for (Object value : (List<?>) Json.read(golden("posteriors.json"))) {
            JsonFields then = JsonFields.of(value, "golden");
            Posterior posterior = PosteriorJson.read(then.value("posterior"), "posterior");
            families.add(posterior.family());
            assertClose(posterior.mean(), then.list("mean"), "mean of " + posterior.family());
            assertClose(posterior.standardDeviation(), then.list("standardDeviation"), "sd of " + posterior.family());
            assertThat(PosteriorJson.write(posterior)).isEqualTo(Json.write(then.value("posterior")));
        }
        assertThat(families).hasSize(15);
    }

    @Test
    void aCheckpointIsReadAndWrittenAsItWas() throws IOException {
        String text = golden("checkpoint.json").strip();
        Checkpoint checkpoint = Checkpoint.fromJson(text);
        assertThat(checkpoint.released()).isEqualTo(10);
        assertThat(checkpoint.notes()).hasSize(9);
        assertThat(checkpoint.position().orElseThrow().sequence()).isEqualTo(15);
        assertThat(checkpoint.toJson()).isEqualTo(text);
    }
}
