package dev.tacit.data.source.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The elements of an array are the same wherever the file is cut into chunks. */
class JsonArraySplitterTest {
    private static final long SEED = 7;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\\",
        "1",
        "null",
        " ",
        "\n",
        "{\"a\": 1}",
        "{}",
        ", ",
        "\"\\\"\"",
        "[1, {\"b\": \"]\"}]"
    };

    private static String elements(byte[] bytes, int chunkSize, int longest) throws IOException {
        StringBuilder found = new StringBuilder();
        try {
            JsonArraySplitter splitter = new JsonArraySplitter(new ByteArrayInputStream(bytes), chunkSize, longest);
            for (JsonChunk chunk = splitter.next(); chunk != null; chunk = splitter.next()) {
                for (int i = 0; i < chunk.count(); i++) {
                    found.append(
                                    chunk.isTooLong(i)
                                            ? "(too long)"
                                            : new String(
                                                    chunk.bytes(),
                                                    chunk.from(i),
                                                    chunk.to(i) - chunk.from(i),
                                                    StandardCharsets.UTF_8))
                            .append('|');
                }
            }
            return found.toString();
        } catch (JsonArraySplitter.Fault e) {
            return "fault";
        }
    }

    @Test
    void everyCutGivesTheSameElements() throws IOException {
        Random random = new Random(SEED);
        int whole = 0;
        for (int file = 0; file < 20_000; file++) {
            StringBuilder text = new StringBuilder("[");
            for (int pieces = random.nextInt(5); pieces > 0; pieces--) {
                text.append(random.nextInt(3) > 0 ? "{\"a\": 1}," : PIECES[random.nextInt(PIECES.length)]);
            }
            text.append(random.nextBoolean() ? "2]" : PIECES[random.nextInt(PIECES.length)] + "]");
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            int longest = file % 3 == 0 ? 4 : 1 << 20;
            String expected = elements(bytes, 1 << 12, longest);
            for (int chunk = 1; chunk < 9; chunk++) {
                assertThat(elements(bytes, chunk, longest))
                        .as("seed %d, chunk %d: %s", SEED, chunk, text)
                        .isEqualTo(expected);
            }
            whole += expected.equals("fault") ? 0 : 1;
        }
        assertThat(whole).isBetween(5_000, 19_000);
    }
}
