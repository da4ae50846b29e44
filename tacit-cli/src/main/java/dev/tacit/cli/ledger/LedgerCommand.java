package dev.tacit.cli.ledger;

import dev.tacit.cli.shell.Version;
import picocli.CommandLine.Command;

/** {@code tacit ledger}: what was spent, and is the record whole? */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Shows, lists or checks the record of everything that was spent on a data set.",
        synopsisSubcommandLabel = "(show | list | verify)",
        subcommands = {LedgerShowCommand.class, LedgerListCommand.class, LedgerVerifyCommand.class})
public final class LedgerCommand {}
