package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tacit.run.method.MethodCatalogue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script in a real bash, called as readline calls it when somebody presses the tab key. */
class CompletionCommandTest {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path folder;

    private Path script;

    @BeforeEach
    void print() throws IOException {
        assumeTrue(Files.isExecutable(BASH), "bash is needed");
        script = Files.writeString(
                folder.resolve("completion"),
                CliRun.of("completion", "bash").succeeded().output());
    }

    /** The words that bash offers after a command line; its last word is the one that is being typed. */
    private List<String> offered(String... words) throws IOException, InterruptedException {
        StringBuilder line = new StringBuilder("COMP_WORDS=(");
        for (String word : words) {
            line.append('\'').append(word).append("' ");
        }
        line.append(") COMP_CWORD=").append(words.length - 1);
        String program = """
                set -u
                source "$1"
                complete -p tacit | grep -q -- '-F _complete_tacit' || exit 3
                set +u
                compopt() { :; } # says how words are shown, which only readline can be told
                cd "$2"
                %s COMP_LINE='' COMP_POINT=0
                _complete_tacit
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(line);
        Process process = new ProcessBuilder(
                        BASH.toString(),
                        "--noprofile",
                        "--norc",
                        "-c",
                        program,
                        "bash",
                        script.toString(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().map(String::strip).filter(each -> !each.isEmpty()).toList();
    }

    @Test
    void verbsAreCompleted() throws Exception {
        assertThat(offered("tacit", ""))
                .containsAll(Verbs.entries().stream().map(Verbs.Entry::name).toList());
        assertThat(offered("tacit", "di")).containsExactly("diagnose");
        assertThat(offered("tacit", "ledger", "")).contains("show", "list", "verify");
    }

    @Test
    void optionsAreCompleted() throws Exception {
        assertThat(offered("tacit", "fit", "--ep")).containsExactly("--epsilon");
        assertThat(offered("tacit", "ledger", "show", "--")).contains("--json", "--csv");
    }

    @Test
    void filesAreCompleted() throws Exception {
        Files.createFile(folder.resolve("people.csv"));
        assertThat(offered("tacit", "fit", "peo")).containsExactly("people.csv");
        assertThat(offered("tacit", "fit", "people.csv", "--schema", "peo")).containsExactly("people.csv");
        assertThat(offered("tacit", "ledger", "show", "peo")).containsExactly("people.csv");
    }

    /** In picocli's own script a name goes through {@code compgen -W}, which expands it. */
    @Test
    void whatIsInTheNameOfAFileIsNotRun() throws Exception {
        Files.createFile(folder.resolve("people$(touch ran).csv"));
        assertThat(offered("tacit", "fit", "peo")).containsExactly("people$(touch ran).csv");
        assertThat(offered("tacit", "predict", "fit", "peo")).containsExactly("people$(touch ran).csv");
        assertThat(folder.resolve("ran")).doesNotExist();
    }

    @Test
    void namesAreCompleted() throws Exception {
        assertThat(offered("tacit", "fit", "--model", ""))
                .containsExactlyInAnyOrderElementsOf(MethodCatalogue.models());
        assertThat(offered("tacit", "fit", "--method", "private-"))
                .containsExactlyInAnyOrder("private-likelihood", "private-vb");
        assertThat(offered("tacit", "fit", "--family", "neg")).containsExactly("negative-binomial");
        assertThat(offered("tacit", "plan", "--family", "p")).contains("poisson", "piecewise-exponential");
        assertThat(offered("tacit", "account", "--neighbours", "re")).containsExactly("replace-one");
        assertThat(offered("tacit", "datasets", "prepare", "ad")).containsExactly("adult");
        assertThat(offered("tacit", "reproduce", "glm-c")).contains("glm-coverage");
    }
}
