package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit party}: takes part in a study with one's own records, ledger and policy. */
@Command(
        name = "party",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Takes part in a study with one's own records, ledger and policy.",
        synopsisSubcommandLabel = "(approve | run | status | statement)",
        subcommands = {
            PartyCommand.PartyApprove.class,
            PartyCommand.PartyRun.class,
            PartyCommand.PartyStatus.class,
            PartyCommand.PartyStatement.class
        })
public final class PartyCommand {

    /** {@code tacit party approve}. */
    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Approves a study and makes the folder that the party runs in; nothing is charged.")
    static final class PartyApprove extends FederationVerb {
        @Parameters(paramLabel = "STUDY", description = "the file")
        private String study;

        @Option(names = "--data", paramLabel = "DATA", description = "the party's records")
        private String data;

        @Option(
                names = "--keys",
                paramLabel = "DIR",
                description = "the folder that keys party wrote, with its certificate")
        private String keys;

        @Option(
                names = "--ledger",
                paramLabel = "FILE",
                description = "the ledger of these people; the one beside the data if left out")
        private String ledger;

        @Option(names = "--policy", paramLabel = "FILE", description = "what the party allows")
        private String policy;

        @Option(
                names = "--words",
                paramLabel = "WORDS",
                description = "the eight words that were read out by telephone; needed without a policy")
        private String words;

        @Option(
                names = "--at",
                paramLabel = "HOST:PORT",
                description = "where the coordinator is; or a folder that both sides see")
        private String at;

        @Option(names = "--out", paramLabel = "DIR", description = "the folder to write")
        private String out;

        @Override
        FederationRequest request() {
            return new FederationRequest.PartyApprove(
                    Path.of(study),
                    path(data, "--data").toString(),
                    path(keys, "--keys"),
                    optional(ledger),
                    optional(policy),
                    Optional.ofNullable(words),
                    path(at, "--at").toString(),
                    path(out, "--out"));
        }
    }

    /** {@code tacit party run}. */
    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description =
                    "Takes part until the study is over; goes on where it was if it was stopped, and connects again for ever.")
    static final class PartyRun extends FederationVerb {
        @Parameters(paramLabel = "DIR", description = "the folder that party approve wrote")
        private String folder;

        @Option(
                names = "--at",
                paramLabel = "HOST:PORT",
                description = "where the coordinator is now, if it has moved; or a folder that both sides see")
        private String at;

        @Override
        FederationRequest request() {
            return new FederationRequest.PartyRun(Path.of(folder), Optional.ofNullable(at));
        }

        @Override
        String whenStopped() {
            return "stopped; tacit party run " + folder + " goes on where it was.";
        }
    }

    /** {@code tacit party status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Says where a party stands; no records are read.")
    static final class PartyStatus extends FederationVerb {
        @Parameters(paramLabel = "DIR", description = "the folder that party approve wrote")
        private String folder;

        @Override
        FederationRequest request() {
            return new FederationRequest.PartyStatus(Path.of(folder));
        }
    }

    /** {@code tacit party statement}. */
    @Command(
            name = "statement",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "What a party promises to its people: who is protected against whom, and what left.")
    static final class PartyStatement extends FederationVerb {
        @Parameters(paramLabel = "DIR", description = "the folder that party approve wrote")
        private String folder;

        @Override
        FederationRequest request() {
            return new FederationRequest.PartyStatement(Path.of(folder));
        }
    }
}
