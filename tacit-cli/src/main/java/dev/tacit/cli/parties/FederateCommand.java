package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tacit federate}: checks what a coordinator and its parties did. */
@Command(
        name = "federate",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Checks what a coordinator and its parties did.",
        synopsisSubcommandLabel = "(audit)",
        subcommands = {FederateCommand.FederateAudit.class})
public final class FederateCommand {

    /** {@code tacit federate audit}. */
    @Command(
            name = "audit",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Recomputes every opened sum from logs, checks every signature, and compares logs.")
    static final class FederateAudit extends FederationVerb {
        @Parameters(
                paramLabel = "LOG",
                arity = "1..*",
                description = "logs of the coordinator and of parties, or their folders")
        private List<String> logs;

        @Override
        FederationRequest request() {
            return new FederationRequest.AuditLogs(logs.stream().map(Path::of).toList());
        }
    }
}
