package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.Version;
import picocli.CommandLine.Command;

/** {@code tacit schema}: help with declaring what is public about a table. */
@Command(
        name = "schema",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        synopsisSubcommandLabel = "(draft | check)",
        header = "Helps to declare what is public about a table.",
        subcommands = {SchemaDraftCommand.class, SchemaCheckCommand.class})
public final class SchemaCommand {}
