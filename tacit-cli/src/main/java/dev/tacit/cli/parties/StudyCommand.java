package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit study}: drafts, checks and shows what several parties agree on. */
@Command(
        name = "study",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Drafts, checks and shows what several parties agree on.",
        synopsisSubcommandLabel = "(draft | check | show)",
        subcommands = {StudyCommand.StudyDraft.class, StudyCommand.StudyCheck.class, StudyCommand.StudyShow.class})
public final class StudyCommand {

    /** {@code tacit study draft}. */
    @Command(
            name = "draft",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Drafts a study from a schema, parties' requests and a budget; nothing is charged.")
    static final class StudyDraft extends FederationVerb {
        @Option(
                names = "--name",
                paramLabel = "TEXT",
                description = "the study's name, in ledgers and reports; may be published")
        private String name;

        @Option(
                names = "--party",
                paramLabel = "NAME:UNITS:REQUEST",
                description = "a party, its declared number of units, and its request.pem; once for each")
        private List<String> parties = new ArrayList<>();

        @Option(
                names = "--authority",
                paramLabel = "DIR",
                description = "the folder that keys init wrote; keys if left out")
        private String authority;

        @Option(names = "--out", paramLabel = "FILE", description = "the file to write; study.yaml if left out")
        private String out;

        @Mixin
        private FittedOptions fitted = new FittedOptions();

        @Override
        FederationRequest request() {
            return new FederationRequest.StudyDraft(
                    name == null ? "study" : name,
                    path(fitted.schema(), "--schema"),
                    fitted.wish(),
                    fitted.epsilon(),
                    fitted.delta(),
                    parties,
                    Path.of(authority == null ? "keys" : authority),
                    fitted.sharing(),
                    Path.of(out == null ? "study.yaml" : out));
        }
    }

    /** {@code tacit study check}. */
    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Says what a study costs and against whom, and whether a policy allows it.")
    static final class StudyCheck extends FederationVerb {
        @Parameters(paramLabel = "STUDY", description = "the file")
        private String study;

        @Option(names = "--policy", paramLabel = "FILE", description = "what a party allows")
        private String policy;

        @Override
        FederationRequest request() {
            return new FederationRequest.StudyCheck(Path.of(study), optional(policy));
        }
    }

    /** {@code tacit study show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Shows a study and its eight words, which parties compare by telephone.")
    static final class StudyShow extends FederationVerb {
        @Parameters(paramLabel = "STUDY", description = "the file")
        private String study;

        @Override
        FederationRequest request() {
            return new FederationRequest.StudyShow(Path.of(study));
        }
    }
}
