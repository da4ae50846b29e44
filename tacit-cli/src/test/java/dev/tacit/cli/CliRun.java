package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.shell.ExitCode;
import dev.tacit.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One command line that ran in this JVM, and what came out of it. */
record CliRun(int exitCode, String output, String errors) {
    static CliRun of(String... args) {
        return withInput("", args);
    }

    /** A command line as a person types it; it has no quoted blanks. */
    static CliRun typed(String commandLine) {
        return of(commandLine.strip().split("\\s+", -1));
    }

    /** Fits are not checked on twins unless the test says so: that takes longer than the fit. */
    private static String[] withoutTwins(String... args) {
        List<String> words = List.of(args);
        if (words.isEmpty()
                || !words.get(0).equals("fit")
                || words.contains("--twins")
                || words.contains("--no-twins")) {
            return args;
        }
        List<String> more = new ArrayList<>(words);
        more.add("--no-twins");
        return more.toArray(String[]::new);
    }

    static CliRun withInput(String input, String... given) {
        String[] args = withoutTwins(given);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        ByteArrayInputStream stream = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        int exitCode = Tacit.run(args, stream, output, errors);
        return new CliRun(exitCode, output.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    /** The run ended well and said nothing on standard error. */
    CliRun succeeded() {
        assertThat(errors).isEmpty();
        assertThat(exitCode).isZero();
        return this;
    }

    /** The run failed with this code and one sentence on standard error. */
    CliRun failed(ExitCode expected) {
        assertOneSentence(errors);
        assertThat(exitCode).as(errors).isEqualTo(expected.code());
        return this;
    }

    static void assertOneSentence(String errors) {
        assertThat(errors).startsWith("tacit: ").matches("(?s).*[.?]\n");
        assertThat(errors.lines()).as(errors).hasSize(1);
        assertThat(errors).doesNotContain("Exception", "\tat ", "null", "picocli");
    }

    /** The one JSON object on standard output. */
    Map<String, Object> json() {
        assertThat(output.lines()).hasSize(1);
        return object(Json.read(output.strip()));
    }

    /** The JSON objects on standard output, one a line. */
    List<Map<String, Object>> jsonLines() {
        return output.lines().map(line -> object(Json.read(line))).toList();
    }

    @SuppressWarnings("unchecked") // Json reads every object as a map with string keys
    static Map<String, Object> object(Object json) {
        assertThat(json).isInstanceOf(Map.class);
        return (Map<String, Object>) json;
    }

    /** The results of an {@code account} answer. */
    static List<Map<String, Object>> results(Map<String, Object> answer) {
        assertThat(answer.get("results")).isInstanceOf(List.class);
        return ((List<?>) answer.get("results")).stream().map(CliRun::object).toList();
    }

    /** One accountant's result. */
    static Map<String, Object> result(Map<String, Object> answer, String accountant) {
        return results(answer).stream()
                .filter(result -> result.get("accountant").equals(accountant))
                .findFirst()
                .orElseThrow();
    }
}
