package dev.tacit.cli.parties;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.verb.StopNotice;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Option;

/** A verb that the runtime of several parties answers. */
abstract class FederationVerb implements Verb {
    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    /** What is asked. */
    abstract FederationRequest request();

    /** What whoever stops it should know. */
    String whenStopped() {
        return "stopped.";
    }

    @Override
    public ExitCode run(Console console) {
        FederationRequest request = request();
        FederationAnswer answer;
        StopNotice notice = new StopNotice(this::whenStopped, console);
        try {
            answer = Federation.find().perform(request, sentence -> console.point("tacit: " + sentence));
        } finally {
            notice.close();
        }
        if (json) {
            console.line(Json.write(answer.json()));
        } else {
            console.text(answer.lines());
        }
        return ExitCode.OK;
    }

    static Path path(String given, String option) {
        if (given == null) {
            throw CommandFailure.usage(option + " is missing.");
        }
        return Path.of(given);
    }

    static Optional<Path> optional(String given) {
        return Optional.ofNullable(given).map(Path::of);
    }

    static double epsilon(String given) {
        if (given == null) {
            throw CommandFailure.usage("--epsilon is missing; for example --epsilon 1.");
        }
        return Numbers.payingEpsilon(Numbers.parse(given), "--epsilon", ExitCode.USAGE);
    }

    static double delta(String given) {
        if (given == null) {
            throw CommandFailure.usage("--delta is missing; for example --delta 1e-6.");
        }
        return Numbers.delta(Numbers.parse(given), "--delta", ExitCode.USAGE);
    }

    /** A whole number. */
    static OptionalInt count(String given, int least, int most, String option) {
        if (given == null) {
            return OptionalInt.empty();
        }
        long value = Numbers.parseWhole(given);
        if (value < least || value > most) {
            throw CommandFailure.usage(option + " must be a whole number from " + least + " to " + most + ".");
        }
        return OptionalInt.of((int) value);
    }
}
