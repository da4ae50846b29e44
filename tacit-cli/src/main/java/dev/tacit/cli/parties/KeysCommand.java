package dev.tacit.cli.parties;

import dev.tacit.cli.shell.Version;
import dev.tacit.fit.federation.FederationRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit keys}: makes, signs, shows and renews keys and certificates of a study. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        description = "Makes, signs, shows and renews keys and certificates of a study.",
        synopsisSubcommandLabel = "(init | party | sign | show | renew)",
        subcommands = {
            KeysCommand.KeysInit.class,
            KeysCommand.KeysParty.class,
            KeysCommand.KeysSign.class,
            KeysCommand.KeysShow.class,
            KeysCommand.KeysRenew.class
        })
public final class KeysCommand {

    /** {@code tacit keys init}. */
    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Makes the authority of a study, and the coordinator's own keys.")
    static final class KeysInit extends FederationVerb {
        @Option(names = "--study", paramLabel = "NAME", description = "the study's name, in certificates")
        private String study;

        @Option(
                names = "--host",
                paramLabel = "NAME",
                description =
                        "a name or address under which parties reach the coordinator; may be repeated; this machine if left out")
        private List<String> hosts = new ArrayList<>();

        @Option(names = "--out", paramLabel = "DIR", description = "the folder to write; keys if left out")
        private String out;

        @Override
        FederationRequest request() {
            return new FederationRequest.KeysInit(
                    Path.of(out == null ? "keys" : out),
                    study == null ? "study" : study,
                    hosts.isEmpty() ? List.of("localhost", "127.0.0.1") : hosts);
        }
    }

    /** {@code tacit keys party}. */
    @Command(
            name = "party",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Makes a party's keys, on its own machine, and the request for its certificate.")
    static final class KeysParty extends FederationVerb {
        @Parameters(paramLabel = "NAME", description = "the party, in small letters, digits and hyphens")
        private String name;

        @Option(names = "--out", paramLabel = "DIR", description = "the folder to write; the party's name if left out")
        private String out;

        @Override
        FederationRequest request() {
            return new FederationRequest.KeysParty(name, Path.of(out == null ? name : out));
        }
    }

    /** {@code tacit keys sign}. */
    @Command(
            name = "sign",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Signs a party's request, on the machine that has the authority.")
    static final class KeysSign extends FederationVerb {
        @Parameters(paramLabel = "REQUEST", description = "the party's request.pem")
        private String file;

        @Option(
                names = "--authority",
                paramLabel = "DIR",
                description = "the folder that keys init wrote; keys if left out")
        private String authority;

        @Option(
                names = "--out",
                paramLabel = "FILE",
                description = "the certificate; certificate.pem beside the request if left out")
        private String out;

        @Override
        FederationRequest request() {
            return new FederationRequest.KeysSign(
                    Path.of(file), Path.of(authority == null ? "keys" : authority), optional(out));
        }
    }

    /** {@code tacit keys show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description =
                    "Shows whose keys these are, as words to compare by telephone, and how long certificates last.")
    static final class KeysShow extends FederationVerb {
        @Parameters(paramLabel = "PATH", description = "a folder of keys, or a request")
        private String path;

        @Override
        FederationRequest request() {
            return new FederationRequest.KeysShow(Path.of(path));
        }
    }

    /** {@code tacit keys renew}. */
    @Command(
            name = "renew",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            usageHelpWidth = 110,
            sortOptions = false,
            description = "Makes a request for the same keys anew, or signs the coordinator's certificate anew.")
    static final class KeysRenew extends FederationVerb {
        @Parameters(paramLabel = "DIR", description = "a folder of keys")
        private String folder;

        @Option(
                names = "--host",
                paramLabel = "NAME",
                description = "a name or address of the coordinator; may be repeated; those of before if left out")
        private List<String> hosts = new ArrayList<>();

        @Override
        FederationRequest request() {
            return new FederationRequest.KeysRenew(Path.of(folder), hosts);
        }
    }
}
