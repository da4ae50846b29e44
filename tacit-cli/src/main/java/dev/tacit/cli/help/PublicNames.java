package dev.tacit.cli.help;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.experiments.Experiments;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.fit.formula.Family;
import dev.tacit.run.method.MethodCatalogue;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The values that an option or an argument can have, where these are a list of public names. */
public final class PublicNames {
    private static final Map<String, Supplier<List<String>>> OPTIONS = Map.of(
            "--model", MethodCatalogue::models,
            "--method", PublicNames::methods,
            "--family", PublicNames::families,
            "--neighbours", PublicNames::neighbours);

    private static final Map<String, Supplier<List<String>>> ARGUMENTS = Map.of(
            "tacit reproduce NAME",
            () -> Experiments.all().stream().map(Experiment::name).toList(),
            "tacit datasets path NAME",
            PublicNames::datasets,
            "tacit datasets prepare NAME",
            PublicNames::datasets,
            "tacit completion SHELL",
            () -> List.of("bash"));

    /** How arguments are called that are files or folders. */
    private static final Set<String> FILES = Set.of("DATA", "FILE", "DIR", "DIR2", "YAML", "CSV", "HTML");

    private PublicNames() {}

    /** The names of all methods, of whatever model. */
    public static List<String> methods() {
        return MethodCatalogue.entries().stream()
                .map(MethodCatalogue.Entry::method)
                .distinct()
                .toList();
    }

    /** The families of a formula's response. */
    public static List<String> families() {
        return Arrays.stream(Family.values())
                .map(family -> family.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
    }

    private static List<String> neighbours() {
        return Arrays.stream(Neighbours.values()).map(Neighbours::label).toList();
    }

    private static List<String> datasets() {
        return Catalogue.list().stream().map(DatasetEntry::name).toList();
    }

    /** Writes into the description of a command line what the shell can complete: public names, and files. */
    static void describe(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        for (OptionSpec option : List.copyOf(spec.options())) {
            Supplier<List<String>> names = OPTIONS.get(option.longestName());
            if (names != null || FILES.contains(option.paramLabel())) {
                // the script has an array for each label, so that two options of one label would share their names
                OptionSpec.Builder described = OptionSpec.builder(option.names())
                        .paramLabel(option.longestName().substring(2));
                spec.remove(option);
                spec.addOption(
                        names == null
                                ? described.type(Path.class).build()
                                : described
                                        .type(String.class)
                                        .completionCandidates(names.get())
                                        .build());
            }
        }
        for (PositionalParamSpec argument : List.copyOf(spec.positionalParameters())) {
            Supplier<List<String>> names = argument.paramLabel().equals("VERB")
                    ? () -> List.copyOf(spec.root().subcommands().keySet())
                    : ARGUMENTS.get(spec.qualifiedName() + " " + argument.paramLabel());
            if (names != null || FILES.contains(argument.paramLabel())) {
                PositionalParamSpec.Builder described = PositionalParamSpec.builder()
                        .paramLabel(argument.paramLabel())
                        .index(argument.index())
                        .arity(argument.arity());
                spec.remove(argument);
                spec.addPositional(
                        names == null
                                ? described.type(Path.class).build()
                                : described
                                        .type(String.class)
                                        .completionCandidates(names.get())
                                        .build());
            }
        }
        command.getSubcommands().values().forEach(PublicNames::describe);
    }
}
