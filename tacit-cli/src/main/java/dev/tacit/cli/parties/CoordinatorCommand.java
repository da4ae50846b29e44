package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit coordinator}: runs a study without seeing anything but sums. */
@Command(
        name = "coordinator",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Runs a study without seeing anything but sums.",
        synopsisSubcommandLabel = "(run | status | rebuild)",
        subcommands = {
            CoordinatorCommand.CoordinatorRun.class,
            CoordinatorCommand.CoordinatorStatus.class,
            CoordinatorCommand.CoordinatorRebuild.class
        })
public final class CoordinatorCommand {

    /** {@code tacit coordinator run}. */
    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Runs a study until its fit is written; goes on where it was if it was stopped.")
    static final class CoordinatorRun extends FederationVerb {
        @Parameters(paramLabel = "STUDY", description = "the file")
        private String study;

        @Option(
                names = "--authority",
                paramLabel = "DIR",
                description = "the folder that keys init wrote; keys if left out")
        private String authority;

        @Option(
                names = "--at",
                paramLabel = "HOST:PORT",
                description = "where to listen; or a folder that all sides see")
        private String at;

        @Option(names = "--out", paramLabel = "DIR", description = "the folder to write, that of a fit")
        private String out;

        @Option(
                names = "--page",
                paramLabel = "PORT",
                description = "show a page on this machine; 0 for any port that is free")
        private String page;

        @Option(
                names = "--patience",
                paramLabel = "SECONDS",
                description = "how long to wait for parties that may be missing; 60 if left out")
        private String patience;

        @Option(
                names = "--give-up",
                description =
                        "give a sum up for ever that too few parties answer by then, or, without masks, end the study"
                                + " there; what it cost stays spent")
        private boolean givesUp;

        @Override
        FederationRequest request() {
            return new FederationRequest.CoordinatorRun(
                    Path.of(study),
                    Path.of(authority == null ? "keys" : authority),
                    path(at, "--at").toString(),
                    path(out, "--out"),
                    count(page, 0, 65_535, "--page"),
                    count(patience, 0, 1_000_000, "--patience"),
                    givesUp);
        }

        @Override
        String whenStopped() {
            return "stopped; the same tacit coordinator run goes on where it was.";
        }
    }

    /** {@code tacit coordinator status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Says where a study stands, and whom it waits for.")
    static final class CoordinatorStatus extends FederationVerb {
        @Parameters(paramLabel = "DIR", description = "the folder of coordinator run")
        private String folder;

        @Override
        FederationRequest request() {
            return new FederationRequest.CoordinatorStatus(Path.of(folder));
        }
    }

    /** {@code tacit coordinator rebuild}. */
    @Command(
            name = "rebuild",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Makes a coordinator's lost folder again from what parties kept.")
    static final class CoordinatorRebuild extends FederationVerb {
        @Parameters(paramLabel = "STUDY", description = "the file")
        private String study;

        @Option(
                names = "--authority",
                paramLabel = "DIR",
                description = "the folder that keys init wrote; keys if left out")
        private String authority;

        @Option(
                names = "--log",
                paramLabel = "FILE",
                description = "the log of a party; may be repeated; without masks those of all parties")
        private List<String> logs = new ArrayList<>();

        @Option(names = "--out", paramLabel = "DIR", description = "the folder to write")
        private String out;

        @Override
        FederationRequest request() {
            return new FederationRequest.CoordinatorRebuild(
                    Path.of(study),
                    Path.of(authority == null ? "keys" : authority),
                    logs.stream().map(Path::of).toList(),
                    path(out, "--out"));
        }
    }
}
