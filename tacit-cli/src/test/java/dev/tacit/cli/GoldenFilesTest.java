package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that a published version wrote are read, used and verified by this one.
 *
 * <p>The files in {@code golden/0.1.0} were written by that version on 1480 synthetic records and are never written again; a later
 * version that changes a format adds a folder of its own.
 */
class GoldenFilesTest {
    private static final Path GOLDEN = Path.of("src", "test", "resources", "golden", "0.1.0");

    /** What predicts is the same arithmetic on the same numbers; the last digits may move. */
    private static final double RELATIVE = 1e-8;

    @TempDir
    private Path folder;

    /** Verbs may write into the folder of a fit, so they get a copy. */
    @BeforeEach
    void copy() throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(GOLDEN)) {
            files = walk.toList();
        }
        for (Path file : files) {
            Path to = folder.resolve(GOLDEN.relativize(file));
            if (Files.isDirectory(file)) {
                Files.createDirectories(to);
            } else {
                Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private String text(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    /** Everything that was said then is said now; more may be said. */
    private static void assertSaysAll(Object now, Object then, String where) {
        if (then instanceof Map<?, ?> map) {
            Map<String, Object> found = CliRun.object(now);
            map.forEach((key, value) -> {
                assertThat(found).as(where).containsKey((String) key);
                assertSaysAll(found.get(key), value, where + "." + key);
            });
        } else if (then instanceof List<?> list) {
            assertThat(now).as(where).isInstanceOf(List.class);
            assertThat((List<?>) now).as(where).hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                assertSaysAll(((List<?>) now).get(i), list.get(i), where + "[" + i + "]");
            }
        } else if (then instanceof Double number) {
            assertThat((Double) now).as(where).isCloseTo(number, within(RELATIVE * Math.max(1e-3, Math.abs(number))));
        } else {
            assertThat(now).as(where).isEqualTo(then);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"formula", "newton", "parties", "mixture", "counts"})
    void aPosteriorPredictsWhatItPredicted(String fit) throws IOException {
        List<String> now = CliRun.of("predict", path(fit), path("new.csv"))
                .succeeded()
                .output()
                .lines()
                .toList();
        List<String> then = text(fit + ".predictions.csv").lines().toList();
        assertThat(now).hasSameSizeAs(then).startsWith(then.get(0));
        for (int line = 1; line < then.size(); line++) {
            String[] expected = then.get(line).split(",", -1);
            String[] found = now.get(line).split(",", -1);
            assertThat(found).hasSameSizeAs(expected);
            for (int i = 0; i < expected.length; i++) {
                double number = Double.parseDouble(expected[i]);
                assertThat(Double.parseDouble(found[i]))
                        .as("%s, line %d, number %d", fit, line, i)
                        .isCloseTo(number, within(RELATIVE * Math.max(1e-3, Math.abs(number))));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"formula", "newton", "parties", "mixture", "counts"})
    void aSummarySaysWhatItSaid(String fit) throws IOException {
        Map<String, Object> now =
                CliRun.of("summary", path(fit), "--json").succeeded().json();
        assertSaysAll(now, Json.read(text(fit + ".summary.json").strip()), fit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"formula", "newton", "parties", "mixture", "counts"})
    void aReleaseRecordIsReported(String fit) throws IOException {
        CliRun.of("report", path(fit)).succeeded();
        String page = text(fit + "/report.html");
        assertThat(page).contains("epsilon", "1e-5", fit.equals("counts") ? "not for release" : "people.csv");
    }

    /** The event in a release record costs what the record says, to whoever computes it again. */
    @ParameterizedTest
    @ValueSource(strings = {"formula", "newton", "mixture", "counts"})
    void theEventOfAReleaseCostsWhatItSays(String fit) throws IOException {
        Map<String, Object> release = CliRun.object(Json.read(text(fit + "/release.json")));
        Path events = Files.writeString(folder.resolve("events.json"), Json.write(release.get("event")));
        Map<String, Object> exact = CliRun.result(
                CliRun.of("account", "--events", events.toString(), "--delta", "1e-5", "--json")
                        .succeeded()
                        .json(),
                "exact");
        double stated = (Double) release.get("epsilon");
        assertThat((Double) exact.get("upper")).isCloseTo(stated, within(1e-6 * stated));
        assertThat((Double) exact.get("lower")).isLessThanOrEqualTo(stated);
    }

    @Test
    void aLikelihoodTakesAnotherPrior() throws IOException {
        CliRun.of("refit", path("formula"), "--prior", "age ~ normal(0, 0.01)", "--out", path("refit"))
                .succeeded();
        Map<String, Object> now =
                CliRun.of("summary", path("refit"), "--json").succeeded().json();
        assertSaysAll(now, Json.read(text("refit.summary.json").strip()), "refit");
    }

    @Test
    void aCheckIsShownAndWidensWhatItFoundTooNarrow() throws IOException {
        assertThat(CliRun.of("summary", path("formula")).succeeded().output())
                .contains("held the truth in 77.5% of 40 cases on 4 simulated twins");
        double before = width();
        Files.copy(
                folder.resolve("widened.check.json"),
                folder.resolve("formula/check.json"),
                StandardCopyOption.REPLACE_EXISTING);
        assertThat(width() / before).isCloseTo(1.25, within(1e-9));
    }

    private double width() {
        Map<String, Object> json =
                CliRun.of("summary", path("formula"), "--json").succeeded().json();
        Map<String, Object> age = ((List<?>) json.get("terms"))
                .stream()
                        .map(CliRun::object)
                        .filter(term -> term.get("term").equals("age"))
                        .findFirst()
                        .orElseThrow();
        return (Double) age.get("upper") - (Double) age.get("lower");
    }

    @Test
    void aLedgerIsWholeAndAddsUp() {
        CliRun.of("ledger", "verify", path("people.ledger")).succeeded();
        Map<String, Object> ledger = CliRun.of("ledger", "show", path("people.ledger"), "--json")
                .succeeded()
                .json();
        assertThat(ledger)
                .containsEntry("id", "e78c8fcadc1a8c5a88d31e021ed87998")
                .containsEntry("head", "d132b0044658dc95a39b983f414b318d72f1a13aebd2e9679175bb388687a2eb");
        assertThat((List<?>) ledger.get("entries")).hasSize(4);
        // An odometer that says another number for the same charges has to say why in the changelog.
        assertThat((Double) ledger.get("epsilon")).isCloseTo(2.462556537635489, within(1e-6));
    }

    @Test
    void aSchemaIsReadAsItWasDeclared() throws IOException {
        Map<String, Object> posterior = CliRun.object(Json.read(text("newton/posterior.json")));
        assertThat(SchemaYaml.read(folder.resolve("people.schema.yaml")).toJson())
                .isEqualTo(posterior.get("schema"));
    }
}
