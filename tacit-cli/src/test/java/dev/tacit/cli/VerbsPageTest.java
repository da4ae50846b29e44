package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The page of verbs in the documentation says what {@code --help} says: every verb, every option, the same words. */
class VerbsPageTest {
    private static final Path PAGE = Path.of("../docs/reference/verbs.md");
    private static final String HEADING = "## ";

    @Test
    void everyVerbHasItsSectionAndNoOtherDoes() throws IOException {
        assertThat(sections().keySet()).isEqualTo(commands().keySet());
    }

    @Test
    void everyOptionIsThereInTheWordsOfItsHelpAndNoOtherIs() throws IOException {
        Map<String, String> sections = sections();
        commands().forEach((name, command) -> {
            List<String> rows = sections.getOrDefault(name, "")
                    .lines()
                    .filter(line -> line.startsWith("| `"))
                    .toList();
            assertThat(rows)
                    .as("the table of \"%s\" in %s; it should be%n%s", name, PAGE, String.join("\n", table(command)))
                    .containsExactlyInAnyOrderElementsOf(table(command));
        });
    }

    /** What the page says about each command. */
    private static Map<String, String> sections() throws IOException {
        Map<String, String> sections = new TreeMap<>();
        for (String section : Files.readString(PAGE).split("\n(?=" + HEADING + ")", -1)) {
            if (section.startsWith(HEADING)) {
                int end = section.indexOf('\n');
                sections.put(section.substring(HEADING.length(), end), section.substring(end));
            }
        }
        return sections;
    }

    /** The commands that do something, by the words with which they are called. */
    private static Map<String, CommandSpec> commands() {
        Map<String, CommandSpec> commands = new TreeMap<>();
        collect(Verbs.all(), commands);
        return commands;
    }

    private static void collect(CommandLine command, Map<String, CommandSpec> to) {
        if (command.getSubcommands().isEmpty()) {
            to.put(command.getCommandSpec().qualifiedName(), command.getCommandSpec());
        }
        command.getSubcommands().values().forEach(verb -> collect(verb, to));
    }

    private static List<String> table(CommandSpec command) {
        List<String> rows = new ArrayList<>();
        for (PositionalParamSpec parameter : command.positionalParameters()) {
            rows.add(row(parameter.paramLabel(), parameter));
        }
        for (OptionSpec option : command.options()) {
            if (!option.usageHelp() && !option.versionHelp()) {
                boolean takesValue = option.arity().max() > 0;
                rows.add(row(option.longestName() + (takesValue ? " " + option.paramLabel() : ""), option));
            }
        }
        return rows;
    }

    private static String row(String name, ArgSpec argument) {
        String meaning = String.join(" ", argument.description());
        return "| `" + name + "` | " + meaning.replace("%%", "%").replace("|", "\\|") + " |";
    }
}
