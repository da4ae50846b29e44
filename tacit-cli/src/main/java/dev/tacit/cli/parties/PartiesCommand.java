package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit parties}: plays several parties on this machine. */
@Command(
        name = "parties",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Plays several parties on this machine.",
        synopsisSubcommandLabel = "(simulate)",
        subcommands = {PartiesCommand.PartiesSimulate.class})
public final class PartiesCommand {

    /** {@code tacit parties simulate}. */
    @Command(
            name = "simulate",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description =
                    "Deals a table out to parties that run as processes of their own, over a real network, and fits it.",
            footer = {
                "",
                "Example:",
                "  tacit parties simulate loans.csv --schema loans.schema.yaml --parties 5 --epsilon 1 --delta 1e-6 --out five"
            })
    static final class PartiesSimulate extends FederationVerb {
        @Parameters(paramLabel = "DATA", description = "the records")
        private String data;

        @Mixin
        private FittedOptions fitted = new FittedOptions();

        @Option(names = "--parties", paramLabel = "M", description = "how many there are; 3 if left out")
        private String parties;

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description = "the folder to write; keys, parties, logs and the fit lie below it")
        private String out;

        @Option(
                names = "--kill",
                paramLabel = "N",
                description = "kill processes at random times, so many in all, and start them again")
        private String kills;

        @Option(
                names = "--delay",
                paramLabel = "MS",
                description = "delay every message by so many milliseconds each way")
        private String delay;

        @Option(
                names = "--page",
                paramLabel = "PORT",
                description = "show the coordinator's page on this machine; 0 for any port that is free")
        private String page;

        @Override
        FederationRequest request() {
            return new FederationRequest.Simulate(
                    data,
                    path(fitted.schema(), "--schema"),
                    fitted.wish(),
                    fitted.epsilon(),
                    fitted.delta(),
                    count(parties, 2, FittedOptions.MOST_PARTIES, "--parties").orElse(3),
                    fitted.sharing(),
                    path(out, "--out"),
                    count(kills, 0, 10_000, "--kill").orElse(0),
                    count(delay, 0, 10_000, "--delay").orElse(0),
                    count(page, 0, 65_535, "--page"));
        }

        @Override
        String whenStopped() {
            return "stopped; a rehearsal cannot go on: remove " + out + ", or name another folder with --out.";
        }
    }
}
