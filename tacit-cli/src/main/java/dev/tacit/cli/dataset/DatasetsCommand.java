package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.Version;
import picocli.CommandLine.Command;

/** {@code tacit datasets}: the data sets of the papers by name. */
@Command(
        name = "datasets",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        synopsisSubcommandLabel = "list|prepare|path",
        header = "Lists, finds and prepares real data sets; nothing is downloaded.",
        subcommands = {DatasetsListCommand.class, DatasetsPrepareCommand.class, DatasetsPathCommand.class})
public final class DatasetsCommand {}
