package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.cli.help.FirstWords;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The table of verbs: each can be made, does something, has help, and is found when it is misspelt. */
class VerbsTest {
    static Stream<Verbs.Entry> verbs() {
        return Verbs.entries().stream();
    }

    @Test
    void namesAreDistinct() {
        assertThat(verbs().map(Verbs.Entry::name)).doesNotHaveDuplicates();
    }

    /** A verb that is named has a command of that name, and every command that has no verbs below it can be run. */
    @ParameterizedTest
    @MethodSource("verbs")
    void everyVerbIsMadeByItsFactory(Verbs.Entry verb) {
        Object command = verb.command().get();
        assertThat(command.getClass().getAnnotation(Command.class).name()).isEqualTo(verb.name());
        requireRunnable(new CommandLine(command));
    }

    private static void requireRunnable(CommandLine command) {
        Object described = command.getCommandSpec().userObject();
        if (command.getSubcommands().isEmpty()) {
            assertThat(described).isInstanceOf(Verb.class);
        } else {
            assertThat(described).isNotInstanceOf(Verb.class);
            command.getSubcommands().values().forEach(VerbsTest::requireRunnable);
        }
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void helpIsAVerbToo(Verbs.Entry verb) {
        String help = CliRun.of(verb.name(), "--help").succeeded().output();
        assertThat(help).contains("Usage: tacit " + verb.name());
        assertThat(CliRun.of("help", verb.name()).succeeded().output()).isEqualTo(help);
        assertThat(CliRun.of("--help").succeeded().output()).containsPattern("(?m)^  " + verb.name() + " +\\S");
    }

    @Test
    void helpGoesDownToTheVerbsOfAVerb() {
        assertThat(CliRun.of("help").succeeded().output())
                .isEqualTo(CliRun.of("--help").succeeded().output());
        assertThat(CliRun.typed("help ledger show").succeeded().output())
                .isEqualTo(CliRun.typed("ledger show --help").succeeded().output());
        assertThat(CliRun.typed("help ledger shwo").failed(ExitCode.USAGE).errors())
                .contains("did you mean show?");
        assertThat(CliRun.typed("help fit more").failed(ExitCode.USAGE).errors())
                .contains("tacit fit has no verb \"more\"");
        CliRun.typed("help fit --man pages").failed(ExitCode.USAGE);
    }

    /** What a verb needs is not looked at then, so nothing of it may begin. */
    @Test
    void helpAndVersionMayStandBeforeAVerb() {
        assertThat(CliRun.typed("ledger --help verify").succeeded().output())
                .isEqualTo(CliRun.typed("ledger verify --help").succeeded().output());
        assertThat(CliRun.typed("--help fit").succeeded().output())
                .isEqualTo(CliRun.typed("fit --help").succeeded().output());
        assertThat(CliRun.typed("ledger --version verify").succeeded().output())
                .isEqualTo(CliRun.of("--version").succeeded().output());
    }

    @Test
    void withoutAVerbTheFiveMostUsefulThingsAreSaid() {
        assertThat(CliRun.of().succeeded().output()).isEqualTo(String.join("\n", FirstWords.lines()) + "\n");
        List<String> commands = FirstWords.lines().stream()
                .filter(line -> line.startsWith("  tacit "))
                .toList();
        assertThat(commands)
                .hasSize(5)
                .allSatisfy(line -> assertThat(verbs().map(Verbs.Entry::name))
                        .contains(line.strip().split(" ", -1)[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "fti, did you mean fit?",
        "diagnos, did you mean diagnose?",
        "acount, did you mean account?",
        "complete, did you mean completion?",
        "Fit, did you mean fit?",
        "ledger shw, did you mean show?",
        "schema chekc, did you mean check?",
        "account --nosie-multiplier 1, did you mean --noise-multiplier?",
        "reproduce glm-coverag, did you mean glm-coverage?",
        "completion zsh, bash only",
        "ledger, 'say what tacit ledger shall do: show, list or verify; tacit ledger --help explains them.'",
        "schema, 'say what tacit schema shall do: draft or check; tacit schema --help explains them.'",
        "datasets, 'say what tacit datasets shall do: '"
    })
    void whatIsMeantIsSaid(String typed, String hint) {
        assertThat(CliRun.typed(typed).failed(ExitCode.USAGE).errors()).contains(hint);
    }

    @ParameterizedTest
    @CsvSource({"man", "frobnicate", "x"})
    void aStrangeVerbGetsNoSuggestion(String typed) {
        assertThat(CliRun.of(typed).failed(ExitCode.USAGE).errors())
                .contains("there is no verb \"" + typed + "\"")
                .doesNotContain("did you mean");
    }
}
