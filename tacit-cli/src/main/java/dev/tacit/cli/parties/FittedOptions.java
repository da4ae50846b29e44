package dev.tacit.cli.parties;

import dev.tacit.cli.shell.KeyValues;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.run.WantedFit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What several parties fit together, and with which noise. */
final class FittedOptions {
    static final int MOST_PARTIES = 255;

    @Option(names = "--schema", paramLabel = "FILE", description = "what is declared about the records of every party")
    private String schema;

    @Option(names = "--formula", paramLabel = "F", description = "what to fit, in R's syntax: 'died ~ age + sex'")
    private String formula;

    @Option(
            names = "--family",
            paramLabel = "NAME",
            description = "of the response of --formula; what suits its column if left out")
    private String family;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description =
                    "what to fit, with all declared columns; logistic-regression if neither this nor a formula is given")
    private String model;

    @Option(names = "--method", paramLabel = "NAME", description = "how; what suits several parties if left out")
    private String method;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a setting of the method; may be repeated")
    private List<String> settings = new ArrayList<>();

    @Option(names = "--epsilon", paramLabel = "E", description = "what every party's records may cost")
    private String epsilon;

    @Option(names = "--delta", paramLabel = "D", description = "the delta at which it must hold")
    private String delta;

    @Option(
            names = "--colluders",
            paramLabel = "T",
            description = "how many parties may work together with the coordinator; if left out 1, and all but one"
                    + " where every party adds all of its noise itself")
    private String colluders;

    @Option(
            names = "--missing",
            paramLabel = "D",
            description = "how many parties may be missing from a sum; if left out a third of all but two, rounded"
                    + " down: none of 3 or 4, one of 5, two of 8; fewer if more may collude")
    private String missing;

    String schema() {
        return schema;
    }

    double epsilon() {
        return FederationVerb.epsilon(epsilon);
    }

    double delta() {
        return FederationVerb.delta(delta);
    }

    FederationRequest.FittedWish wish() {
        WantedFit.requireOneOf(Optional.ofNullable(formula), Optional.ofNullable(family), Optional.ofNullable(model));
        return new FederationRequest.FittedWish(
                Optional.ofNullable(formula),
                Optional.ofNullable(family),
                Optional.ofNullable(model),
                Optional.ofNullable(method),
                KeyValues.of(settings));
    }

    FederationRequest.Sharing sharing() {
        return new FederationRequest.Sharing(
                FederationVerb.count(colluders, 1, MOST_PARTIES - 1, "--colluders"),
                FederationVerb.count(missing, 0, MOST_PARTIES - 1, "--missing"));
    }
}
