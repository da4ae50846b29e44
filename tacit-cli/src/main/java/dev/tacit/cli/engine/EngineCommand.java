package dev.tacit.cli.engine;

import dev.tacit.cli.shell.Version;
import picocli.CommandLine.Command;

/** {@code tacit engine}: where records are added up if one machine is too small. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Checks a Spark cluster, starts a small one to try, or says what a fit would take.",
        synopsisSubcommandLabel = "(check | try | cost)",
        subcommands = {EngineCheckCommand.class, EngineTryCommand.class, EngineCostCommand.class})
public final class EngineCommand {}
