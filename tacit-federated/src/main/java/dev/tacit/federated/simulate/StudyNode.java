package dev.tacit.federated.simulate;

import dev.tacit.federated.run.FederatedRuntime;
import dev.tacit.federated.study.StudyException;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationRequest;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A role of a simulated study as a process; its sentences go to a file, and it ends with whoever started it.
 *
 * <pre>
 *   party SENTENCES FOLDER        coordinator SENTENCES STUDY AUTHORITY AT OUT PATIENCE PAGE
 * </pre>
 */
public final class StudyNode {
    private static final int FAILED = 70;
    private static final int ABANDONED = 75;
    private static final int REFUSED = 78;

    private StudyNode() {}

    /** Runs a role to its end. */
    public static void main(String[] arguments) throws IOException {
        endWithParent();
        int exit = 0;
        try (BufferedWriter sentences =
                Files.newBufferedWriter(Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            try {
                new FederatedRuntime(Clock.systemUTC())
                        .perform(request(arguments), sentence -> say(sentences, sentence));
                say(sentences, "The study is done.");
            } catch (FitException | StudyException e) {
                say(sentences, "stopped: " + e.getMessage());
                exit = REFUSED;
            } catch (RuntimeException e) {
                say(sentences, "failed: " + e);
                for (StackTraceElement frame : e.getStackTrace()) {
                    say(sentences, "    at " + frame);
                }
                exit = FAILED;
            }
        }
        Runtime.getRuntime().halt(exit);
    }

    /** Nothing is ever written to the standard input, so what is read there is its end: that of the process at its other end. */
    private static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        System.in.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        // as good as the end
                    }
                    Runtime.getRuntime().halt(ABANDONED);
                },
                "end-with-parent");
        thread.setDaemon(true);
        thread.start();
    }

    private static FederationRequest request(String[] arguments) {
        if (arguments[0].equals("party")) {
            return new FederationRequest.PartyRun(Path.of(arguments[2]), Optional.empty());
        }
        int page = Integer.parseInt(arguments[7]);
        return new FederationRequest.CoordinatorRun(
                Path.of(arguments[2]),
                Path.of(arguments[3]),
                arguments[4],
                Path.of(arguments[5]),
                page < 0 ? OptionalInt.empty() : OptionalInt.of(page),
                OptionalInt.of(Integer.parseInt(arguments[6])),
                false);
    }

    private static void say(BufferedWriter sentences, String sentence) {
        try {
            sentences.write(sentence + "\n");
            sentences.flush();
        } catch (IOException e) {
            throw new StudyException("cannot write what a process says", e);
        }
    }
}
